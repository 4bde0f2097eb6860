import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { Baresip, speaksG722 } from '../support/baresip.ts';
import { type CallRecord, dialogueOf, recordOf, saidIn, texts } from '../support/call-record.ts';
import { microphone, spoken } from '../support/caller-voice.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

if (missingForCalls.length > 0)
  console.warn(`\n!!! NO REAL PHONE CALL IS TESTED: ${missingForCalls.join(', ')} not installed !!!\n`);

type CallTurn = CallRecord['turns'][number];
const secondTurnOfAgent = ({ turns }: CallRecord): CallTurn => turns.filter(({ role }) => role === 'agent')[1]!;
/** How the recogniser may spell it. */
const WHERE = expect.stringMatching(/^where(?: is|'s) my order$/);

let gateway: RunningGateway;

describe.skipIf(missingForCalls.length > 0)('a phone call by baresip', { concurrent: true }, () => {
  beforeAll(async () => {
    gateway = await sharedGateway(inject('gatewayDesk'));
  });

  it('hears the greeting, asks, says digits, is understood, hears the answers, and leaves a recording', async () => {
    const speech = [{ atS: 6, samples: spoken('where is my order') }];
    const { heard, call } = await callWith(gateway, '1000', speech, async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'order number');
      phone.say(spoken('four five two one'));
      await saidIn(gateway, phone.sipCallId, 'coffee machine');
    });
    expect(texts(call, 'caller')[0]).toEqual(WHERE);
    expect(texts(call, 'agent')[0]).toContain('Swift Delivery');
    expect(texts(call, 'agent')[1]).toContain('order number');
    expect(texts(call, 'agent').at(-1)).toContain('coffee machine');
    // Greeting from the start; silence while the caller speaks; the answer after it.
    expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
    const [, question, answer, digits] = dialogueOf(call) as [CallTurn, CallTurn, CallTurn, CallTurn];
    const silentToS = secondTurnOfAgent(call).started_ms / 1000 - 0.2;
    expect(heard.voicedSeconds(question.started_ms / 1000 + 0.3, silentToS)).toBeLessThan(0.2);
    expect(heard.voicedSeconds(answer.started_ms / 1000, digits.started_ms / 1000)).toBeGreaterThan(1);
    expect(answer.latency_ms).toBeGreaterThan(0);
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
    expect(call.quality!['mos']).toBeGreaterThan(4);
    expect(call.cost_cents).toBeGreaterThanOrEqual(3 + 2);
    // Stereo: caller left, agent right.
    const file = join(gateway.dataDir, call.recording!);
    expect(existsSync(file)).toBe(true);
    const [left, right] = [Heard.file(file, 0), Heard.file(file, 1)];
    expect(left.seconds).toBeGreaterThan(call.turns.at(-1)!.started_ms / 1000 + 1);
    expect(right.voicedSeconds(0, 4)).toBeGreaterThan(2);
    expect(left.voicedSeconds(0, 5)).toBeLessThan(0.2);
    expect(left.voicedSeconds(5, 9)).toBeGreaterThan(0.6);
  });

  it.skipIf(!speaksG722())('is held in G.722 by a phone that speaks nothing else', async () => {
    const speech = [{ atS: 6, samples: spoken('where is my order') }];
    const { heard, call } = await callWith(
      gateway,
      '1000',
      speech,
      (phone) => saidIn(gateway, phone.sipCallId, 'order number'),
      {
        codecs: 'G722/16000/1',
      },
    );
    expect(call.quality!['codec']).toBe('G722');
    expect(texts(call, 'caller')).toEqual([WHERE]);
    expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
    expect(heard.voicedSeconds(dialogueOf(call)[2]!.started_ms / 1000)).toBeGreaterThan(1);
    expect(call.quality!['mos']).toBeGreaterThan(4);
  });

  it('is interrupted by the caller: the agent falls silent, and only what was heard is kept', async () => {
    // The greeting takes about four seconds; the caller speaks into it.
    const { heard, call } = await callWith(
      gateway,
      '1000',
      [{ atS: 1.2, samples: spoken('what are your opening hours') }],
      (phone) => saidIn(gateway, phone.sipCallId, 'eight in the morning'),
    );
    const [greeting, question, answer] = dialogueOf(call);
    expect(greeting!.text).not.toContain('help you today');
    expect(question).toMatchObject({ role: 'caller', text: 'what are your opening hours' });
    expect(answer!.text).toContain('eight in the morning');
    // Silent from shortly after the interruption until it says something again, counted from the first sound of either.
    const shiftS = heard.stretches()[0]!.fromS - greeting!.started_ms / 1000;
    const silentFromS = shiftS + (greeting!.started_ms + greeting!.heard_ms) / 1000 + 0.4;
    const silentToS = shiftS + secondTurnOfAgent(call).started_ms / 1000 - 0.1;
    expect(heard.voicedSeconds(silentFromS, silentToS)).toBeLessThan(0.15);
    expect(heard.voicedSeconds(answer!.started_ms / 1000)).toBeGreaterThan(1.5);
  });

  it('is put on hold and resumed', async () => {
    const { heard, call } = await callWith(
      gateway,
      '1000',
      [{ atS: 11, samples: spoken('where is my order') }],
      async (phone) => {
        await sleep(5500);
        phone.command('hold');
        await sleep(3000);
        phone.command('resume');
        await saidIn(gateway, phone.sipCallId, 'order number');
      },
    );
    expect(texts(call, 'caller')).toEqual([WHERE]);
    expect(texts(call, 'agent').at(-1)).toContain('order number');
    expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
  });

  it('is ended by the agent after a goodbye, which is heard whole', async () => {
    const phone = await Baresip.start({ microphone: microphone(40, { atS: 6, samples: spoken('goodbye') }) });
    try {
      expect(await phone.call(gateway.sip)).toBeTypeOf('number');
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
