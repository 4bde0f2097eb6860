import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { GOODBYE_MAX_MS } from '../../src/call/conversation.ts';
import { delay } from '../../src/core/clock.ts';
import { MEDIA } from '../support/fake-leg.ts';
import { receptionRig, type Setup, settle } from '../support/reception-rig.ts';

type Rig = ReturnType<typeof receptionRig>;

const TARGET = 'sip:person@127.0.0.1:5070';
const UNSUPPORTED = { ok: false, status: 405, reason: 'Method Not Allowed', unsupported: true } as const;
const transferTo = (target: string): Setup => ({
  answer: ({ text }) => [
    { type: 'text', text: 'One moment.', language: 'en' },
    ...(text.includes('person') ? ([{ type: 'action', action: { type: 'transfer', target } }] as const) : []),
  ],
  settings: { noInputMs: 600_000 },
});

/** A caller who asked for a person, of a peer that does not take REFER. */
async function asked(options: Setup = {}, target = TARGET): Promise<Rig> {
  const s = receptionRig({ ...transferTo(target), transferTimeoutMs: 20_000, ...options });
  s.leg.transferOutcome = UNSUPPORTED;
  await s.reception.receive(s.leg);
  await s.silence(600);
  await s.say('a person please');
  await s.silence(1500);
  expect(s.leg.log).toEqual(['answer', `transfer ${target}`]);
  return s;
}

async function ringing(options: Setup = {}): Promise<Rig> {
  const s = await asked(options);
  expect(s.dialer.dialled).toHaveLength(1);
  return s;
}

async function bridged(options: Setup = {}): Promise<Rig> {
  const s = await ringing(options);
  s.dialer.last.answer();
  await settle();
  expect(state(s)).toBe('bridged');
  return s;
}

const state = (s: Rig): string => (s.registry.list()[0] as unknown as { state: string }).state;
const second = (s: Rig) => s.dialer.last.leg;
const ends = (s: Rig): (string | undefined)[] =>
  s.summaries.map(({ end }) => [end.party, end.reason, end.detail].filter(Boolean).join(' '));
const open = (s: Rig): number => s.ports.filter(({ closed }) => !closed).length;
const left = (s: Rig): number[] => [s.registry.size, s.gauge.calls, s.clock.pending, open(s)];
const NOTHING = [0, 0, 0, 0];
const apology = (s: Rig): boolean =>
  /nobody could take the call|the line is busy|nobody answered/.test(s.facts.at(-1)!);

describe('while the second leg rings', () => {
  it('it is dialled for the caller, and the agent is quiet', async () => {
    const s = await ringing();
    expect(s.dialer.last.options).toMatchObject({ uri: TARGET, from: '+966500000001', ringTimeoutMs: 20_000 });
    expect(s.media.opened[1]!.localAddress).toBe('127.0.0.9');
    const facts = [...s.facts];
    await s.say('hello is anybody there', 1500);
    await s.silence(3000);
    expect([s.facts, s.requests.length, state(s), open(s)]).toEqual([facts, 1, 'active', 2]);
  });

  it('and the caller hangs up: CANCEL', async () => {
    const s = await ringing();
    s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
    await settle();
    expect(s.dialer.last.cancelled).toBe(true);
    expect([ends(s), second(s).log, left(s)]).toEqual([['caller caller-hangup'], [], NOTHING]);
  });

  it('and the caller hangs up as it answers: BYE', async () => {
    const s = await ringing();
    s.dialer.last.answer();
    s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
    await settle();
    expect([ends(s), second(s).log, left(s)]).toEqual([['caller caller-hangup'], ['hangup caller-hangup'], NOTHING]);
  });

  it('and time is up: CANCEL, goodbye, and an answer is of no use any more', async () => {
    const s = await ringing({ maxCallMs: 10_000 });
    s.dialer.deaf = true;
    await s.silence(8000);
    expect(s.dialer.last.cancelled).toBe(true);
    s.dialer.last.answer();
    await s.run(GOODBYE_MAX_MS);
    expect(s.facts.at(-1)).toContain('end of the time');
    expect([ends(s), left(s)]).toEqual([['gateway max-duration'], NOTHING]);
    expect(second(s).log.length).toBeLessThanOrEqual(1);
  });

  it('and time is up before the REFER is refused: nobody is dialled', async () => {
    const s = receptionRig({ ...transferTo(TARGET), maxCallMs: 5000, transferTimeoutMs: 20_000 });
    let refuse = (): void => {};
    s.leg.transfer = () =>
      new Promise((resolve) => {
        refuse = () => resolve(UNSUPPORTED);
      });
    await s.reception.receive(s.leg);
    await s.silence(600);
    await s.say('a person please');
    await s.silence(3700);
    refuse();
    await s.run(GOODBYE_MAX_MS);
    expect([s.dialer.dialled, ends(s)]).toEqual([[], ['gateway max-duration']]);
  });

  it('and the caller holds us: they are joined all the same, and hold is the caller’s', async () => {
    const s = await ringing();
    s.leg.handlers!.onMedia({ ...MEDIA, direction: 'recvonly' });
    s.dialer.last.answer();
    await settle();
    expect(state(s)).toBe('bridgedHeld');
    s.leg.handlers!.onMedia(MEDIA);
    expect(state(s)).toBe('bridged');
  });
});

