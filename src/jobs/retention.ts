import type { Store } from '../store/store.ts';

export interface RetentionDeps {
  readonly store: Pick<Store, 'calls'>;
  /** Deletes a recording with what was made of it; fine where it is gone. */
  readonly removeRecording: (recording: string) => Promise<void>;
}

const CALLS_MAX = 200; // of one round; the rest next time

/**
 * What accounts do not want to keep any longer goes: recordings, and everything personal of calls. The file goes first, so
 * that a death in between leaves a row that is looked at again. Safe to run twice.
 *
 * @returns how many calls it has worked on.
 */
export async function forgetOldCalls({ store, removeRecording }: RetentionDeps): Promise<number> {
  const old = await store.calls.beyondRetention(CALLS_MAX);
  for (const { id, accountId, recording, whole } of old) {
    if (recording !== null) await removeRecording(recording);
    if (whole) await store.calls.erase(id, accountId);
    else await store.calls.forgetRecording(id);
  }
  return old.length;
}
