import type { RetentionDays } from '../store/retention-rows.ts';
import type { Store } from '../store/store.ts';

const ROWS_MAX = 200; // of one kind and round; the rest next time

/** How much of each kind was worked on. */
export interface Forgotten {
  readonly calls: number;
  readonly orders: number;
  readonly refusals: number;
}

/**
 * What accounts do not want to keep any longer goes, each kind by its own time, and what an erasure has waited for. Recordings are marked as not wanted in the
 * transaction that changes their call, and wait for a node that can remove them. Amounts stay as they are. Safe to run twice.
 *
 * @param days - how long it is kept where an account says nothing.
 */
export async function forgetOld(
  { calls, recordings, retention, erasures }: Pick<Store, 'calls' | 'recordings' | 'retention' | 'erasures'>,
  days: RetentionDays,
): Promise<Forgotten> {
  await erasures.goOn();
  const old = await retention.oldCalls(days, ROWS_MAX);
  for (const { id, accountId, whole, transcript, recording } of old) {
    if (whole) await calls.erase(id, accountId);
    if (!whole && transcript) await retention.forgetTranscript(id);
    if (!whole && recording) await recordings.forget(id);
  }
  const orders = await retention.forgetOrders(days, ROWS_MAX);
  return { calls: old.length, orders, refusals: await retention.forgetRefusals(days, ROWS_MAX) };
}
