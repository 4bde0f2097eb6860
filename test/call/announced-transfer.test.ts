import { describe, expect, it } from 'vitest';
import { ACCEPT_MS_MAX } from '../../src/call/briefing.ts';
import { callEnd } from '../../src/call/call-end.ts';
import { GOODBYE_MAX_MS } from '../../src/call/conversation.ts';
import type { TransferRules } from '../../src/core/agent.ts';
import { AGENT } from '../support/conversation-rig.ts';
import { MEDIA } from '../support/fake-leg.ts';
import { MUSIC, receptionRig, type Setup, settle } from '../support/reception-rig.ts';

type Rig = ReturnType<typeof receptionRig>;

const [FIRST, SECOND] = ['sip:first@127.0.0.1:5070', 'sip:second@127.0.0.1:5070'];
const BUSY = callEnd('network', 'busy', '486 Busy Here');

/** A caller who asked for a person, of an agent with these rules. */
async function asked(transfer: TransferRules, options: Setup = {}): Promise<Rig> {
  const target = transfer.targets?.[0] ?? FIRST;
  const s = receptionRig({
    agent: { ...AGENT, definition: { ...AGENT.definition, transfer } },
    answer: ({ text }) => [
      { type: 'text', text: 'One moment.', language: 'en' },
      ...(text.includes('person') ? ([{ type: 'action', action: { type: 'transfer', target } }] as const) : []),
    ],
    settings: { noInputMs: 600_000 },
    transferTimeoutMs: 20_000,
    ...options,
  });
  await s.reception.receive(s.leg);
  await s.silence(600);
  await s.say('a person please');
  await s.silence(1500);
  return s;
}
const announced = (rules: TransferRules = {}, options: Setup = {}): Promise<Rig> =>
  asked({ mode: 'announced', targets: [FIRST], ...rules }, options);

/** The person has answered, and is being told. */
async function telling(rules: TransferRules = {}, options: Setup = {}): Promise<Rig> {
  const s = await announced(rules, options);
  s.dialer.last.answer();
  await s.run(40);
  return s;
}
/** Key 1 was pressed. */
async function together(rules: TransferRules = {}): Promise<Rig> {
  const s = await telling({ accept: 'key', ...rules });
  press(s, '1');
  await s.run(40);
  expect(state(s)).toBe('bridged');
  return s;
}

const state = (s: Rig): string => (s.registry.list()[0] as unknown as { state: string }).state;
const second = (s: Rig) => s.dialer.last.leg;
const personPort = (s: Rig) => s.ports.at(-1)!;
const press = (s: Rig, key: string): void =>
  s.media.opened.at(-1)!.onEvent({ type: 'dtmf', digit: key, durationMs: 90 });
const open = (s: Rig): number => s.ports.filter(({ closed }) => !closed).length;
const hangUp = async (s: Rig): Promise<void> => {
  s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
  await s.run(40);
};
const personLeaves = (s: Rig): void => second(s).handlers!.onEnd(callEnd('caller', 'caller-hangup'));
const outcomes = (s: Rig): unknown[] =>
  (s.summaries[0]?.transfers ?? []).map(({ target, by, outcome }) =>
    [target.slice(4, target.indexOf('@')), by, outcome].join(' '),
  );