describe('who is put through by a second leg', () => {
  it('hears the person, and nothing of the agent stays', async () => {
    const s = await ringing();
    const ticking = s.clock.pending;
    s.dialer.last.answer();
    await settle();
    expect([s.ports[0]!.bridgedTo, s.ports[1]!.bridgedTo]).toEqual([s.ports[1], s.ports[0]]);
    expect(s.ports[1]!.configured).toEqual([MEDIA]);
    expect(s.vads.map(({ closed }) => closed)).toEqual([true]);
    expect(s.clock.pending).toBeLessThan(ticking); // the ticker of calls has nothing to do
    const facts = [...s.facts];
    await s.say('hello person', 2000);
    await s.silence(30_000);
    expect([s.facts, s.requests.length, s.port.writtenSamples]).toEqual([facts, 1, s.port.playedSamples]);
  });

  it('does not wait in silence for a caller who vanished to answer a BYE', async () => {
    const s = await bridged();
    s.leg.hangup = () => new Promise(() => {});
    s.media.opened[0]!.onEvent({ type: 'timeout' });
    await settle();
    expect(second(s).log).toEqual(['hangup media-timeout']);
  });

  it('goes on paying for its minutes', async () => {
    const s = await bridged();
    await s.run(130_000);
    expect(s.facts.filter((fact) => fact.startsWith('minute'))).toEqual(['minute 1', 'minute 2']);
  });

  const ENDS: Record<string, { setup?: Setup; act: (s: Rig) => unknown; end: string; byes: [string[], string[]] }> = {
    'the caller hangs up': {
      act: (s) => s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup')),
      end: 'caller transferred the caller hung up',
      byes: [['hangup caller-hangup'], ['hangup caller-hangup']],
    },
    'the person hangs up': {
      act: (s) => second(s).handlers!.onEnd(callEnd('caller', 'caller-hangup', 'Normal')),
      end: 'callee transferred the callee hung up',
      byes: [['hangup callee-hangup'], ['hangup callee-hangup']],
    },
    'the dialog of the person is lost': {
      act: (s) => second(s).handlers!.onEnd(callEnd('network', 'session-expired')),
      end: 'network session-expired after a transfer',
      byes: [['hangup session-expired'], ['hangup session-expired']],
    },
    'nothing is heard of the caller': {
      act: (s) => s.media.opened[0]!.onEvent({ type: 'timeout' }),
      end: 'network media-timeout after a transfer',
      byes: [['hangup media-timeout'], ['hangup media-timeout']],
    },
    'nothing is heard of the person': {
      act: (s) => s.media.opened[1]!.onEvent({ type: 'timeout' }),
      end: 'network media-timeout after a transfer',
      byes: [['hangup media-timeout'], ['hangup media-timeout']],
    },
    'the socket of the person fails': {
      act: (s) => s.media.opened[1]!.onEvent({ type: 'failed', reason: 'EPERM' }),
      end: 'gateway media-failed after a transfer: EPERM',
      byes: [['hangup media-failed'], ['hangup media-failed']],
    },
    'the credit is used up': {
      setup: { minuteCredit: () => 'insufficient-credit' },
      act: (s) => s.run(60_000),
      end: 'gateway credit-exhausted after a transfer',
      byes: [['hangup credit-exhausted'], ['hangup credit-exhausted']],
    },
    'the time allowed is used up': {
      setup: { maxCallMs: 20_000 },
      act: (s) => s.run(20_000),
      end: 'gateway max-duration after a transfer',
      byes: [['hangup max-duration'], ['hangup max-duration']],
    },
    'the gateway shuts down': {
      act: (s) => s.registry.list()[0]!.close(callEnd('gateway', 'shutdown')),
      end: 'gateway shutdown after a transfer',
      byes: [['hangup shutdown'], ['hangup shutdown']],
    },
  };
  it.each(Object.entries(ENDS))('is through when %s: both legs end, once', async (_name, { setup, act, end, byes }) => {
    const s = await bridged(setup);
    await s.run(2000);
    await act(s);
    await settle();
    expect([ends(s), s.leg.log.slice(2), second(s).log]).toEqual([[end], ...byes]);
    expect(s.ports.map(({ closed, bridgedTo }) => [closed, bridgedTo])).toEqual(Array(2).fill([true, undefined]));
    expect(left(s)).toEqual(NOTHING);
    const reason = end.split(' ')[1];
    expect((await s.metrics.callsEnded.get()).values.map(({ labels }) => labels.reason)).toEqual([reason]);
    expect(s.log.lines.find(({ msg }) => msg === 'call ended')).toMatchObject({ reason });
  });

  it('is with the agent again when the person had hung up before anybody listened', async () => {
    const s = await ringing();
    second(s).endedBefore = callEnd('caller', 'caller-hangup');
    s.dialer.last.answer();
    await s.silence(2500);
    expect([apology(s), state(s), open(s), ends(s)]).toEqual([true, 'active', 1, []]);
  });

  it('is not reached by the hold and the new address of the other side', async () => {
    const s = await bridged();
    const [first, other] = s.ports.map(({ configured }) => configured.length);
    second(s).handlers!.onMedia({ ...MEDIA, direction: 'recvonly' });
    expect([s.ports.map(({ configured }) => configured.length), state(s)]).toEqual([[first, other! + 1], 'bridged']);
    s.leg.handlers!.onMedia({ ...MEDIA, direction: 'inactive' });
    expect([s.ports.map(({ configured }) => configured.length), state(s)]).toEqual([
      [first! + 1, other! + 1],
      'bridgedHeld',
    ]);
    s.leg.handlers!.onMedia(MEDIA);
    expect([state(s), s.leg.log, second(s).log]).toEqual(['bridged', ['answer', `transfer ${TARGET}`], []]);
  });

  it('sends its keys to the person, and gets theirs; the record has none of them', async () => {
    const s = await bridged();
    s.leg.handlers!.onDtmf('1', 100);
    second(s).handlers!.onDtmf('2', 100);
    for (const { onEvent } of s.media.opened) onEvent({ type: 'dtmf', digit: '3', durationMs: 100 }); // the bridge's own
    expect(s.ports.map(({ keysSent }) => keysSent)).toEqual(['2', '1']);
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    expect(s.summaries[0]!.dtmf).toBe('');
  });
});

