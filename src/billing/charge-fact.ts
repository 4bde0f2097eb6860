import type { NewCharge } from '../store/charge-rows.ts';
import type { Queryable } from '../store/database.ts';
import type { KeptTransfer } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { BookingRequest } from './booking.ts';
import type { Bookings } from './bookings.ts';
import type { CallSummary, TurnRecord } from './contract.ts';

/** What has happened and must reach the database once. Amounts are fixed here, so that a later price list changes nothing. */
export type ChargeFact =
  | {
      readonly type: 'answered';
      readonly callId: string;
      readonly at: string;
      readonly cents: number;
      readonly recordedMs?: number; // before the answer
    }
  | {
      readonly type: 'minute';
      readonly callId: string;
      readonly accountId: string;
      readonly minute: number;
      readonly cents: number;
    }
  | {
      readonly type: 'turn';
      readonly callId: string;
      readonly accountId: string;
      readonly turn: TurnRecord;
      readonly cents: number;
    }
  | { readonly type: 'transfer'; readonly callId: string; readonly transfers: readonly KeptTransfer[] }
  | {
      readonly type: 'finish';
      readonly callId: string;
      readonly summary: Omit<CallSummary, 'endedAt'> & { readonly endedAt: string };
      readonly firstMinuteCents: number;
    }
  | { readonly type: 'settle'; readonly chargeId: string; readonly cents: number }
  | { readonly type: 'release'; readonly chargeId: string }
  | { readonly type: 'void'; readonly charge: NewCharge }
  | {
      readonly type: 'session-end';
      readonly sessionId: string;
      readonly audioMs: number;
      readonly reason: string;
      readonly cents: number;
    };

export const minuteChargeId = (callId: string, minute: number): string => `${callId}/minute/${minute}`;
export const turnChargeId = (callId: string, index: number): string => `${callId}/turn/${index}`;

/** The money of a fact. Booking it again changes nothing: that is what makes replay after a crash safe. */
function requestsOf(fact: ChargeFact): readonly BookingRequest[] {
  switch (fact.type) {
    case 'answered':
      return [{ type: 'settle', id: minuteChargeId(fact.callId, 0), cents: fact.cents }];
    case 'minute':
      return [given(fact, minuteChargeId(fact.callId, fact.minute), 'call-minute')];
    case 'turn':
      return fact.cents === 0 ? [] : [given(fact, turnChargeId(fact.callId, fact.turn.index), 'call-turn')];
    case 'transfer':
      return [];
    case 'finish': {
      const { callId, summary, firstMinuteCents } = fact;
      const first = { type: 'settle', id: minuteChargeId(callId, 0), cents: firstMinuteCents } as const;
      return [...(summary.answered ? [first] : []), { type: 'release-owned', owner: callId }];
    }
    case 'settle':
      return [{ type: 'settle', id: fact.chargeId, cents: fact.cents }];
    case 'release':
      return [{ type: 'release', id: fact.chargeId }];
    case 'void':
      return [{ type: 'void', charge: fact.charge }];
    case 'session-end':
      return [{ type: 'end-session', id: fact.sessionId, cents: fact.cents }];
  }
}

const given = (
  { callId, accountId, cents }: { readonly callId: string; readonly accountId: string; readonly cents: number },
  id: string,
  kind: NewCharge['kind'],
): BookingRequest => ({ type: 'charge', charge: { id, accountId, cents, owner: callId, kind }, isGiven: true });

/** The records of a fact, after its money: the end of a call sums that up. Each is sent before this returns; again, it changes nothing. */
function recordOf(
  { calls, sessions }: Pick<Store, 'calls' | 'sessions'>,
  on: Queryable,
  fact: ChargeFact,
): Promise<unknown> | undefined {
  switch (fact.type) {
    case 'answered':
      return calls.answered(on, fact.callId, new Date(fact.at), fact.recordedMs);
    case 'minute':
      return calls.recount(on, fact.callId);
    case 'turn':
      return calls.turn(on, fact.callId, fact.turn);
    case 'transfer':
      return calls.transferred(on, fact.callId, fact.transfers);
    case 'finish': {
      const { endedAt, end, ...summary } = fact.summary;
      return calls.finish(on, fact.callId, { ...summary, ...end, endedAt: new Date(endedAt) });
    }
    case 'session-end':
      return sessions.end(on, fact.sessionId, fact.audioMs, fact.reason);
    default:
      return undefined;
  }
}

/** Brings facts into the database in one transaction, which is one message to it however many there are. */
export async function writeFacts(
  store: Pick<Store, 'oneTrip' | 'calls' | 'sessions'>,
  bookings: Bookings,
  facts: readonly ChargeFact[],
): Promise<void> {
  await bookings.on(store.oneTrip, facts.flatMap(requestsOf), (_, client) =>
    facts.flatMap((fact) => recordOf(store, client, fact) ?? []),
  );
}
