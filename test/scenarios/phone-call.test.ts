import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Baresip, speaksG722 } from '../support/baresip.ts';
import { type CallRecord, latestCall, texts } from '../support/call-record.ts';
import { hasCommand, microphone, spoken } from '../support/caller-voice.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';
import { Linphone } from '../support/linphone.ts';

const missing = ['baresip', 'espeak-ng', 'flite'].filter((name) => !hasCommand(name));
if (missing.length > 0) console.warn(`\n!!! NO REAL PHONE CALL IS TESTED: ${missing.join(', ')} not installed !!!\n`);

/** How the recogniser may spell it. */
const WHERE = expect.stringMatching(/^where(?: is|'s) my order$/);

let gateway: Gateway;

/** Calls, does something, ends the phone, and gives what it heard with the record of the call. */
async function callWith(
  number: string,
  speech: { atS: number; samples: Int16Array }[],
  during: (phone: Baresip) => Promise<void>,
  options: { readonly codecs?: string } = {},
): Promise<{ heard: Heard; call: CallRecord; setupMs: number }> {
  const phone = await Baresip.start({ ...options, microphone: microphone(60, ...speech) });
  try {
    const setupMs = await phone.call(`sip:${number}@127.0.0.1:${gateway.sipPort}`);
    if (typeof setupMs === 'string')
      throw new Error(`the call was not answered: ${setupMs}\n${phone.log}\n${gateway.log()}`);
    await during(phone);
    phone.hangup();
    await phone.closed(5000);
    const heard = await phone.finish();
    return { heard: heard!, call: await latestCall(gateway), setupMs };
  } finally {
    phone.dispose();
  }
}

describe.skipIf(missing.length > 0)('a phone call by baresip', () => {
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(async () => {
    await gateway?.dispose();
  });

  it('hears the greeting, asks, is understood and hears the answer', async () => {
    const { heard, call } = await callWith('1000', [{ atS: 6, samples: spoken('where is my order') }], () =>
      sleep(13_000),
    );
    expect(texts(call, 'caller')).toEqual([WHERE]);
    expect(texts(call, 'agent')[0]).toContain('Swift Delivery');
    expect(texts(call, 'agent')[1]).toContain('order number');
    // Greeting from the start; silence while the caller speaks; the answer after it.
    expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
    const question = call.turns.find((turn) => turn.role === 'caller')!;
    const answer = call.turns[2]!;
    expect(heard.voicedSeconds(question.started_ms / 1000 + 0.3, answer.started_ms / 1000 - 0.2)).toBeLessThan(0.2);
    expect(heard.voicedSeconds(answer.started_ms / 1000, 13)).toBeGreaterThan(1);
    expect(answer.latency_ms).toBeGreaterThan(0);
    expect(call.end).toMatchObject({ party: 'caller', reason: 'caller-hangup' });
    expect(call.quality!['mos']).toBeGreaterThan(4);
    expect(call.cost_cents).toBeGreaterThanOrEqual(3 + 2);
  });

  it.skipIf(!speaksG722())('is held in G.722 by a phone that speaks nothing else', async () => {
    const speech = [{ atS: 6, samples: spoken('where is my order') }];
    const { heard, call } = await callWith('1000', speech, () => sleep(13_000), { codecs: 'G722/16000/1' });
    expect(call.quality!['codec']).toBe('G722');
    expect(texts(call, 'caller')).toEqual([WHERE]);
    expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
    expect(heard.voicedSeconds(call.turns[2]!.started_ms / 1000, 13)).toBeGreaterThan(1);
    expect(call.quality!['mos']).toBeGreaterThan(4);
  });

  it('leaves a stereo recording: caller left, agent right', async () => {
    const { call } = await callWith('1000', [{ atS: 6, samples: spoken('cancel my order') }], () => sleep(10_000));
    const file = join(gateway.dataDir, call.recording!);
    expect(existsSync(file)).toBe(true);
    const [caller, agent] = [Heard.file(file, 0), Heard.file(file, 1)];
    expect(caller.seconds).toBeGreaterThan(9);
    expect(agent.voicedSeconds(0, 4)).toBeGreaterThan(2);
    expect(caller.voicedSeconds(0, 5)).toBeLessThan(0.2);
    expect(caller.voicedSeconds(5, 9)).toBeGreaterThan(0.6);
  });

  it('is interrupted by the caller: the agent falls silent, and only what was heard is kept', async () => {
    // The greeting takes about four seconds; the caller speaks into it.
    const { heard, call } = await callWith('1000', [{ atS: 1.2, samples: spoken('what are your opening hours') }], () =>
      sleep(9000),
    );
    const [greeting, question, answer] = call.turns;
    expect(greeting!.text).not.toContain('help you today');
    expect(question).toMatchObject({ role: 'caller', text: 'what are your opening hours' });
    expect(answer!.text).toContain('eight in the morning');
    // Silent from shortly after the interruption until the answer.
    const silentFromS = (greeting!.started_ms + greeting!.heard_ms) / 1000 + 0.4;
    expect(heard.voicedSeconds(silentFromS, answer!.started_ms / 1000 - 0.1)).toBeLessThan(0.15);
    expect(heard.voicedSeconds(answer!.started_ms / 1000, 9)).toBeGreaterThan(1.5);
  });

  it('collects keys', async () => {
    const { call } = await callWith('1000', [{ atS: 6, samples: spoken('track my order') }], async (phone) => {
      await sleep(10_000);
      await phone.press('4521');
      await sleep(6000);
    });
    expect(call.dtmf).toBe('4521');
    expect(texts(call, 'caller')).toEqual(['track my order', '4521']);
    expect(texts(call, 'agent').at(-1)).toContain('coffee machine');
  });

  it('understands digits that are spoken', async () => {
    const speech = [
      { atS: 6, samples: spoken('where is my order') },
      { atS: 11, samples: spoken('four five two one') },
    ];
    const { call } = await callWith('1000', speech, () => sleep(19_000));
    expect(texts(call, 'agent').at(-1)).toContain('coffee machine');
  });

  it('is put on hold and resumed', async () => {
    const { heard, call } = await callWith(
      '1000',
      [{ atS: 11, samples: spoken('where is my order') }],
      async (phone) => {
        await sleep(5500);
        phone.command('hold');
        await sleep(3000);
        phone.command('resume');
        await sleep(8000);
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
      const call = await latestCall(gateway);
      expect(call.end).toMatchObject({ party: 'agent', reason: 'agent-hangup' });
      const goodbye = call.turns.at(-1)!;
      expect(goodbye.text).toContain('Goodbye');
      expect(heard.voicedSeconds(goodbye.started_ms / 1000)).toBeGreaterThan(1.2);
    } finally {
      phone.dispose();
    }
  });

  it('talks Arabic with a keypad menu where no Arabic recogniser is configured', async () => {
    const { heard, call } = await callWith('2000', [], async (phone) => {
      await sleep(9000);
      await phone.press('1');
      await sleep(6000);
    });
    expect(texts(call, 'agent')[0]).toMatch(/اضغط/);
    expect(call.dtmf).toBe('1');
    expect(texts(call, 'agent').length).toBeGreaterThan(1);
    expect(heard.voicedSeconds(0, 8)).toBeGreaterThan(4);
  });

  it('works over TCP and with keys by INFO', async () => {
    const phone = await Baresip.start({ transport: 'tcp', infoDtmf: true });
    try {
      expect(await phone.call(gateway.sip)).toBeTypeOf('number');
      await sleep(1500);
      await phone.press('15');
      await sleep(1000);
      phone.hangup();
      await phone.finish();
      expect((await latestCall(gateway)).dtmf).toBe('15');
    } finally {
      phone.dispose();
    }
  });

  it('is refused where nobody has the number', async () => {
    const phone = await Baresip.start();
    try {
      expect(await phone.call(`sip:9999@127.0.0.1:${gateway.sipPort}`)).toContain('404');
    } finally {
      phone.dispose();
    }
  });
});

const noLinphone = !hasCommand('linphonec') || missing.includes('espeak-ng') || missing.includes('flite');
if (noLinphone) console.warn('\n!!! NO CALL BY LINPHONE IS TESTED: linphonec not installed !!!\n');

describe.skipIf(noLinphone)('a phone call by linphone', () => {
  it('hears the greeting and is understood', async () => {
    gateway = await startGateway();
    const phone = await Linphone.start(microphone(20, { atS: 6, samples: spoken('where is my order') }));
    try {
      expect(await phone.call(gateway.sip), phone.output).toBe(true);
      await sleep(12_000);
      await phone.press('45');
      await sleep(500);
      phone.hangup();
      expect(await phone.endedWithin(5000)).toBe(true);
      const heard = (await phone.finish())!;
      const call = await latestCall(gateway);
      expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
      expect(call.dtmf).toBe('45');
      expect(texts(call, 'caller')[0]).toEqual(WHERE);
      expect(texts(call, 'agent')[1]).toContain('order number');
    } finally {
      phone.dispose();
      await gateway.dispose();
    }
  });
});