describe('a phone that tells a key in two ways', () => {
  it('is heard once on the other side, which the bridge has told already', async () => {
    const s = await bridged();
    const sides = [s.leg, second(s)];
    for (const [n, { onEvent }] of s.media.opened.entries()) {
      onEvent({ type: 'dtmf', digit: '5', durationMs: 100 });
      await s.run(40);
      sides[n]!.handlers!.onDtmf('5', 100);
    }
    await s.run(2000);
    for (const side of sides) side.handlers!.onDtmf('5', 100); // another press
    expect(s.ports.map(({ keysSent }) => keysSent)).toEqual(['5', '5']);
  });
});

describe('who is not put through', () => {
  const FAILURES: Record<string, (s: Rig) => unknown> = {
    'is busy': (s) => s.dialer.last.refuse(callEnd('network', 'busy', '486 Busy Here')),
    'does not answer': (s) => s.dialer.last.refuse(callEnd('network', 'no-answer')),
    'meets a fault of the signalling': (s) => s.dialer.last.fail(new Error('bug')),
    'loses its socket': (s) => s.media.opened[1]!.onEvent({ type: 'failed', reason: 'EPERM' }),
    'answers without media': (s) => {
      Object.assign(second(s), { media: undefined });
      s.dialer.last.answer();
    },
    'cannot be joined': (s) => {
      s.plane.bridge = () => undefined;
      s.dialer.last.answer();
    },
    'breaks the media plane': (s) => {
      s.plane.bridge = () => {
        throw new Error('thread gone');
      };
      s.dialer.last.answer();
    },
    'is dialled for ever': (s) => {
      s.dialer.deaf = true;
      return s.run(36_000);
    },
  };
  it.each(Object.entries(FAILURES))('is with the agent again when the person %s', async (_name, act) => {
    const s = await ringing();
    const answered = s.dialer.last.outcome.then(
      () => true,
      () => false,
    );
    await act(s);
    await s.silence(2500);
    expect([apology(s), state(s), open(s)]).toEqual([true, 'active', 1]);
    expect(s.dialer.last.cancelled).toBe(true);
    if (_name !== 'is dialled for ever') {
      const wasUp = await answered;
      expect(second(s).log).toHaveLength(wasUp ? 1 : 0);
    }
    await s.say('cancel my order');
    await s.silence(1500);
    expect(s.requests.map(({ text }) => text)).toEqual(['a person please', 'cancel my order']);
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    expect(ends(s)).toEqual(['gateway shutdown']);
  });

  it('may ask again, and is put through then', async () => {
    const s = await ringing();
    s.dialer.last.refuse(callEnd('network', 'busy'));
    await s.silence(2500);
    await s.say('a person please');
    await s.silence(1500);
    expect(s.dialer.dialled).toHaveLength(2);
    s.dialer.last.answer();
    await settle();
    expect([state(s), open(s)]).toEqual(['bridged', 2]);
  });

  it.each<[string, (s: Rig) => void]>([
    ['no port', (s) => Object.assign(s.plane, { open: async () => 'no-ports' })],
    ['no descriptors', (s) => Object.assign(s.deps.descriptors, { take: () => undefined })],
    ['a media plane that fails', (s) => Object.assign(s.plane, { open: () => Promise.reject(new Error('bug')) })],
  ])('is with the agent at once where there is %s', async (_name, breakIt) => {
    const s = receptionRig({ ...transferTo(TARGET), transferTimeoutMs: 20_000 });
    s.leg.transferOutcome = UNSUPPORTED;
    await s.reception.receive(s.leg);
    breakIt(s);
    await s.silence(600);
    await s.say('a person please');
    await s.silence(3500);
    expect([s.dialer.dialled, apology(s), open(s)]).toEqual([[], true, 1]);
  });

  it('and hangs up while a port is opened: it goes back, and nobody is dialled', async () => {
    const s = receptionRig({ ...transferTo(TARGET), transferTimeoutMs: 20_000 });
    s.leg.transferOutcome = UNSUPPORTED;
    await s.reception.receive(s.leg);
    const { open: opening } = s.plane;
    s.plane.open = async (options) => {
      const port = await opening(options);
      s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
      await settle();
      return port;
    };
    await s.silence(600);
    await s.say('a person please');
    await s.silence(1500);
    expect([s.dialer.dialled, ends(s), left(s)]).toEqual([[], ['caller caller-hangup'], NOTHING]);
  });

  it.each([
    { refusedAfterMs: 6000, ringsMs: 4000 },
    { refusedAfterMs: 9980, ringsMs: 20 },
    { refusedAfterMs: 10_000, ringsMs: undefined },
  ])(
    'rings only for what a REFER refused after $refusedAfterMs ms left of the time',
    async ({ refusedAfterMs, ringsMs }) => {
      const s = receptionRig({ ...transferTo(TARGET), transferTimeoutMs: 10_000 });
      s.leg.transfer = async () => {
        await delay(s.clock, refusedAfterMs);
        return UNSUPPORTED;
      };
      const rings: (number | undefined)[] = [];
      const dial = s.dialer.dial.bind(s.dialer);
      s.dialer.dial = (options) => {
        rings.push(options.ringTimeoutMs);
        return dial(options);
      };
      await s.reception.receive(s.leg);
      await s.silence(600);
      await s.say('a person please');
      await s.silence(13_000);
      expect(rings).toEqual(ringsMs === undefined ? [] : [ringsMs]);
      expect(apology(s)).toBe(ringsMs === undefined); // whoever dials gives up by itself
    },
  );

  it('rings for no longer when opening a port took a while', async () => {
    const s = receptionRig({ ...transferTo(TARGET), transferTimeoutMs: 10_000 });
    s.leg.transferOutcome = UNSUPPORTED;
    await s.reception.receive(s.leg);
    const { open: opening } = s.plane;
    s.plane.open = async (options) => {
      await delay(s.clock, 3000);
      return opening(options);
    };
    await s.silence(600);
    await s.say('a person please');
    await s.silence(5000);
    expect(s.dialer.last.options.ringTimeoutMs).toBe(7000);
  });

  it.each(['tel:+966112223344', '+966112223344', '2000', 'sips:person@127.0.0.1'])(
    'is not dialled at %s, for which there is no trunk',
    async (target) => {
      const s = await asked({}, target);
      await s.silence(2500);
      expect([s.dialer.dialled, apology(s)]).toEqual([[], true]);
    },
  );

  it('by a peer that takes REFER is not dialled by us, whatever the target says', async () => {
    const s = receptionRig(transferTo(TARGET));
    s.leg.transferOutcome = { ok: false, status: 486, reason: 'Busy Here' };
    await s.reception.receive(s.leg);
    await s.silence(600);
    await s.say('a person please');
    await s.silence(3500);
    expect([s.dialer.dialled, apology(s)]).toEqual([[], true]);
  });
});

