import type { Store } from '../store/store.ts';

const CALLS_MAX = 200; // of one round; the rest next time

/**
 * What accounts do not want to keep any longer goes: recordings, and everything personal of calls. Their files are marked as
 * not wanted in the same transaction, and wait for a node that can remove them. Safe to run twice.
 *
 * @returns how many calls it has worked on.
 */
export async function forgetOldCalls({ calls, recordings }: Pick<Store, 'calls' | 'recordings'>): Promise<number> {
  const old = await recordings.beyondRetention(CALLS_MAX);
  for (const { id, accountId, whole } of old) {
    if (whole) await calls.erase(id, accountId);
    else await recordings.forget(id);
  }
  return old.length;
}