describe('an announced transfer', () => {
  it('calls the person at once, and never asks the caller’s phone to', async () => {
    const s = await announced();
    expect([s.leg.log, s.dialer.last.options.uri, s.ports[0]!.music]).toEqual([['answer'], FIRST, MUSIC]);
  });

  it('tells the person alone, then joins the two', async () => {
    const s = await telling();
    const written = s.port.writtenSamples;
    await s.silence(200);
    expect(personPort(s).writtenSamples).toBeGreaterThan(0);
    expect([s.port.writtenSamples, s.ports[0]!.bridgedTo, s.ports[0]!.music]).toEqual([written, undefined, MUSIC]);
    await s.silence(2000);
    expect([state(s), s.ports[0]!.bridgedTo, s.ports[0]!.music]).toEqual(['bridged', personPort(s), undefined]);
    expect(s.facts.at(-1)).toBe('agent: A caller for you.');
    expect(s.through).toEqual(['joined']); // while the call goes on
    await hangUp(s);
    expect([outcomes(s), open(s)]).toEqual([['first bridge joined'], 0]);
    expect(s.summaries[0]!.end).toMatchObject({ party: 'caller', reason: 'transferred' });
  });

  it('waits for key 1 where it has to, in whatever sentence it comes', async () => {
    const s = await telling({ accept: 'key' });
    await s.silence(5000);
    expect([state(s), s.facts.at(-1)]).toEqual(['active', 'agent: One moment.']);
    press(s, '5'); // says nothing
    await settle();
    expect(state(s)).toBe('active');
    second(s).handlers!.onDtmf('1', 100); // by INFO
    await s.run(40);
    expect([state(s), s.ports[0]!.keysSent, s.facts.at(-1)]).toEqual([
      'bridged',
      '', // it was for us
      'agent: A caller for you. Press one to take the call, or two to decline.',
    ]);
  });

  describe.each(['event', 'info'] as const)('a caller who waits, and presses the star by %s', (means) => {
    const star = async (s: Rig): Promise<void> => {
      if (means === 'info') s.leg.handlers!.onDtmf('*', 100);
      else s.media.opened[0]!.onEvent({ type: 'dtmf', digit: '*', durationMs: 90 });
      await s.run(40);
    };
    const backWith = async (s: Rig): Promise<void> => {
      await s.silence(2000);
      expect([s.facts.at(-1), s.ports[0]!.music]).toEqual([
        'agent: You are back with me. Can I help with something else?',
        undefined,
      ]);
      expect([s.dialer.dialled.length, open(s)]).toEqual([1, 1]); // nobody else is tried
      await s.say('hello again');
      await s.silence(1500);
      expect(s.requests.at(-1)?.text).toBe('hello again');
      await hangUp(s);
      expect([outcomes(s), s.summaries[0]!.dtmf]).toEqual([['first bridge came-back'], '*']);
    };

    it('is back with the agent while it rings: the phone of the person stops', async () => {
      const s = await announced({ targets: [FIRST, SECOND] });
      await star(s);
      expect(s.dialer.last.options.signal?.aborted).toBe(true);
      await backWith(s);
    });

    it('is back with the agent while the person is told, who is hung up', async () => {
      const s = await telling({ accept: 'key', targets: [FIRST, SECOND] });
      await star(s);
      expect(second(s).log).toEqual(['hangup cancelled']);
      await backWith(s);
    });

    it('is too late when both talk: the star is for the person', async () => {
      const s = await together();
      await star(s);
      expect([state(s), s.ports[1]!.keysSent]).toEqual(['bridged', means === 'info' ? '*' : '']);
    });
  });

  it('tells a caller who waits for long how to come back, once, and one who waits for nobody nothing', async () => {
    const s = await announced();
    await s.silence(25_000);
    const told = () => s.facts.filter((fact) => fact === 'agent: I am still trying. To come back to me, press star.');
    expect(told().length).toBe(1);
    const soon = await together();
    await soon.silence(15_000);
    expect(soon.facts.join()).not.toContain('press star');
  });

  it('cuts what is being said when the key comes', async () => {
    const s = await telling({ accept: 'key' });
    await s.run(400);
    press(s, '1');
    await s.run(40);
    expect(state(s)).toBe('bridged');
    expect(personPort(s).writtenSamples).toBe(personPort(s).playedSamples);
    expect(s.facts.at(-1)).toMatch(/^agent: A caller for/);
  });

  it.each<[string, string, string]>([
    ['yes please', 'bridged', 'joined'],
    ['نعم', 'bridged', 'joined'],
    ['no sorry', 'active', 'declined'],
    ['لا', 'active', 'declined'],
    ['yes I am in a meeting but you may tell me what it is about', 'active', 'cancelled'],
    ['who is calling', 'active', 'cancelled'],
  ])('hears %j of the person: %s', async (words, then, outcome) => {
    const s = await telling({ accept: 'speech' });
    await s.personSays('yes hello'); // as one does who answers, while the agent speaks
    expect(state(s)).toBe('active');
    await s.silence(2500);
    expect(s.vads).toHaveLength(2);
    await s.personSays(words);
    expect(state(s)).toBe(then);
    if (outcome !== 'cancelled') expect(s.vads[1]!.closed).toBe(true);
    await hangUp(s);
    expect([outcomes(s), s.vads.every(({ closed }) => closed)]).toEqual([[`first bridge ${outcome}`], true]);
  });

  it('takes key 1 where a yes would do as well', async () => {
    const s = await telling({ accept: 'speech' });
    press(s, '1');
    await s.run(40);
    expect(state(s)).toBe('bridged');
  });

  it('joins them although the person cannot be told', async () => {
    const s = await telling({}, {});
    s.media.opened.at(-1)!.onEvent({ type: 'latched', address: '127.0.0.1', port: 9 });
    await s.run(60_000);
    expect(state(s)).toBe('bridged');
  });

  it('plays music to the caller whatever the phone of the person does meanwhile', async () => {
    const s = await telling({ accept: 'key' });
    for (const direction of ['sendrecv', 'recvonly', 'sendrecv'] as const) {
      second(s).handlers!.onMedia({ ...MEDIA, direction });
      expect(s.ports[0]!.music, direction).toBe(MUSIC);
    }
  });

  it('plays the music that is named, or none', async () => {
    expect((await announced({ music: 'none' })).ports[0]!.music).toBeUndefined();
  });
});