const FAULTS: Record<string, () => unknown> = {
  throws: () => {
    throw new Error('step broke');
  },
  rejects: () => Promise.reject(new Error('step broke')),
  hangs: () => new Promise(() => {}),
};
const PARTS: Record<string, (s: Rig, fault: () => unknown) => void> = {
  'the BYE to the caller': (s, fault) => Object.assign(s.leg, { hangup: fault }),
  'the BYE to the person': (s, fault) => Object.assign(second(s), { hangup: fault }),
  'the port of the caller': (s, fault) => Object.assign(s.ports[0]!, { close: fault }),
  'the port of the person': (s, fault) => Object.assign(s.ports[1]!, { close: fault }),
};

describe('two joined legs', () => {
  const leftOf = (s: Rig): Record<string, unknown> => ({
    'the BYE to the caller': s.leg.log.slice(2),
    'the BYE to the person': second(s).log,
    'the port of the caller': s.ports[0]!.closed,
    'the port of the person': s.ports[1]!.closed,
    book: ends(s),
    registry: s.registry.size,
    timers: s.clock.pending,
  });
  const cases = Object.entries(PARTS).flatMap(([part, fail]) =>
    Object.entries(FAULTS).map(([fault, act]) => ({ part, fault, fail, act })),
  );
  it.each(cases)('end, and give everything else back, when $part $fault', async ({ part, fail, act }) => {
    const s = await bridged();
    fail(s, act);
    void s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    await s.run(100_000);
    const expected: Record<string, unknown> = {
      'the BYE to the caller': ['hangup shutdown'],
      'the BYE to the person': ['hangup shutdown'],
      'the port of the caller': true,
      'the port of the person': true,
      book: ['gateway shutdown after a transfer'],
      registry: 0,
      timers: 0,
    };
    const seen = leftOf(s);
    delete expected[part];
    delete seen[part];
    expect(seen).toEqual(expected);
  });

  it('end, and give everything else back, when their bridge cannot be taken down', async () => {
    const s = await ringing();
    s.plane.bridge = () => ({ close: FAULTS['throws'] as () => never });
    s.dialer.last.answer();
    await settle();
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    expect([s.leg.log.slice(2), second(s).log, left(s)]).toEqual([['hangup shutdown'], ['hangup shutdown'], NOTHING]);
  });

  it.each(['the new address', 'a key'] as const)('end alone when %s of the person meets a fault', async (what) => {
    const s = await bridged();
    const { onMedia, onDtmf } = second(s).handlers!;
    const fault = FAULTS['throws']! as () => never;
    Object.assign(s.ports[1]!, { configure: fault });
    Object.assign(s.ports[0]!, { sendDtmf: fault });
    expect(() => (what === 'a key' ? onDtmf('1', 100) : onMedia(MEDIA))).not.toThrow();
    await settle();
    expect([ends(s), left(s)]).toEqual([['gateway internal after a transfer: step broke'], NOTHING]);
  });
});
