import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { GOODBYE_MAX_MS } from '../../src/call/conversation.ts';
import { RtpSession } from '../../src/media/rtp/rtp-session.ts';
import { AGENT } from '../support/conversation-rig.ts';
import { MEDIA } from '../support/fake-leg.ts';
import { receptionRig, type Setup, settle } from '../support/reception-rig.ts';

type Rig = ReturnType<typeof receptionRig>;

/** "We have reached the end ... Goodbye." at 100 ms a word. */
const GOODBYE_MS = 1700;
const PATIENT = { noInputMs: 600_000 };

async function answered(options: Setup = {}): Promise<Rig> {
  const s = receptionRig({ settings: PATIENT, ...options });
  await s.reception.receive(s.leg);
  return s;
}

const ends = (s: Rig): string[] => s.summaries.map(({ end }) => `${end.party} ${end.reason}`);

const logged = (s: Rig, message: string): unknown[] =>
  s.log.lines.filter(({ msg }) => msg === message).map(({ error, reason }) => error ?? reason);

const DOINGS: Record<string, (s: Rig) => Promise<void>> = {
  nothing: (s) => s.silence(5000),
  'talks without a pause': (s) => s.say('no no no I am not done at all you cannot do this', 20_000),
  'presses keys': async (s) => {
    for (let i = 0; i < 100; i += 1) {
      s.leg.handlers!.onDtmf('1', 100);
      s.media.options!.onEvent({ type: 'dtmf', digit: '#', durationMs: 100 });
      await s.run(100);
    }
  },
  'holds the call': async (s) => {
    s.leg.handlers!.onMedia({ ...MEDIA, direction: 'inactive' });
    await s.run(5000);
    s.leg.handlers!.onMedia(MEDIA);
    await s.run(5000);
  },
};

describe.each<[string, Setup, string, number]>([
  [
    'the credit',
    { minuteCredit: (minute) => (minute < 2 ? 'ok' : 'insufficient-credit') },
    'credit-exhausted',
    120_000,
  ],
  ['the time allowed', { maxCallMs: 90_000 }, 'max-duration', 90_000],
  ['the agent’s time', { agent: withSeconds(30) }, 'max-duration', 30_000],
])('a call whose %s is used up', (_name, options, reason, atMs) => {
  it.each(Object.entries(DOINGS))('ends within its goodbye though the caller: %s', async (_doing, act) => {
    const s = await answered(options);
    await s.run(atMs - 20);
    expect(s.registry.size).toBe(1);
    await s.run(20);
    await act(s);
    await s.run(GOODBYE_MAX_MS);
    expect(ends(s)).toEqual([`gateway ${reason}`]);
    expect(s.summaries[0]!.talkMs).toBeGreaterThanOrEqual(atMs);
    expect(s.summaries[0]!.talkMs).toBeLessThanOrEqual(atMs + GOODBYE_MS + 100);
    expect(s.requests).toEqual([]);
    expect([s.registry.size, s.clock.pending]).toEqual([0, 0]);
  });

  it('ends all the same when no goodbye can be said', async () => {
    const s = await answered(options);
    s.port.write = () => 0; // a playout queue that nobody empties
    await s.run(atMs + GOODBYE_MAX_MS + 20);
    expect(ends(s)).toEqual([`gateway ${reason}`]);
  });

  it('ends at once when saying goodbye throws', async () => {
    const s = await answered(options);
    await s.run(atMs - 20);
    s.port.clear = () => {
      throw new Error('thread gone');
    };
    await s.say('one moment', 20);
    await s.run(GOODBYE_MAX_MS);
    expect(ends(s)).toEqual([`gateway ${reason}`]);
    expect(s.leg.log.at(-1)).toBe(`hangup ${reason}`);
  });
});