describe('a person who does not take the call', () => {
  const WAYS: Record<string, { rules?: TransferRules; act: (s: Rig) => unknown; says: RegExp; outcome: string }> = {
    'is busy': { act: (s) => s.dialer.last.refuse(BUSY), says: /the line is busy/, outcome: 'busy' },
    'does not answer': {
      act: (s) => s.dialer.last.refuse(callEnd('network', 'no-answer')),
      says: /nobody answered/,
      outcome: 'no-answer',
    },
    'declines on the phone': {
      act: (s) => s.dialer.last.refuse(callEnd('network', 'not-allowed', '603 Decline')),
      says: /nobody could take/,
      outcome: 'declined',
    },
    'is unknown': {
      act: (s) => s.dialer.last.refuse(callEnd('network', 'no-such-number', '404 Not Found')),
      says: /nobody could take/,
      outcome: 'unreachable',
    },
    'declines by key': {
      rules: { accept: 'key' },
      act: async (s) => {
        s.dialer.last.answer();
        await s.run(400);
        press(s, '2');
      },
      says: /nobody could take/,
      outcome: 'declined',
    },
    'presses no key': {
      rules: { accept: 'key' },
      act: async (s) => {
        s.dialer.last.answer();
        await s.silence(9000 + ACCEPT_MS_MAX);
      },
      says: /nobody answered/,
      outcome: 'not-accepted',
    },
    'hangs up while being told': {
      act: async (s) => {
        s.dialer.last.answer();
        await s.run(200);
        personLeaves(s);
      },
      says: /nobody could take/,
      outcome: 'hung-up',
    },
    'loses the line while being told': {
      act: async (s) => {
        s.dialer.last.answer();
        await s.run(200);
        s.media.opened.at(-1)!.onEvent({ type: 'failed', reason: 'EPERM' });
      },
      says: /nobody could take/,
      outcome: 'failed',
    },
  };

  it.each(Object.entries(WAYS))('%s: the agent is back and says so', async (_name, { rules, act, says, outcome }) => {
    const s = await announced(rules);
    await act(s);
    await s.silence(2500);
    expect(s.facts.at(-1)).toMatch(says);
    expect(s.facts.at(-1)).toContain('Can I help with something else?');
    expect([state(s), open(s), s.ports[0]!.music]).toEqual(['active', 1, undefined]);
    await s.say('cancel my order');
    await s.silence(1500);
    expect(s.requests.map(({ text }) => text)).toEqual(['a person please', 'cancel my order']);
    await hangUp(s);
    expect([outcomes(s), s.summaries[0]!.end.reason]).toEqual([[`first bridge ${outcome}`], 'caller-hangup']);
  });

  it.each([
    ['is busy', (s: Rig) => s.dialer.last.refuse(BUSY), /the line is busy right now. I am trying somebody else/],
    [
      'hangs up while being told',
      async (s: Rig) => {
        s.dialer.last.answer();
        await s.run(200);
        personLeaves(s);
      },
      /nobody could take the call right now. I am trying somebody else/,
    ],
  ] as const)('%s: the caller is told, and the next is called', async (_name, act, says) => {
    const s = await announced({ targets: [FIRST, SECOND] });
    await act(s);
    await s.silence(2500);
    expect(s.dialer.dialled.map(({ options }) => options.uri)).toEqual([FIRST, SECOND]);
    expect(s.facts.at(-1)).toMatch(says);
    expect([open(s), s.ports[0]!.music]).toEqual([2, MUSIC]);
    s.dialer.last.answer();
    await s.silence(2000);
    expect(state(s)).toBe('bridged');
    await hangUp(s);
    expect(outcomes(s)).toEqual([expect.stringMatching(/^first bridge (busy|hung-up)$/), 'second bridge joined']);
    expect(open(s)).toBe(0);
  });

  it('and the next one neither: the agent is back with the last cause', async () => {
    const s = await announced({ targets: [FIRST, SECOND] });
    s.dialer.last.refuse(BUSY);
    await s.silence(2500);
    s.dialer.last.refuse(callEnd('network', 'no-answer'));
    await s.silence(2500);
    expect(s.facts.at(-1)).toMatch(/nobody answered. Can I help/);
    await hangUp(s);
    expect(outcomes(s)).toEqual(['first bridge busy', 'second bridge no-answer']);
  });
});

