import type { Clock } from '../core/clock.ts';
import { databaseFault } from '../store/database.ts';
import type { OldCall, RetentionDays, RetentionRows } from '../store/retention-rows.ts';
import type { Store } from '../store/store.ts';

const ROWS_MAX = 200; // of one kind at a time
/** Half of the time between two rounds: another node may begin the next one, and other work of the database goes on. */
const ROUND_MS_MAX = 30_000;
/** Calls that are passed over in one round: with more, what is wrong is not in the calls. */
const FAILED_MAX = 100;

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
  /** Told what failed by itself; the round goes on without it, and the next one tries it again. */
  readonly passedOver: (what: PassedOver, error: unknown) => void;
}
export interface PassedOver {
  readonly kind: 'call' | 'erasure';
  readonly id: string;
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
export async function forgetOld(deps: RetentionDeps, days: RetentionDays): Promise<Forgotten> {
  const { store, clock, isClosing, passedOver } = deps;
  await store.erasures.goOn((id, error) => passedOver({ kind: 'erasure', id }, error));
  const begunMs = clock.nowMs();
  const isEnough = (): boolean => isClosing() || clock.nowMs() - begunMs >= ROUND_MS_MAX;
  const failed = new Set<string>();
  const wholeOf = async (count: Promise<number>): Promise<Piece> => ({ done: await count, seen: await count });
  const pieces = {
    calls: () => forgetCalls(deps, days, failed, isEnough),
    orders: () => wholeOf(store.retention.forgetOrders(days, ROWS_MAX)),
    refusals: () => wholeOf(store.retention.forgetRefusals(days, ROWS_MAX)),
  };
  const forgotten = { calls: 0, orders: 0, refusals: 0 };
  // A piece of each kind in turn: many calls keep no order waiting.
  const open = new Set(['calls', 'orders', 'refusals'] as const);
  while (open.size > 0 && !isEnough()) {
    for (const kind of open) {
      const { done, seen } = await pieces[kind]();
      forgotten[kind] += done;
      if (seen < ROWS_MAX) open.delete(kind);
    }
  }
  return forgotten;
}

interface Piece {
  readonly done: number;
  readonly seen: number; // fewer than were asked for: there is no more
}

/** @param failed - in this round, which have their turn again in the next; what is found to fail is added. */
async function forgetCalls(
  { store: { calls, recordings, retention }, passedOver }: RetentionDeps,
  days: RetentionDays,
  failed: Set<string>,
  isEnough: () => boolean,
): Promise<Piece> {
  const old = await retention.oldCalls(days, ROWS_MAX, [...failed]);
  let done = 0;
  for (const call of old) {
    if (isEnough()) break;
    try {
      await forget(call);
      done += 1;
    } catch (error) {
      if (databaseFault(error) === 'away' || failed.size >= FAILED_MAX) throw error;
      failed.add(call.id);
      passedOver({ kind: 'call', id: call.id }, error);
    }
  }
  return { done, seen: old.length };

  async function forget({ id, accountId, whole, transcript, recording }: OldCall): Promise<void> {
    if (whole) await calls.erase(id, accountId);
    if (!whole && transcript) await retention.forgetTranscript(id);
    if (!whole && recording) await recordings.forget(id);
  }
}
