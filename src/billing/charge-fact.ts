import type pg from 'pg';
import { beginLocked, type WhatToLock } from '../store/booking-rows.ts';
import type { CallRows } from '../store/call-rows.ts';
import type { ChargeRows, NewCharge } from '../store/charge-rows.ts';
import { type Queryable, sentTogether } from '../store/database.ts';
import type { KeptTransfer } from '../store/schema.ts';
import type { SessionRows } from '../store/session-rows.ts';
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

/** Where facts go: the rows they change. `charges` runs on the same connection as `on`. */
export interface FactTarget {
  readonly on: Queryable;
  readonly charges: ChargeRows;
  readonly calls: CallRows;
  readonly sessions: SessionRows;
}

/** What `writeFacts` needs of the store. */
export interface FactStore extends Omit<FactTarget, 'on'> {
  readonly oneTrip: pg.Pool;
}

/** Whose accounts facts will change, so that a batch of them can lock those in one order before it begins. */
function accountsOf(facts: readonly ChargeFact[]): WhatToLock {
  const what = { accountIds: [] as string[], chargeIds: [] as string[], owners: [] as string[] };
  for (const fact of facts) {
    if ('accountId' in fact) what.accountIds.push(fact.accountId);
    else if ('charge' in fact) what.accountIds.push(fact.charge.accountId);
    else if ('callId' in fact) what.owners.push(fact.callId);
    else what.chargeIds.push('chargeId' in fact ? fact.chargeId : fact.sessionId);
  }
  return what;
}

/**
 * Brings one fact into the database. Applying it again changes nothing: that is what makes replay after a crash safe. Every statement is
 * sent before this returns, in order, and none waits for the answer to another: a batch of facts is one message.
 */
function applyFact(target: FactTarget, fact: ChargeFact): readonly Promise<unknown>[] {
  const { charges, calls, on } = target;
  switch (fact.type) {
    case 'answered':
      return [
        charges.settle(minuteChargeId(fact.callId, 0), fact.cents),
        calls.answered(on, fact.callId, new Date(fact.at), fact.recordedMs),
      ];
    case 'minute':
      return [charges.charge({ ...ofCall(fact, minuteChargeId(fact.callId, fact.minute)), kind: 'call-minute' }, true)];
    case 'turn': {
      const written = calls.turn(on, fact.callId, fact.turn);
      if (fact.cents === 0) return [written];
      const charge = { ...ofCall(fact, turnChargeId(fact.callId, fact.turn.index)), kind: 'call-turn' } as const;
      return [written, charges.charge(charge, true)];
    }
    case 'transfer':
      return [calls.transferred(on, fact.callId, fact.transfers)];
    case 'finish':
      return finishCall(target, fact);
    case 'settle':
      return [charges.settle(fact.chargeId, fact.cents)];
    case 'release':
      return [charges.release(fact.chargeId)];
    case 'void':
      return [charges.void(fact.charge)];
    case 'session-end':
      return endSession(target, fact);
  }
}

const ofCall = (
  { callId, accountId, cents }: { readonly callId: string; readonly accountId: string; readonly cents: number },
  id: string,
) => ({ id, accountId, cents, owner: callId });

function finishCall(
  { charges, calls, on }: FactTarget,
  fact: Extract<ChargeFact, { type: 'finish' }>,
): readonly Promise<unknown>[] {
  const { endedAt, end, ...summary } = fact.summary;
  return [
    ...(summary.answered ? [charges.settle(minuteChargeId(fact.callId, 0), fact.firstMinuteCents)] : []),
    charges.releaseOwnedBy(fact.callId),
    calls.finish(on, fact.callId, { ...summary, ...end, endedAt: new Date(endedAt) }),
  ];
}

function endSession(
  { charges, sessions, on }: FactTarget,
  { sessionId, cents, audioMs, reason }: Extract<ChargeFact, { type: 'session-end' }>,
): readonly Promise<unknown>[] {
  return [charges.endSession(sessionId, cents), sessions.end(on, sessionId, audioMs, reason)];
}

/** Brings facts into the database in one transaction, which is one message to it however many there are. */
export async function writeFacts(store: FactStore, facts: readonly ChargeFact[]): Promise<void> {
  const { oneTrip, charges, calls, sessions } = store;
  const client = await oneTrip.connect();
  try {
    const target = { on: client, charges: charges.within(client), calls, sessions };
    await sentTogether(client, beginLocked(accountsOf(facts)), () => facts.flatMap((fact) => applyFact(target, fact)));
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}