it('media’s part in the answer is whatever its owner makes of the port', async () => {
  const s = receptionRig();
  const made = new RtpSession({ address: '192.0.2.1', port: 4000 });
  const asked: unknown[] = [];
  s.deps.sessionOf = (port) => {
    asked.push(port);
    return made;
  };
  await s.reception.receive(s.leg);
  expect([asked, s.leg.session]).toEqual([[s.port], made]);
});

it('no minute is charged after the credit is used up', async () => {
  const s = await answered({ minuteCredit: () => 'insufficient-credit' });
  await s.run(300_000);
  expect(s.facts.filter((fact) => fact.startsWith('minute'))).toEqual(['minute 1']);
});

it('a minute that cannot be charged ends the call: it is not given away', async () => {
  const s = await answered();
  s.book.startMinute = () => Promise.reject(new Error('bug'));
  await s.run(61_000);
  expect(ends(s)).toEqual(['gateway internal']);
  expect(logged(s, 'a minute could not be charged')).toEqual(['bug']);
  expect(s.clock.pending).toBe(0);
});

it('a minute whose credit arrives after the end starts nothing', async () => {
  const s = await answered();
  let arrive = (_credit: 'ok'): void => {};
  let asked = 0;
  s.book.startMinute = () =>
    new Promise((resolve) => {
      asked += 1;
      arrive = resolve;
    });
  await s.run(60_000);
  s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
  await settle();
  arrive('ok');
  await s.run(120_000);
  expect([ends(s), asked, s.clock.pending]).toEqual([['caller caller-hangup'], 1, 0]);
});

describe('a transfer', () => {
  const toAPerson: Setup = {
    answer: () => [
      { type: 'text', text: 'One moment.', language: 'en' },
      { type: 'action', action: { type: 'transfer', target: '2000' } },
    ],
  };
  async function pending(options: Setup = {}): Promise<Rig> {
    const s = await answered({ ...toAPerson, ...options });
    s.leg.transferOutcome = undefined;
    await s.silence(600);
    await s.say('a person please');
    await s.silence(1500);
    expect(s.leg.log).toEqual(['answer', 'transfer 2000']);
    return s;
  }

  it('that succeeds ends the call', async () => {
    const s = await answered(toAPerson);
    await s.silence(600);
    await s.say('a person please');
    await s.silence(1500);
    expect(ends(s)).toEqual(['agent transferred']);
    expect(s.leg.log).toEqual(['answer', 'transfer 2000', 'hangup transferred']);
    expect(s.clock.pending).toBe(0);
    expect(logged(s, 'transfer')).toEqual(['OK']);
  });

  it('is called off when the caller hangs up, and its outcome means nothing', async () => {
    const s = await pending({ transferTimeoutMs: 60_000 });
    expect(s.leg.transferSignal!.aborted).toBe(false);
    s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
    await settle();
    expect(s.leg.transferSignal!.aborted).toBe(true);
    expect([ends(s), s.registry.size, s.clock.pending]).toEqual([['caller caller-hangup'], 0, 0]);
    await s.run(60_000);
    expect(s.facts.at(-1)).toBe('agent: One moment.');
  });

  it('is given up in time even if the signalling does not, and the agent is back', async () => {
    const s = await pending({ transferTimeoutMs: 5000 });
    await s.silence(3000);
    expect(s.leg.transferSignal!.aborted).toBe(false);
    await s.silence(4000);
    expect(s.leg.transferSignal!.aborted).toBe(true);
    expect(s.facts.at(-1)).toContain('nobody could take the call');
    expect(s.registry.size).toBe(1);
  });

  it('that fails at once leaves no timer behind', async () => {
    const s = await answered(toAPerson);
    s.leg.transferOutcome = { ok: false, status: 404, reason: 'Not Found' };
    await s.silence(600);
    const timers = s.clock.pending;
    await s.say('a person please');
    await s.silence(3500);
    expect(s.facts.at(-1)).toContain('nobody could take the call');
    expect(s.clock.pending).toBe(timers);
  });
});

