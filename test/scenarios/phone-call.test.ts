import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { Baresip, speaksG722 } from '../support/baresip.ts';
import { type CallRecord, dialogueOf, recordOf, saidIn, texts } from '../support/call-record.ts';
import { spoken } from '../support/caller-voice.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';
import { callWith, missingForCalls, sayUntil } from '../support/phone-call.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { numberOf, sharedGateway } from '../support/shared-gateway.ts';

if (missingForCalls.length > 0)
  console.warn(`\n!!! NO REAL PHONE CALL IS TESTED: ${missingForCalls.join(', ')} not installed !!!\n`);

type CallTurn = CallRecord['turns'][number];
const secondTurnOfAgent = ({ turns }: CallRecord): CallTurn => turns.filter(({ role }) => role === 'agent')[1]!;
/** How the recogniser may spell it. */
const WHERE = expect.stringMatching(/^where(?: is|'s) my order$/);

const GREETING_ENDS = 'help you today';
/** An agent that takes half a minute to greet. */
const READER: AgentDefinition = {
  ...{ name: 'Reader', language: 'en-US', voice: 'emma', model: 'sada-1', status: 'live' },
  greeting: {
    en: `Hello, this is Emma. ${'Please listen, for our menu has changed since you called us last. '.repeat(8)}How can I help you today?`,
  },
  knowledge: [
    {
      question: { en: ['what are your opening hours'] },
      answer: { en: 'From eight in the morning until ten at night.' },
    },
  ],
};

let gateway: RunningGateway;

describe.skipIf(missingForCalls.length > 0)('a phone call by baresip', { concurrent: true }, () => {
  beforeAll(async () => {
    gateway = await sharedGateway(inject('gatewayDesk'));
  });

  it('hears the greeting, asks, says digits, is understood, hears the answers, and leaves a recording', async () => {
    const { heard, call } = await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, GREETING_ENDS);
      await sayUntil(gateway, phone, spoken('where is my order'), 'order number');
      await sayUntil(gateway, phone, spoken('four five two one'), 'coffee machine');
    });
    expect(texts(call, 'caller')[0]).toEqual(WHERE);
    expect(texts(call, 'agent')[0]).toContain('Swift Delivery');
    expect(texts(call, 'agent').at(-1)).toContain('coffee machine');
    // Greeting from the start; silence while the caller speaks; the answer after it.
    expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
    const dialogue = dialogueOf(call);
    const question = dialogue.find(({ role }) => role === 'caller')!;
    const answer = dialogue.find(({ text }) => text.includes('order number'))!;
    const digits = dialogue.find(({ role, started_ms }) => role === 'caller' && started_ms > answer.started_ms)!;
    const next = call.turns.find(({ role, started_ms }) => role === 'agent' && started_ms > question.started_ms)!;
    expect(heard.voicedSeconds(question.started_ms / 1000 + 0.3, next.started_ms / 1000 - 0.2)).toBeLessThan(0.2);
    expect(heard.voicedSeconds(answer.started_ms / 1000, digits.started_ms / 1000)).toBeGreaterThan(1);
    // None where a busy machine said "One moment." before the answer.
    const latencies = dialogue.flatMap(({ latency_ms }) => latency_ms ?? []);
    expect(Math.min(...latencies)).toBeGreaterThan(0);
    expect(latencies.length).toBeGreaterThan(0);
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
    expect(call.quality!['mos']).toBeGreaterThan(4);
    expect(call.cost_cents).toBeGreaterThanOrEqual(3 + 2);
    // Stereo: caller left, agent right.
    const file = join(gateway.dataDir, call.recording!);
    expect(existsSync(file)).toBe(true);
    const [left, right] = [Heard.file(file, 0), Heard.file(file, 1)];
    expect(left.seconds).toBeGreaterThan(call.turns.at(-1)!.started_ms / 1000 + 1);
    expect(right.voicedSeconds(0, 4)).toBeGreaterThan(2);
    expect(left.voicedSeconds(0, 4)).toBeLessThan(0.2);
    expect(left.voicedSeconds(4, answer.started_ms / 1000)).toBeGreaterThan(0.6);
  });

  it.skipIf(!EVERY_TEST || !speaksG722())('is held in G.722 by a phone that speaks nothing else', async () => {
    const ask = async (phone: Baresip): Promise<void> => {
      await saidIn(gateway, phone.sipCallId, GREETING_ENDS);
      await sayUntil(gateway, phone, spoken('where is my order'), 'order number');
    };
    const { heard, call } = await callWith(gateway, '1000', [], ask, { codecs: 'G722/16000/1' });
    expect(call.quality!['codec']).toBe('G722');
    expect(texts(call, 'caller')).toEqual([WHERE]);
    expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
    const answer = dialogueOf(call).find(({ text }) => text.includes('order number'))!;
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(1);
    expect(call.quality!['mos']).toBeGreaterThan(4);
  });

  it('is interrupted by the caller: the agent falls silent, and only what was heard is kept', async () => {
    // The greeting takes longer than it takes to hear the caller on any machine; he speaks into its beginning.
    const number = await numberOf(gateway, READER);
    const question = spoken('what are your opening hours');
    const { heard, call } = await callWith(gateway, number, [{ atS: 1.2, samples: question }], (phone) =>
      saidIn(gateway, phone.sipCallId, 'eight in the morning', () => phone.say(question)),
    );
    const [greeting, ...rest] = dialogueOf(call) as [CallTurn, ...CallTurn[]];
    expect(greeting.text).not.toContain('help you today');
    expect(rest[0]).toMatchObject({ role: 'caller', text: 'what are your opening hours' });
    const answer = rest.find(({ text }) => text.includes('eight in the morning'))!;
    // Silent from shortly after the interruption until it says something again, counted from the first sound of either.
    const shiftS = heard.stretches()[0]!.fromS - greeting.started_ms / 1000;
    const silentFromS = shiftS + (greeting.started_ms + greeting.heard_ms) / 1000 + 0.4;
    const silentToS = shiftS + secondTurnOfAgent(call).started_ms / 1000 - 0.1;
    expect(heard.voicedSeconds(silentFromS, silentToS)).toBeLessThan(0.15);
    expect(heard.voicedSeconds(answer.started_ms / 1000)).toBeGreaterThan(1.5);
  });

  it('is put on hold and resumed', async () => {
    const { heard, call } = await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, GREETING_ENDS);
      phone.command('hold');
      await sleep(3000);
      phone.command('resume');
      await sleep(500);
      await sayUntil(gateway, phone, spoken('where is my order'), 'order number');
    });
    expect(texts(call, 'caller')).toEqual([WHERE]);
    expect(texts(call, 'agent').at(-1)).toContain('order number');
    expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
  });

  it.runIf(EVERY_TEST)('is ended by the agent after a goodbye, which is heard whole', async () => {
    const phone = await Baresip.start();
    try {
      expect(await phone.call(gateway.sip)).toBeTypeOf('number');
      await saidIn(gateway, phone.sipCallId, GREETING_ENDS);
      await sayUntil(gateway, phone, spoken('goodbye'), 'Goodbye');
      expect(await phone.closed(25_000)).toBeDefined();
      const heard = (await phone.finish())!;
      const call = await recordOf(gateway, phone.sipCallId);
      expect(call.end).toMatchObject({ party: 'agent', reason: 'agent-hangup' });
      const goodbye = call.turns.at(-1)!;
      expect(goodbye.text).toContain('Goodbye');
      expect(heard.voicedSeconds(goodbye.started_ms / 1000)).toBeGreaterThan(1.2);
    } finally {
      phone.dispose();
    }
  });
});
