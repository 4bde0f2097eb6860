import { PHRASES } from '../../src/call/phrases.ts';
import { presentCall } from '../../src/store/call-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { type Place, withStore } from './gateway-store.ts';
import { until } from './until.ts';

export type CallRecord = ReturnType<typeof presentCall>;

/** Longer than a sentence that is said three times over takes. */
const CONVERSATION_MS = 60_000;

/** The whole record of a call of which there is the SIP Call-ID, as soon as it has ended. */
export const recordOf = (gateway: Place, sipCallId: string): Promise<CallRecord> =>
  ended(gateway, (store) => store.calls.get(sipCallId));

/** The same of the newest call: for a gateway that nobody else calls, or with the name of a caller whom no other test has. */
export const latestCall = (gateway: Place, from?: string): Promise<CallRecord> =>
  ended(gateway, async ({ calls }) => {
    const newest = (await calls.list({ limit: 50 })).find((call) => from === undefined || call.from === from);
    return newest && calls.get(newest.id);
  });

/** What an agent says who has not heard, or not understood. */
const ASKS_AGAIN = /say that again|did not get that|still there|cannot hear you/;

/**
 * Waits until an agent has said `words` in a call that goes on, to the end of its sentence or until it was interrupted.
 *
 * @param sayAgain - what a caller does each time that the agent asks for it again: on a machine that does much else it may.
 */
export const saidIn = (gateway: Place, sipCallId: string, words: string, sayAgain?: () => void): Promise<true> =>
  withStore(gateway, async ({ calls }) => {
    let turns: readonly { readonly role: string; readonly text: string }[] = [];
    let asked: number | undefined;
    const isSaid = async (): Promise<boolean> => {
      turns = (await calls.get(sipCallId))?.turns ?? [];
      const said = turns.filter(({ role }) => role === 'agent');
      const asks = said.filter(({ text }) => ASKS_AGAIN.test(text)).length;
      if (asks > (asked ?? asks)) sayAgain?.();
      asked = asks;
      return said.some(({ text }) => text.includes(words));
    };
    const soFar = (): string => turns.map(({ role, text }) => `${role}: ${text}`).join('\n');
    return until(isSaid, () => `the agent says ${words}, after:\n${soFar()}`, CONVERSATION_MS);
  });

/** The same in the newest call from somebody whom no other test has. */
export async function saidTo(gateway: Place, from: string, words: string): Promise<true> {
  const newest = await withStore(gateway, ({ calls }) =>
    until(async () => (await calls.list({ limit: 50 })).find((call) => call.from === from), `a call from ${from}`),
  );
  return saidIn(gateway, newest.id, words);
}

function ended(gateway: Place, find: (store: Store) => ReturnType<Store['calls']['get']>): Promise<CallRecord> {
  return withStore(gateway, (store) =>
    until(async () => {
      const found = await find(store);
      return found?.call.endedAt ? presentCall(found) : undefined;
    }, 'an ended call on record'),
  );
}

/** How many calls ended for which reason, of those with these names of callers or of all. */
export const callsEndedBy = (gateway: Place, from?: string): Promise<Record<string, number>> =>
  withStore(gateway, async ({ calls }) => {
    const reasons: Record<string, number> = {};
    for (const call of await calls.list({ limit: 1000 })) {
      if (from !== undefined && call.from !== from) continue;
      const reason = call.endReason ?? 'open';
      reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    return reasons;
  });

/** The credit of an account; without its id, of the first there was. */
export const balance = (gateway: Place, accountId?: string): Promise<number> =>
  withStore(gateway, async ({ accounts }) => {
    const all = await accounts.list();
    const account = accountId === undefined ? all[0] : all.find(({ id }) => id === accountId);
    if (!account) throw new Error('no such account');
    return account.balanceCents;
  });

/** How many minutes of an ended call were charged. */
export async function minutesCharged(gateway: Place, sipCallId: string): Promise<number> {
  const { id } = await recordOf(gateway, sipCallId);
  const { rows } = await withStore(gateway, ({ pool }) =>
    pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM charges WHERE owner = $1 AND kind = 'call-minute'`, [id]),
  );
  return rows[0]?.n ?? 0;
}

/** The turns without what the agent says on a busy machine while its answer is made: that is no part of the dialogue. */
export const dialogueOf = (call: CallRecord): CallRecord['turns'] =>
  call.turns.filter(({ text }) => text !== PHRASES.oneMoment.en);

export const texts = (call: CallRecord, role: string): string[] =>
  dialogueOf(call)
    .filter((turn) => turn.role === role)
    .map((turn) => turn.text);