describe('a caller who does not wait', () => {
  it('and hangs up while it rings: the phone stops', async () => {
    const s = await announced({ targets: [FIRST, SECOND] });
    await hangUp(s);
    expect([s.dialer.dialled.length, s.dialer.last.cancelled, open(s)]).toEqual([1, true, 0]);
    expect([outcomes(s), s.summaries[0]!.end.reason]).toEqual([['first bridge cancelled'], 'caller-hangup']);
    expect(s.clock.pending).toBe(0);
  });

  it('and hangs up while the person is being told: both end', async () => {
    const s = await telling({ accept: 'key' });
    await s.run(300);
    await hangUp(s);
    expect([second(s).log, open(s), s.clock.pending]).toEqual([['hangup caller-hangup'], 0, 0]);
    expect(s.summaries[0]!.end.reason).toBe('caller-hangup');
  });

  it.each([
    ['answers', (s: Rig) => s.dialer.last.answer(), ['hangup caller-hangup']],
    ['declines', (s: Rig) => s.dialer.last.refuse(BUSY), []],
  ] as const)('and hangs up as the person %s: one end, and nothing is left', async (_name, act, log) => {
    const s = await announced({ targets: [FIRST, SECOND] });
    act(s);
    await hangUp(s);
    expect([s.summaries.length, second(s).log, s.dialer.dialled.length, open(s)]).toEqual([1, log, 1, 0]);
    expect(s.clock.pending).toBe(0);
  });

  it('and hangs up as the person does: one end, and nothing is left', async () => {
    const s = await telling({ accept: 'key' });
    await s.run(200);
    personLeaves(s);
    await hangUp(s);
    expect([s.summaries.length, s.summaries[0]!.end.reason, open(s), s.clock.pending]).toEqual([
      ...[1, 'caller-hangup', 0, 0],
    ]);
    expect(outcomes(s)).toEqual(['first bridge hung-up']);
  });

  it('and whose time is up: the phone stops, and goodbye is said', async () => {
    const s = await announced({}, { maxCallMs: 8000 });
    await s.silence(8000);
    await s.run(GOODBYE_MAX_MS);
    expect([s.dialer.last.cancelled, s.summaries[0]!.end.reason]).toEqual([true, 'max-duration']);
    expect(s.facts.at(-1)).toContain('end of the time');
  });
});

