import type { Clock } from '../core/clock.ts';
import type { OldCall, RetentionDays, RetentionRows } from '../store/retention-rows.ts';
import type { Store } from '../store/store.ts';

const ROWS_MAX = 200; // of one kind at a time
/** Half of the time between two rounds: another node may begin the next one, and other work of the database goes on. */
const ROUND_MS_MAX = 30_000;

export interface RetentionDeps {
  readonly store: {
    readonly calls: Pick<Store['calls'], 'erase'>;
    readonly recordings: Pick<Store['recordings'], 'forget'>;
    readonly retention: Pick<RetentionRows, 'oldCalls' | 'forgetTranscript' | 'forgetOrders' | 'forgetRefusals'>;
    readonly erasures: Pick<Store['erasures'], 'goOn'>;
  };
  readonly clock: Clock;
  /** Whoever does this is about to end. */
  readonly isClosing: () => boolean;
}

/** How much of each kind was worked on. */
export interface Forgotten {
  readonly calls: number;
  readonly orders: number;
  readonly refusals: number;
}

/**
 * What accounts do not want to keep any longer goes, each kind by its own time, and what an erasure has waited for. Recordings are marked as not wanted in the
 * transaction that changes their call, and wait for a node that can remove them. Amounts stay as they are. Safe to run twice, and to be left at any time.
 *
 * @param days - how long it is kept where an account says nothing.
 */
export async function forgetOld({ store, clock, isClosing }: RetentionDeps, days: RetentionDays): Promise<Forgotten> {
  await store.erasures.goOn();
  const begunMs = clock.nowMs();
  const isEnough = (): boolean => isClosing() || clock.nowMs() - begunMs >= ROUND_MS_MAX;
  const pieces = {
    calls: () => forgetCalls(store, days, isEnough),
    orders: () => store.retention.forgetOrders(days, ROWS_MAX),
    refusals: () => store.retention.forgetRefusals(days, ROWS_MAX),
  };
  const forgotten = { calls: 0, orders: 0, refusals: 0 };
  // A piece of each kind in turn: many calls keep no order waiting.
  const open = new Set(['calls', 'orders', 'refusals'] as const);
  while (open.size > 0 && !isEnough()) {
    for (const kind of open) {
      const done = await pieces[kind]();
      forgotten[kind] += done;
      if (done < ROWS_MAX) open.delete(kind);
    }
  }
  return forgotten;
}

async function forgetCalls(
  { calls, recordings, retention }: RetentionDeps['store'],
  days: RetentionDays,
  isEnough: () => boolean,
): Promise<number> {
  let done = 0;
  for (const call of await retention.oldCalls(days, ROWS_MAX)) {
    if (isEnough()) break;
    await forget(call);
    done += 1;
  }
  return done;

  async function forget({ id, accountId, whole, transcript, recording }: OldCall): Promise<void> {
    if (whole) await calls.erase(id, accountId);
    if (!whole && transcript) await retention.forgetTranscript(id);
    if (!whole && recording) await recordings.forget(id);
  }
}
