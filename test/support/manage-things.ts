import { parseTrunk } from '../../src/config/trunks.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { newId } from '../../src/core/ids.ts';
import type { CallFinish, CallStart } from '../../src/store/call-rows.ts';
import type { Store } from '../../src/store/store.ts';
import type { ManageRig } from './manage-rig.ts';
import { beginCall, moneyOf } from './money.ts';

export const DEFINITION: AgentDefinition = {
  ...{ name: 'Corner Bakery', language: 'en-US', voice: 'emma', model: 'sada-1' },
  greeting: { en: 'Corner Bakery, {{name}}, how can I help you?' },
  variables: { name: 'friend' },
  knowledge: [{ question: { en: ['when are you open'] }, answer: { en: 'We are open from seven to nine.' } }],
};

export const TRUNK = { name: 'theirs', hosts: ['sip:sbc.example.net'], inbound: { sources: ['198.51.100.7'] } };

/** A call that is over, with words, keys, a charge and an order that it was made for. */
export async function callOf(
  store: Store,
  accountId: string,
  agentId: string,
  more: Partial<CallStart> = {},
): Promise<{ readonly call: string; readonly order: string }> {
  const id = newId('call');
  const start: CallStart = {
    ...{ id, sipCallId: `${id}@sip`, accountId, agentId, agentVersion: 1, agentName: 'Corner Bakery' },
    ...{ direction: 'outbound', from: '+966112345678', to: '+966501234567', startedAt: new Date() },
    ...more,
  };
  await store.charges.topup(newId('chg'), accountId, 100, 'topup', 'of a test');
  const charge = { id: `${id}/minute/0`, accountId, cents: 3, owner: id, kind: 'call-minute' } as const;
  await beginCall(store, start, charge);
  await moneyOf(store).settle(charge.id, 3);
  await store.calls.answered(store.pool, id, start.startedAt);
  const turn = { startedMs: 61_000, heardMs: 1_500 };
  await store.calls.turn(store.pool, id, { index: 0, role: 'agent', text: 'Hello <b>there</b> & --> you', ...turn });
  await store.calls.turn(store.pool, id, {
    index: 1,
    role: 'caller',
    text: 'متى تفتحون',
    startedMs: 63_250,
    heardMs: 900,
  });
  const steps = [
    { at: '2026-01-02T03:04:05.678Z', direction: 'in' as const, peer: 'udp/192.0.2.7:5060', line: 'INVITE', text: 'x' },
  ];
  await store.ladders.add([
    { callId: id, sipCallId: start.sipCallId, startedAt: start.startedAt, inbound: true, answered: true, steps },
  ]);
  const order = newId('ord');
  await store.dialOrders.insert({
    ...{ id: order, accountId, agentId, target: start.to, from: start.from, trunk: null, variables: { name: 'Noura' } },
    ...{
      maxRingSeconds: 30,
      onMachine: 'undetected',
      message: null,
      retrySeconds: {},
      timeZone: null,
      idempotencyKey: null,
    },
    ...{ requestSha256: Buffer.alloc(32), nextAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) },
  });
  await store.pool.query(
    `UPDATE dial_orders SET state = 'ended', end_reason = 'callee-hangup', call_id = $2 WHERE id = $1`,
    [order, id],
  );
  return { call: id, order };
}

/** Ends a call of `callOf`. */
export const endCall = (store: Store, id: string, recording?: string, more: Partial<CallFinish> = {}): Promise<void> =>
  store.calls.finish(store.pool, id, {
    ...{ endedAt: new Date(), talkMs: 65_000, party: 'callee', reason: 'callee-hangup', dtmf: '4521' },
    ...(recording !== undefined && { recording }),
    quality: { mos: 4.3, codec: 'PCMU' },
    ...more,
  });

/** One thing of every kind that the other account of the rig has, by the word that stands before `{id}` in paths. */
export const foreignThings = ({ store, otherAccountId }: ManageRig): Promise<ReadonlyMap<string, string>> =>
  thingsOf(store, otherAccountId);

/** One thing of every kind that an account can have, by the word that stands before `{id}` in paths. */
export async function thingsOf(store: Store, accountId: string, word = 'theirs'): Promise<ReadonlyMap<string, string>> {
  const { token } = await store.tokens.create(accountId, word);
  const { key } = await store.managementKeys.create(accountId, word, ['read']);
  const person = await store.people.create(accountId, `${word}@example.com`, 'viewer');
  const agent = await store.agents.create(accountId, DEFINITION);
  await store.numbers.assign('+966112345678', accountId, agent.id);
  const trunk = await store.trunks.put(accountId, parseTrunk(JSON.stringify(TRUNK), 'a test', {}).definition);
  const phone = await store.phones.create(accountId, { name: word, username: word, realm: 'nidaa' });
  const { call, order } = await callOf(store, accountId, agent.id);
  const made = { url: `https://example.com/${word}`, events: ['call.ended'], description: '', enabled: true } as const;
  const webhook = await store.webhooks.create(accountId, made);
  const [listed] = await store.doNotCall.put([{ number: '+966500000777' }], accountId);
  const erasure = await store.erasures.erase(`+96650000${word.length}999`, { countryCode: '966', accountId });
  return new Map([
    ['erasures', erasure.id],
    ['do-not-call', `dnc_${listed!.id}`],
    ['trunks', (trunk as { id: string }).id],
    ['phones', (phone as { phone: { id: string } }).phone.id],
    ['calls', call],
    ['orders', order],
    ['webhooks', (webhook as { webhook: { id: string } }).webhook.id],
    ['agents', agent.id],
    ['numbers', '+966112345678'],
    ['tokens', token.id],
    ['keys', key.id],
    ['people', (person as { id: string }).id],
    // Of the gateway, so that nobody has them: names that are not there.
    ['engines', 'tts-theirs'],
    ['queues', 'theirs'],
    ['nodes', 'gw_theirs00'],
  ]);
}
