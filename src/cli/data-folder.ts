import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../core/errors.ts';
import { hasDatabase } from '../store/embedded-postgres.ts';

const PROGRAM = fileURLToPath(new URL('../..', import.meta.url));
const NAME = 'data';
/** Folders looked into beside the working directory's own. */
const SIBLINGS_MAX = 200;

/** @throws OperatorError where no gateway has run on `dataDir`: it says where one has, and what to do. */
export function requireDatabase(dataDir: string, cwd = process.cwd()): void {
  if (hasDatabase(dataDir)) return;
  const nearest = nearestDataFolder(cwd);
  const mend = nearest
    ? `the nearest is at ${nearest}: NIDAA_DATA_DIR=${nearest}, or go to ${dirname(nearest)}`
    : '`npm start` starts one, and NIDAA_DATA_DIR names the data folder of one that is elsewhere';
  throw new OperatorError(`No gateway has run on ${shown(dataDir, cwd)}; ${mend}.`);
}

/** The data folder of a gateway above the working directory, below it, or of this program. */
export function nearestDataFolder(cwd: string, program = PROGRAM): string | undefined {
  const above: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    above.push(folder);
    if (folder === dirname(folder)) break;
  }
  const candidates = [...above, ...foldersIn(cwd), program].map((folder) => join(folder, NAME));
  return candidates.find((folder) => hasDatabase(folder));
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.slice(0, SIBLINGS_MAX).map(({ name }) => join(folder, name));
}

function shown(dataDir: string, cwd: string): string {
  const below = relative(cwd, dataDir);
  return below.startsWith('..') ? dataDir : `./${below}`;
}
