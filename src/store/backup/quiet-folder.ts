import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../../core/errors.ts';
import { releaseLock, takeLock } from '../postmaster-pid.ts';

/** The lock that a gateway holds on its data folder, whatever its database is. */
function lockOf(dataFolder: string): string {
  const folder = join(dataFolder, 'journal');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, 'gateway.lock');
}

/** Runs `work` while no gateway runs on a data folder, nor starts. @throws OperatorError where one does. */
export async function whileNobodyRuns<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  const lock = lockOf(dataFolder);
  const holder = takeLock(lock);
  if (holder !== undefined) {
    throw new OperatorError(
      `The gateway runs on ${dataFolder} (process ${holder}). Stop it first. Nothing was changed.`,
    );
  }
  try {
    return await work();
  } finally {
    releaseLock(lock);
  }
}

/** Runs `work` with the word whether no gateway runs, nor will until it is done. */
export async function whetherAtRest<T>(dataFolder: string, work: (atRest: boolean) => Promise<T>): Promise<T> {
  const lock = lockOf(dataFolder);
  const atRest = takeLock(lock) === undefined;
  try {
    return await work(atRest);
  } finally {
    if (atRest) releaseLock(lock);
  }
}
