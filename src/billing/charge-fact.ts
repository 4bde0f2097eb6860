import type { WhatToLock } from '../store/booking-rows.ts';
import type { CallRows } from '../store/call-rows.ts';
import type { ChargeRows, NewCharge } from '../store/charge-rows.ts';
import type { Queryable } from '../store/database.ts';
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

/** Whose accounts facts will change, so that a batch of them can lock those in one order before it begins. */
export function accountsOf(facts: readonly ChargeFact[]): WhatToLock {
  const what = { accountIds: [] as string[], chargeIds: [] as string[], owners: [] as string[] };
  for (const fact of facts) {
    if ('accountId' in fact) what.accountIds.push(fact.accountId);
    else if ('charge' in fact) what.accountIds.push(fact.charge.accountId);
    else if ('callId' in fact) what.owners.push(fact.callId);
    else what.chargeIds.push('chargeId' in fact ? fact.chargeId : fact.sessionId);
  }
  return what;
}

/** Brings one fact into the database. Applying it again changes nothing: that is what makes replay after a crash safe. */
export async function applyFact(target: FactTarget, fact: ChargeFact): Promise<void> {
  const { charges, calls, on } = target;
  switch (fact.type) {
    case 'answered':
      await charges.settle(minuteChargeId(fact.callId, 0), fact.cents);
      return calls.answered(on, fact.callId, new Date(fact.at), fact.recordedMs);
    case 'minute':
      await charges.charge(
        {
          id: minuteChargeId(fact.callId, fact.minute),
          accountId: fact.accountId,
          cents: fact.cents,
          owner: fact.callId,
          kind: 'call-minute',
        },
        true,
      );
      return;
    case 'turn':
      await calls.turn(on, fact.callId, fact.turn);
      if (fact.cents > 0) {
        const id = turnChargeId(fact.callId, fact.turn.index);
        const charge = {
          id,
          accountId: fact.accountId,
          cents: fact.cents,
          owner: fact.callId,
          kind: 'call-turn',
        } as const;
        await charges.charge(charge, true);
      }
      return;
    case 'transfer':
      return calls.transferred(on, fact.callId, fact.transfers);
    case 'finish':
      return finishCall(target, fact);
    case 'settle':
      await charges.settle(fact.chargeId, fact.cents);
      return;
    case 'release':
      await charges.release(fact.chargeId);
      return;
    case 'void':
      await charges.void(fact.charge);
      return;
    case 'session-end':
      return endSession(target, fact);
  }
}

async function finishCall(target: FactTarget, fact: Extract<ChargeFact, { type: 'finish' }>): Promise<void> {
  const { charges, calls, on } = target;
  const { endedAt, end, ...summary } = fact.summary;
  if (summary.answered) await charges.settle(minuteChargeId(fact.callId, 0), fact.firstMinuteCents);
  await charges.releaseOwnedBy(fact.callId);
  const costCents = await charges.costOf(fact.callId);
  await calls.finish(on, fact.callId, { ...summary, ...end, endedAt: new Date(endedAt), costCents });
}

async function endSession(target: FactTarget, fact: Extract<ChargeFact, { type: 'session-end' }>): Promise<void> {
  const { charges, sessions, on } = target;
  const id = fact.sessionId;
  if (fact.cents > 0) {
    const { outcome, cents, shortfallCents } = await charges.settle(id, fact.cents);
    if (outcome === 'closed') await bookRest(target, id, fact.cents - cents - shortfallCents);
  } else if ((await charges.release(id)) === 'closed') await takeBack(target, id);
  await sessions.end(on, id, fact.audioMs, fact.reason, await charges.costOf(id));
}

/** Its gateway was taken for dead and the session booked by its last checkpoint: what came after that, once. */
async function bookRest({ charges, sessions, on }: FactTarget, sessionId: string, cents: number): Promise<void> {
  const session = cents > 0 ? await sessions.presumedEnded(on, sessionId) : undefined;
  if (!session) return;
  const { accountId, kind } = session;
  await charges.charge({ id: `${sessionId}/rest`, accountId, cents, owner: sessionId, kind }, true);
}

/** Likewise, and we owe it: it had failed. */
async function takeBack({ charges, sessions, on }: FactTarget, sessionId: string): Promise<void> {
  const session = await sessions.presumedEnded(on, sessionId);
  if (session) await charges.void({ id: sessionId, ...session, cents: 0, owner: sessionId });
}
