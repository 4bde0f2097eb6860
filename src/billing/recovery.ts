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
}

export interface Recovered {
  readonly calls: number;
  readonly sessions: number;
  readonly charges: number; // holds given back
}
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
  for (const gateway of await deps.gateways.fenced(ours)) {
    for (const call of await deps.gateways.openCalls(gateway)) {
      await closeCall(deps, { ...call, gateway });
      found.calls += 1;
    }
    for (const session of await deps.gateways.openSessions(gateway)) {
      await closeSession(deps, session);
      found.sessions += 1;
    }
    for (const id of await deps.gateways.openCharges(gateway)) {
      await deps.bookings.on(deps.pool, [{ type: 'presume', id }]);
      found.charges += 1;
    }
    await deps.gateways.freeKeys(gateway); // After its charges: who repeats a key must find them closed.
    await deps.gateways.recount(gateway);
    await deps.gateways.forget(gateway);
  }
  if (found.calls + found.sessions + found.charges > 0) {
    deps.logger.warn({ ...found }, 'closed what was interrupted by a crash');
  }
  return found;
}

async function closeCall(deps: RecoveryDeps, call: OpenCall & { readonly gateway: string }): Promise<void> {
  const talkMs = call.answeredAt ? call.lastSeenAt.getTime() - call.answeredAt.getTime() : 0;
  // Whether there is a file is seen on its own node only; of another one's call that was answered there probably is.
  const isOurs = nodeOf(call.gateway) === nodeOf(deps.gateways.id);
  const named = isOurs || call.answeredAt === null ? undefined : (call.recording ?? undefined);
  const recording = deps.recordingOf?.(call.id) ?? named;
  const end = {
    ...(recording !== undefined && { recording }),
    endedAt: call.lastSeenAt,
    talkMs,
    party: 'gateway',
    reason: 'interrupted',
    dtmf: '',
    ...(call.answeredAt && { analysisState: 'unlooked' as const }),
  };
  const { bookings, calls, pool } = deps;
  await bookings.on(pool, [{ type: 'presume-owned', owner: call.id }], (_, on) => [calls.finish(on, call.id, end)]);
}

async function closeSession({ bookings, pool, prices, sessions }: RecoveryDeps, session: OpenSession): Promise<void> {
  const { id, checkpointMs } = session;
  const cents = liveCents(prices, checkpointMs);
  const booked = cents > 0 ? ({ type: 'settle', id, cents } as const) : ({ type: 'presume', id } as const);
  await bookings.on(pool, [booked], (_, on) => [sessions.end(on, id, checkpointMs, 'interrupted')]);
}