describe('hold', () => {
  it('follows every offer, in the record’s state and in the conversation', async () => {
    const s = await answered();
    await s.silence(1000);
    const call = s.registry.list()[0] as unknown as { state: string };
    for (const direction of ['recvonly', 'inactive'] as const) {
      s.leg.handlers!.onMedia({ ...MEDIA, direction });
      expect([call.state, s.port.configured.at(-1)!.direction]).toEqual(['held', direction]);
      await s.say('music that plays and plays', 3000);
      s.leg.handlers!.onMedia({ ...MEDIA, direction: 'sendrecv' });
      expect(call.state).toBe('active');
    }
    expect(s.requests).toEqual([]);
    await s.silence(500);
    await s.say('where is my order');
    await s.silence(1500);
    expect(s.requests.map(({ text }) => text)).toEqual(['where is my order']);
  });

  it('a call that begins on hold is greeted when it is taken back', async () => {
    const s = receptionRig({ settings: PATIENT });
    s.leg.media = { ...MEDIA, direction: 'recvonly' };
    await s.reception.receive(s.leg);
    await s.run(5000);
    expect((s.registry.list()[0] as unknown as { state: string }).state).toBe('held');
    expect([s.facts, s.port.playedSamples]).toEqual([['answered'], 0]);
    s.leg.handlers!.onMedia(MEDIA);
    await s.run(1000);
    expect(s.facts).toEqual(['answered', 'agent: Hello.']);
  });

  it('is not undone by an answer that was given before it and is heard of after it', async () => {
    const s = receptionRig({ settings: PATIENT });
    const held = { ...MEDIA, direction: 'recvonly' } as const;
    s.leg.answer = async () => {
      queueMicrotask(() => {
        s.leg.media = held;
        s.leg.handlers!.onMedia(held);
      });
      return MEDIA;
    };
    await s.reception.receive(s.leg);
    await s.run(5000);
    expect((s.registry.list()[0] as unknown as { state: string }).state).toBe('held');
    expect([s.port.configured.at(-1)!.direction, s.port.playedSamples]).toEqual(['recvonly', 0]);
  });

  it('of a call that is over changes nothing', async () => {
    const s = await answered();
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    const { length } = s.port.configured;
    s.leg.handlers!.onMedia({ ...MEDIA, direction: 'recvonly' });
    expect(s.port.configured.length).toBe(length);
  });
});

describe('a call ends alone', () => {
  it.each<[string, (s: Rig) => void]>([
    ['hold', (s) => s.leg.handlers!.onMedia({ ...MEDIA, direction: 'recvonly' })],
    ['a key by INFO', (s) => s.leg.handlers!.onDtmf('1', 100)],
    ['a key by RTP', (s) => s.media.options!.onEvent({ type: 'dtmf', digit: '1', durationMs: 100 })],
  ])('when %s meets a fault of its conversation', async (_name, act) => {
    const s = await answered();
    await s.run(40); // in the greeting, which the key interrupts
    const fault = (): never => {
      throw new Error('poisoned');
    };
    s.port.configure = fault;
    s.port.clear = fault;
    expect(() => act(s)).not.toThrow();
    await s.run(100);
    expect(ends(s)).toEqual(['gateway internal']);
    expect(s.registry.size).toBe(0);
    expect(s.log.lines.map(({ error }) => error)).toContain('poisoned');
  });

  it.each<[string, string, Parameters<NonNullable<Rig['media']['options']>['onEvent']>[0]]>([
    ['nothing is heard of the caller any more', 'network media-timeout', { type: 'timeout' }],
    ['its socket fails', 'gateway media-failed', { type: 'failed', reason: 'EPERM' }],
  ])('when %s', async (_name, end, event) => {
    const s = await answered();
    s.media.options!.onEvent(event);
    await settle();
    expect(ends(s)).toEqual([end]);
  });
});