describe('two who were joined', () => {
  it('hear music from the start where one of them held before', async () => {
    const s = await telling({ accept: 'key' });
    const held = { ...MEDIA, direction: 'recvonly' } as const;
    for (const leg of [s.leg, second(s)]) {
      leg.media = held;
      leg.handlers!.onMedia(held);
    }
    press(s, '1');
    await s.run(40);
    expect([state(s), s.ports.map(({ music }) => music)]).toEqual(['bridgedHeld', [MUSIC, MUSIC]]);
  });

  it('hear music while the other one holds, and only then', async () => {
    const s = await together();
    const [caller, person] = s.ports as [(typeof s.ports)[0], (typeof s.ports)[0]];
    const music = (): unknown[] => [caller.music, person.music];
    expect(music()).toEqual([undefined, undefined]);
    second(s).handlers!.onMedia({ ...MEDIA, direction: 'recvonly' });
    expect(music()).toEqual([MUSIC, undefined]);
    second(s).handlers!.onMedia(MEDIA);
    s.leg.handlers!.onMedia({ ...MEDIA, direction: 'inactive' });
    expect(music()).toEqual([undefined, MUSIC]);
    s.leg.handlers!.onMedia(MEDIA);
    expect(music()).toEqual([undefined, undefined]);
  });

  it('part when the person leaves: the call ends', async () => {
    const s = await together();
    personLeaves(s);
    await s.run(40);
    expect(s.summaries[0]!.end).toMatchObject({ party: 'callee', reason: 'transferred' });
    expect([outcomes(s), s.leg.log.at(-1), open(s)]).toEqual([['first bridge joined'], 'hangup callee-hangup', 0]);
  });

  it.each([
    ['leaves', personLeaves],
    ['is not heard any more', (s: Rig) => s.media.opened.at(-1)!.onEvent({ type: 'timeout' })],
  ])('part when the person %s: the agent is back where it is to be', async (_name, act) => {
    const s = await together({ afterPerson: 'return' });
    await s.say('hello person', 2000);
    expect(s.requests.length).toBe(1);
    act(s);
    await s.silence(2500);
    expect([state(s), open(s), s.ports[0]!.bridgedTo]).toEqual(['active', 1, undefined]);
    expect(s.facts.at(-1)).toBe('agent: You are back with me. Can I help with something else?');
    await s.say('cancel my order');
    await s.silence(1500);
    expect(s.requests.at(-1)!.text).toBe('cancel my order');
    await s.say('a person please');
    await s.silence(1500);
    s.dialer.last.answer();
    await s.run(40);
    press(s, '1');
    await s.run(40);
    expect([s.dialer.dialled.length, state(s)]).toEqual([2, 'bridged']);
    await hangUp(s);
    expect(outcomes(s)).toEqual(['first bridge joined', 'first bridge joined']);
    expect(s.summaries[0]!.end).toMatchObject({ party: 'caller', reason: 'transferred' });
    expect([open(s), s.clock.pending]).toEqual([0, 0]);
  });

  it.each(['end', 'return'] as const)('are written down where that is wished, afterwards: %s', async (afterPerson) => {
    const s = await together({ transcript: 'on', afterPerson });
    const before = s.facts.length;
    await s.personSays('good morning');
    await s.say('where is my parcel');
    await s.silence(1200);
    await s.personSays('it comes today');
    expect(s.facts.slice(before)).toEqual([
      'person: good morning',
      'caller: where is my parcel',
      'person: it comes today',
    ]);
    expect(s.requests.length).toBe(1); // the agent was not asked
    personLeaves(s);
    await s.silence(2500);
    expect(s.vads.slice(1).map(({ closed }) => closed)).toEqual([true, true]);
    if (afterPerson === 'end') return expect(s.summaries.length).toBe(1);
    await s.say('cancel my order');
    await s.silence(1500);
    expect(s.requests.at(-1)!.text).toBe('cancel my order');
    expect(
      s.requests
        .at(-1)!
        .history.map(({ text }) => text)
        .join(),
    ).not.toContain('it comes today');
  });

  it('are heard where a bridge says that reads their ports itself', async () => {
    const s = await telling({ accept: 'key', transcript: 'on' });
    const { media } = s.deps;
    const { bridge } = media;
    const asked: unknown[] = [];
    media.bridge = (a, b) => ({
      ...bridge(a, b)!,
      earOf: (port) => {
        asked.push(port);
        return port === a
          ? { read: (into) => b.read(into), heardAtMs: s.clock.nowMs(), quiet: undefined, stirred: true }
          : undefined;
      },
    });
    press(s, '1');
    await s.run(40);
    const before = s.facts.length;
    await s.personSays('good morning');
    expect([asked, s.facts.slice(before)]).toEqual([s.ports, ['caller: good morning']]);
  });

  it('are not written down otherwise, and nothing of it is a turn afterwards', async () => {
    const s = await together({ afterPerson: 'return' });
    const before = s.facts.length;
    await s.personSays('good morning');
    await s.say('where is my parcel');
    personLeaves(s);
    await s.silence(2500);
    expect(s.facts.slice(before)).toEqual(['agent: You are back with me. Can I help with something else?']);
    expect(s.requests.length).toBe(1);
  });

  it('are parted when the time is up, without a word of the agent', async () => {
    const s = await asked({ mode: 'announced', targets: [FIRST], afterPerson: 'return' }, { maxCallMs: 20_000 });
    s.dialer.last.answer();
    await s.silence(3000);
    expect(state(s)).toBe('bridged');
    await s.silence(20_000);
    expect([s.summaries[0]!.end.reason, open(s)]).toEqual(['max-duration', 0]);
  });
});

