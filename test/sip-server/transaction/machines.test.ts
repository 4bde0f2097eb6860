import { describe, expect, it } from 'vitest';
import {
  type MachineKind,
  nextStep,
  stateTimers,
  type TransactionEvent,
  type TransactionState,
} from '../../../src/sip-server/transaction/machines.ts';

const STATES: readonly TransactionState[] = [
  'calling',
  'trying',
  'proceeding',
  'completed',
  'accepted',
  'confirmed',
  'terminated',
];
const EVENTS: readonly TransactionEvent[] = [
  'provisional',
  'success',
  'failure',
  'request',
  'ack',
  'sendProvisional',
  'sendSuccess',
  'sendFailure',
  'transportError',
  ...([...'ABCDEFGHIJKLM'].map((name) => `timer${name}`) as TransactionEvent[]),
];

/** Written from RFC 3261 §17 and RFC 6026 §7: `state event -> next action...`. Whatever is not here must be ignored. */
const EXPECTED: Readonly<Record<MachineKind, string>> = {
  'invite-client': `
    calling timerA -> calling resend
    calling timerB -> terminated timeout
    calling provisional -> proceeding pass
    calling success -> accepted pass
    calling failure -> completed ack pass
    calling transportError -> terminated error
    proceeding provisional -> proceeding pass
    proceeding success -> accepted pass
    proceeding failure -> completed ack pass
    proceeding timerC -> terminated timeout
    completed failure -> completed ack
    completed timerD -> terminated
    completed transportError -> terminated
    accepted success -> accepted pass
    accepted timerM -> terminated`,
  client: `
    trying timerE -> trying resend
    trying timerF -> terminated timeout
    trying provisional -> proceeding pass
    trying success -> completed pass
    trying failure -> completed pass
    trying transportError -> terminated error
    proceeding timerE -> proceeding resend
    proceeding timerF -> terminated timeout
    proceeding provisional -> proceeding pass
    proceeding success -> completed pass
    proceeding failure -> completed pass
    proceeding transportError -> terminated error
    completed timerK -> terminated`,
  'invite-server': `
    proceeding request -> proceeding resend
    proceeding sendProvisional -> proceeding send
    proceeding sendSuccess -> accepted send
    proceeding sendFailure -> completed send
    proceeding transportError -> proceeding error
    completed request -> completed resend
    completed timerG -> completed resend
    completed timerH -> terminated timeout
    completed ack -> confirmed
    completed transportError -> completed error
    confirmed timerI -> terminated
    accepted request -> accepted
    accepted ack -> accepted pass
    accepted sendSuccess -> accepted send
    accepted timerL -> terminated
    accepted transportError -> accepted error`,
  server: `
    trying sendProvisional -> proceeding send
    trying sendSuccess -> completed send
    trying sendFailure -> completed send
    proceeding request -> proceeding resend
    proceeding sendProvisional -> proceeding send
    proceeding sendSuccess -> completed send
    proceeding sendFailure -> completed send
    proceeding transportError -> terminated error
    completed request -> completed resend
    completed timerJ -> terminated
    completed transportError -> terminated error`,
};

describe.each(Object.entries(EXPECTED) as [MachineKind, string][])('%s transaction', (kind, text) => {
  const rows = new Map(
    text
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' -> ') as [string, string]),
  );

  it.each(STATES.flatMap((state) => EVENTS.map((event) => ({ state, event }))))(
    '$state, $event',
    ({ state, event }) => {
      const step = nextStep(kind, state, event);
      const found = step ? [step.next, ...step.actions].join(' ') : undefined;
      expect(found).toBe(rows.get(`${state} ${event}`));
    },
  );

  it('every timer that runs has an effect, and every effect of a timer can come', () => {
    for (const state of STATES) {
      const running = stateTimers(kind, state).map((name) => `timer${name}`);
      const handled = EVENTS.filter((event) => event.startsWith('timer') && nextStep(kind, state, event));
      expect([...running].sort()).toEqual([...handled].sort());
    }
  });
});