it('the digits of a call are kept for its record, a bounded number of them', async () => {
  const s = await answered();
  for (let i = 0; i < 300; i += 1) s.leg.handlers!.onDtmf(String(i % 10), 100);
  await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
  expect(s.summaries[0]!.dtmf.length).toBe(256);
  expect(s.summaries[0]!.dtmf.startsWith('0123456789')).toBe(true);
});

it('is put through by who looks on where the target may be called, and its line is free before that', async () => {
  const s = receptionRig({ settings: PATIENT });
  let released = 0;
  const release = (): void => {
    released += 1;
  };
  s.deps.router = {
    route: async ({ accountId, target }) =>
      target === '1900' && accountId === 'acc_test'
        ? { attempts: [{ uri: 'sip:1900@x', from: '' }], release }
        : callEnd('gateway', 'not-allowed', 'no prefix'),
  };
  await s.reception.receive(s.leg);
  await s.run(1_000);
  const [call] = s.registry.list();
  expect(await call!.sendTo!('+88216')).toEqual(callEnd('gateway', 'not-allowed', 'no prefix'));
  expect(call!.say!('One moment.')).toBe(true);
  expect([await call!.sendTo!('1900'), released]).toEqual(['begun', 1]);
  await call!.close(callEnd('gateway', 'shutdown'));
  expect([await call!.sendTo!('1900'), call!.say!('x')]).toEqual(['not-now', false]);
});

it('keeps how the media was over time, counted from the answer, and not in the line of the log', async () => {
  const s = await answered();
  const fromMs = s.clock.nowMs() + 40;
  const timeline = { fromMs, everyMs: 5_000, lossPercent: [0], jitterMs: [1], mos: [4.4] };
  const { port } = s;
  const close = port.close.bind(port);
  port.close = async () => ({ ...(await close()), timeline });
  await s.run(6_000);
  await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
  const [summary] = s.summaries;
  expect(summary!.qualityOverTime).toEqual({ ...timeline, fromMs: expect.any(Number) });
  expect(summary!.qualityOverTime!.fromMs).toBeGreaterThanOrEqual(40);
  expect(summary!.quality).not.toHaveProperty('timeline');
});

it('what the record keeps of a call: talk, quality, recording, in metrics too', async () => {
  const s = await answered();
  await s.run(5000);
  const [call] = s.registry.list();
  expect(call!.id).toMatch(/^call_/);
  expect(call!.startedAt).toEqual(new Date(s.clock.epochMs));
  expect([call!.sipCallId, call!.accountId, call!.agentId]).toEqual(['abc@phone', 'acc_test', 'agt_test']);
  await call!.close(callEnd('gateway', 'shutdown'));
  expect(s.summaries[0]).toMatchObject({ answered: true, talkMs: 5000, quality: { mos: 4.4, codec: 'PCMU' } });
  expect(s.summaries[0]!.recording).toMatch(/^call_.*\.wav$/);
  expect(s.summaries[0]!.endedAt).toEqual(s.clock.utc());
  const { values } = await s.metrics.callSeconds.get();
  expect(values.find(({ metricName }) => metricName === 'nidaa_call_seconds_sum')!.value).toBe(5);
  expect((call as unknown as { state: string }).state).toBe('ended');
});

it('a call that is not to be recorded is not, and its record says so', async () => {
  const s = await answered({ recorded: false });
  await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
  expect([s.port.recordedTo, s.summaries[0]!.recording]).toEqual([undefined, undefined]);
});

it('a call that nobody answered has no length', async () => {
  const s = receptionRig({ media: 'no-ports' });
  await s.reception.receive(s.leg);
  const { values } = await s.metrics.callSeconds.get();
  expect(values.find(({ metricName }) => metricName === 'nidaa_call_seconds_count')?.value ?? 0).toBe(0);
});

function withSeconds(maxCallSeconds: number): NonNullable<Setup['agent']> {
  return { ...AGENT, definition: { ...AGENT.definition, maxCallSeconds } };
}