describe('two who are left to each other', () => {
  const attended = async (takes: { caller: boolean; person: boolean }): Promise<Rig> => {
    const s = await announced({ mode: 'attended', accept: 'key' });
    s.leg.takesReplaces = takes.caller;
    second(s).takesReplaces = takes.person;
    s.dialer.last.answer();
    await s.run(40);
    return s;
  };
  const BOTH = { caller: true, person: true };

  it('talk without us, where both sides take Replaces', async () => {
    const s = await attended(BOTH);
    press(s, '1');
    await s.run(40);
    expect(s.leg.log.slice(1)).toEqual([`transfer, replacing, ${FIRST}`, 'hangup transferred']);
    expect(second(s).log).toEqual(['hangup transferred']);
    expect(s.summaries[0]!.end).toMatchObject({ party: 'agent', reason: 'transferred' });
    expect([outcomes(s), open(s)]).toEqual([['first replaces transferred'], 0]);
  });

  it.each([
    { caller: false, person: true },
    { caller: true, person: false },
  ])('are joined by us where one of them does not: %o', async (takes) => {
    const s = await attended(takes);
    press(s, '1');
    await s.run(40);
    expect([s.leg.log, state(s)]).toEqual([['answer'], 'bridged']);
  });

  it('are joined by us where the REFER is refused', async () => {
    const s = await attended(BOTH);
    s.leg.transferOutcome = { ok: false, status: 481, reason: 'No such call' };
    press(s, '1');
    await s.run(40);
    expect([s.leg.log.slice(1), state(s)]).toEqual([[`transfer, replacing, ${FIRST}`], 'bridged']);
  });

  it('are through when the person’s phone hangs up our leg before the outcome is told', async () => {
    const s = await attended(BOTH);
    let done = (): void => {};
    s.leg.transfer = () =>
      new Promise((resolve) => {
        done = () => resolve({ ok: true, status: 200, reason: 'OK' });
      });
    press(s, '1');
    await s.run(40);
    personLeaves(s);
    await s.run(1000);
    expect(s.summaries).toEqual([]);
    done();
    await s.run(40);
    expect([outcomes(s), s.summaries[0]!.end.reason]).toEqual([['first replaces transferred'], 'transferred']);
  });

  it('are not, where the person left and the REFER fails: the agent is back', async () => {
    const s = await attended(BOTH);
    let done = (): void => {};
    s.leg.transfer = () =>
      new Promise((resolve) => {
        done = () => resolve({ ok: false, status: 503, reason: 'Down' });
      });
    press(s, '1');
    await s.run(40);
    personLeaves(s);
    done();
    await s.silence(2500);
    expect([s.facts.at(-1), state(s), open(s)]).toEqual([
      expect.stringMatching(/nobody could take the call/),
      'active',
      1,
    ]);
  });
});
