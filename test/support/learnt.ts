import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What agents of test gateways learnt: a run starts a hundred gateways, and each would learn the same two for two seconds of processor. */
export const LEARNT_FOLDER = fileURLToPath(new URL('../../.cache/learnt', import.meta.url));
/** Of older builds, most of them. */
const FILES_MAX = 24;
/** What an agent of a test learns is a tenth of it. */
const BYTES_MIN = 100_000;

const learntIn = (dataDir: string): string => join(dataDir, 'cache', 'learnt');

/** Puts what is known into the data folder of a gateway that is about to start. */
export function bringLearnt(dataDir: string): void {
  if (!existsSync(LEARNT_FOLDER)) return;
  mkdirSync(learntIn(dataDir), { recursive: true });
  // A file that another process takes away meanwhile is learnt again.
  for (const name of learntFiles(LEARNT_FOLDER))
    attempt(() => cpSync(join(LEARNT_FOLDER, name), join(learntIn(dataDir), name)));
}

/** Remembers what took a gateway long to learn, for those after it: to be called when it has learnt, which is after its start. */
export function takeLearnt(dataDir: string): void {
  const learnt = learntIn(dataDir);
  attempt(() => {
    mkdirSync(LEARNT_FOLDER, { recursive: true });
    const known = new Set(readdirSync(LEARNT_FOLDER));
    if (known.size > FILES_MAX) for (const name of known) rmSync(join(LEARNT_FOLDER, name), { force: true });
    for (const name of learntFiles(learnt).filter((one) => !known.has(one))) {
      const from = join(learnt, name);
      if (statSync(from).size < BYTES_MIN) continue;
      const temporary = join(LEARNT_FOLDER, `${name}.${process.pid}.part`);
      cpSync(from, temporary);
      renameSync(temporary, join(LEARNT_FOLDER, name));
    }
  });
}

function learntFiles(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.learnt')) : [];
}

function attempt(copy: () => void): void {
  try {
    copy();
  } catch {
    // The gateway learns it itself.
  }
}
