import type pg from 'pg';
import type { Logger } from '../core/logger.ts';
import type { CallRows } from '../store/call-rows.ts';
import type { GatewayRows, OpenCall, OpenSession } from '../store/gateways.ts';
import { nodeOf } from '../store/recordings.ts';
import type { SessionRows } from '../store/session-rows.ts';
import type { Bookings } from './bookings.ts';
import { liveCents, type Prices } from './prices.ts';

export interface RecoveryDeps {
  readonly pool: pg.Pool;
  readonly gateways: GatewayRows;
  readonly calls: CallRows;
  readonly sessions: SessionRows;
  readonly bookings: Bookings;
  readonly prices: Prices;
  /** The path of a recording below the data folder of this node, if there is one: the record of its call does not know yet. */
  readonly recordingOf?: (callId: string) => string | undefined;
  readonly logger: Logger;
  /** We end: what is not closed yet is somebody else's to close. */
  readonly isEnding?: () => boolean;
}

export interface Recovered {
  readonly calls: number;
  readonly sessions: number;
  readonly charges: number; // holds given back
}
/** Closed with one transaction: by themselves a thousand calls of a loaded node took more than a minute. */
const AT_ONCE = 50;
export const NOTHING_RECOVERED: Recovered = { calls: 0, sessions: 0, charges: 0 };

/**
 * Closes what dead gateways left open: calls end as `interrupted` at the moment their gateway was last seen, sessions are
 * booked by their last checkpoint, every other hold is given back. Minutes and turns of a call were booked when they
 * began, so nothing is added here: what a crash may cost us is the minute that was just beginning. A gateway that lives after all
 * corrects it with what it knows, as does the journal on its disk when it starts again. Safe to run twice, and by several
 * gateways at once.
 *
 * @param ours - those of earlier starts of this node as well.
 */
export async function recoverInterrupted(deps: RecoveryDeps, ours: boolean): Promise<Recovered> {
  const found = { ...NOTHING_RECOVERED };
  const { bookings, pool, isEnding = () => false } = deps;
  const inSets = async <T>(
    all: readonly T[],
    kind: keyof Recovered,
    close: (set: readonly T[]) => Promise<unknown>,
  ): Promise<void> => {
    for (let at = 0; at < all.length && !isEnding(); at += AT_ONCE) {
      const set = all.slice(at, at + AT_ONCE);
      await close(set);
      found[kind] += set.length;
    }
  };
  for (const gateway of await deps.gateways.fenced(ours)) {
    await inSets(await deps.gateways.openCalls(gateway), 'calls', (calls) => closeCalls(deps, gateway, calls));
    await inSets(await deps.gateways.openSessions(gateway), 'sessions', (sessions) => closeSessions(deps, sessions));
    await inSets(await deps.gateways.openCharges(gateway), 'charges', (ids) =>
      bookings.on(
        pool,
        ids.map((id) => ({ type: 'presume', id })),
      ),
    );
    if (isEnding()) break;
    await deps.gateways.freeKeys(gateway); // After its charges: who repeats a key must find them closed.
    await deps.gateways.recount(gateway);
    await deps.gateways.forget(gateway);
  }
  if (found.calls + found.sessions + found.charges > 0) {
    deps.logger.warn({ ...found }, 'closed what was interrupted by a crash');
  }
  return found;
}

async function closeCalls(deps: RecoveryDeps, gateway: string, open: readonly OpenCall[]): Promise<void> {
  const { bookings, calls, pool } = deps;
  await bookings.on(
    pool,
    open.map(({ id }) => ({ type: 'presume-owned', owner: id })),
    (_, on) => open.map((call) => calls.finish(on, call.id, endOf(deps, gateway, call))),
  );
}

function endOf(deps: RecoveryDeps, gateway: string, call: OpenCall) {
  const talkMs = call.answeredAt ? call.lastSeenAt.getTime() - call.answeredAt.getTime() : 0;
  // Whether there is a file is seen on its own node only; of another one's call that was answered there probably is.
  const isOurs = nodeOf(gateway) === nodeOf(deps.gateways.id);
  const named = isOurs || call.answeredAt === null ? undefined : (call.recording ?? undefined);
  const recording = deps.recordingOf?.(call.id) ?? named;
  return {
    ...(recording !== undefined && { recording }),
    endedAt: call.lastSeenAt,
    talkMs,
    party: 'gateway',
    reason: 'interrupted',
    dtmf: '',
    ...(call.answeredAt && { analysisState: 'unlooked' as const }),
  };
}

async function closeSessions(
  { bookings, pool, prices, sessions }: RecoveryDeps,
  open: readonly OpenSession[],
): Promise<void> {
  await bookings.on(
    pool,
    open.map(({ id, checkpointMs }) => {
      const cents = liveCents(prices, checkpointMs);
      return cents > 0 ? { type: 'settle', id, cents } : { type: 'presume', id };
    }),
    (_, on) => open.map(({ id, checkpointMs }) => sessions.end(on, id, checkpointMs, 'interrupted')),
  );
}
