import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLibraryLinks, findPostgresBinaries } from '../../src/store/postgres-binaries.ts';

/** Of a PostgreSQL server that a test starts. */
export interface PostgresPrograms {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  /** As its clusters have it. */
  readonly locale: string;
  /** Whether its commits wait for the disk. */
  readonly isDurable: boolean;
}

const DEBIAN = '/usr/lib/postgresql';
/** The oldest that a gateway runs on. */
const MAJOR_MIN = 15;

/** The newest PostgreSQL of Debian's packages, set as an operator's is: what is committed is on the disk. */
export function debianPrograms(): PostgresPrograms | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const majors = readdirSync(DEBIAN)
    .map(Number)
    .filter((major) => major >= MAJOR_MIN && existsSync(join(DEBIAN, String(major), 'bin/initdb')))
    .sort((a, b) => b - a);
  if (majors[0] === undefined) return undefined;
  return { ...programsIn(join(DEBIAN, String(majors[0]), 'bin')), locale: 'C.UTF-8', isDurable: true };
}

/** Debian's in `npm run test:nodes`, where it is installed; else those of the npm package, which lose what a machine loses. */
export function programsOfRun(): PostgresPrograms {
  const debian = process.env['NIDAA_TEST_POSTGRES'] === 'debian' ? debianPrograms() : undefined;
  if (debian) return debian;
  const { nativeDir } = findPostgresBinaries();
  ensureLibraryLinks(nativeDir);
  return { ...programsIn(join(nativeDir, 'bin')), locale: 'C', isDurable: false };
}

const programsIn = (folder: string): { folder: string; initdb: string; postgres: string } => ({
  ...{ folder, initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') },
});
