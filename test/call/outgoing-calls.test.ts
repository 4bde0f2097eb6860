import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import type { OnMachine } from '../../src/call/opening.ts';
import { OutgoingCalls } from '../../src/call/outgoing-calls.ts';
import { AGENT } from '../support/conversation-rig.ts';
import { MEDIA } from '../support/fake-leg.ts';
import { LoudnessVad } from '../support/level-vad.ts';
import { receptionRig, type Setup, settle } from '../support/reception-rig.ts';
import { routeTo } from '../support/route.ts';

const PARTIES = { from: '+966112223344', to: '+966500000007' };
const ORDER = { agent: AGENT, ...PARTIES, route: routeTo('sip:bob@127.0.0.1:5070') };

function rig(options: Setup = {}) {
  const s = receptionRig({ settings: { noInputMs: 600_000 }, ...options });
  const calls = new OutgoingCalls(s.deps);
  return { ...s, calls, state: () => (s.registry.list()[0] as unknown as { state: string }).state };
}
type Rig = ReturnType<typeof rig>;

async function dialled(options: Setup = {}): Promise<Rig & { readonly placed: Promise<unknown> }> {
  const s = rig(options);
  const placed = s.calls.place(ORDER);
  await settle();
  expect(s.state()).toBe('dialling');
  return { ...s, placed };
}

async function answered(options: Setup = {}): Promise<Rig> {
  const s = await dialled(options);
  s.dialer.last.answer();
  expect(await s.placed).toBeUndefined();
  return s;
}

/** Nothing of the call is left. */
const left = (s: Rig): unknown[] => [s.registry.size, s.gauge.calls, s.clock.pending, s.ports.filter((p) => !p.closed)];
const NOTHING = [0, 0, 0, []];
const ends = (s: Rig): string[] => s.summaries.map(({ end }) => `${end.party} ${end.reason}`);

describe('a call that an agent makes', () => {
  it('rings without a word or a charge, then is a call like any other', async () => {
    const s = await dialled();
    s.dialer.last.options.onProgress?.(180, 'Ringing');
    await s.run(20_000);
    expect([s.facts, s.ports[0]!.writtenSamples]).toEqual([[], 0]);
    s.dialer.last.answer();
    expect(await s.placed).toBeUndefined();
    expect(s.state()).toBe('active');
    await s.silence(1000);
    expect(s.facts).toEqual(['answered', 'agent: Hello.']);
    await s.say('who is this');
    await s.silence(1500);
    expect(s.requests.map(({ text, variables }) => `${variables['caller']}: ${text}`)).toEqual([
      '+966500000007: who is this',
    ]);
    await s.run(60_000);
    expect(s.facts).toContain('minute 1');
  });

  it.each(['answered', 'not answered'])(
    'that was heard before the answer, and is %s, has its recording in the record',
    async (how) => {
      const s = await dialled();
      expect(s.ports[0]!.recordedTo).toBeUndefined();
      s.dialer.last.options.onEarlyMedia?.(MEDIA);
      expect(s.ports[0]!.recordedTo).toBeDefined();
      if (how === 'answered') s.dialer.last.answer();
      else s.dialer.last.refuse(callEnd('network', 'busy', '486 Busy Here'));
      await s.placed;
      await s.registry.list()[0]?.close(callEnd('gateway', 'shutdown'));
      expect(s.ports[0]!.recordedTo).toMatch(new RegExp(`${s.summaries[0]!.recording!}$`));
    },
  );

  it('has its media at the address that reaches where the INVITE goes, be that a host of its trunk', async () => {
    const s = rig();
    const [attempt] = ORDER.route.attempts;
    const attempts = [{ ...attempt!, uri: 'sip:+966500000007@carrier.example', nextHop: 'sip:127.0.0.1:5070' }];
    void s.calls.place({ ...ORDER, route: { ...ORDER.route, attempts } });
    await settle();
    expect(s.media.opened[0]!.localAddress).toBe('127.0.0.9');
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
  });

  it('is in the book before it is dialled, by its numbers and the Call-ID that the INVITE will have', async () => {
    const s = await dialled();
    const [record] = s.begun;
    expect(record!.direction).toBe('outbound');
    expect(record).toMatchObject({ from: ORDER.from, to: ORDER.to, accountId: 'acc_test', agentId: 'agt_test' });
    expect(s.dialer.last.options).toMatchObject({
      uri: ORDER.route.attempts[0]!.uri,
      from: ORDER.from,
      sipCallId: record!.sipCallId,
    });
    expect(s.registry.list()[0]!.sipCallId).toBe(record!.sipCallId);
    expect(s.media.options!.localAddress).toBe('127.0.0.9');
  });

  it('is held and taken back by the callee', async () => {
    const s = await answered();
    s.dialer.last.leg.handlers!.onMedia({ ...MEDIA, direction: 'inactive' });
    expect(s.state()).toBe('held');
    s.dialer.last.leg.handlers!.onMedia(MEDIA);
    expect(s.state()).toBe('active');
    s.dialer.last.leg.handlers!.onDtmf('5', 100);
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    expect(s.summaries[0]!.dtmf).toBe('5');
  });

  it('ends by the callee, who is not called the caller', async () => {
    const s = await answered();
    await s.run(5000);
    s.dialer.last.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup', 'Bye now'));
    await settle();
    expect(s.summaries).toMatchObject([
      { answered: true, talkMs: 5000, end: { party: 'callee', reason: 'callee-hangup', detail: 'Bye now' } },
    ]);
    expect(left(s)).toEqual(NOTHING);
    const told = s.log.lines.find(({ msg }) => msg === 'call ended');
    expect(told).toMatchObject({ direction: 'outbound', answered: true });
  });

  it('ends by us with BYE', async () => {
    const s = await answered();
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    expect([s.dialer.last.leg.log, ends(s), left(s)]).toEqual([['hangup shutdown'], ['gateway shutdown'], NOTHING]);
  });

  it('that was hung up before anybody listened has never begun', async () => {
    const s = await dialled();
    s.dialer.last.leg.endedBefore = callEnd('caller', 'caller-hangup');
    s.dialer.last.answer();
    expect(await s.placed).toEqual(callEnd('callee', 'callee-hangup'));
    expect([s.facts, ends(s), left(s)]).toEqual([[], ['callee callee-hangup'], NOTHING]);
  });
});

describe('a call that nobody takes', () => {
  it.each([
    callEnd('network', 'busy', '486 Busy Here'),
    callEnd('network', 'no-answer', 'nobody answered in time'),
    callEnd('network', 'not-allowed', '603 Decline'),
    callEnd('network', 'signalling-lost'),
  ])('costs nothing and says why: $reason', async (end) => {
    const s = await dialled();
    s.dialer.last.refuse(end);
    expect(await s.placed).toEqual(end);
    expect(s.summaries).toMatchObject([{ answered: false, talkMs: 0, end }]);
    expect([s.facts, left(s), s.dialer.last.leg.log]).toEqual([[], NOTHING, []]);
    expect((await s.metrics.callsEnded.get()).values.map(({ labels }) => labels)).toEqual([
      { party: end.party, reason: end.reason },
    ]);
  });

  it('is cancelled while it rings', async () => {
    const s = await dialled();
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    expect([s.dialer.last.cancelled, s.dialer.last.leg.log]).toEqual([true, []]);
    expect(await s.placed).toEqual(callEnd('gateway', 'shutdown'));
    expect([s.facts, ends(s), left(s)]).toEqual([[], ['gateway shutdown'], NOTHING]);
  });

  it('is hung up when its answer crosses our CANCEL', async () => {
    const s = rig();
    s.dialer.deaf = true;
    const placed = s.calls.place(ORDER);
    await settle();
    const closed = s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    await settle();
    s.dialer.last.answer();
    await closed;
    expect(await placed).toEqual(callEnd('gateway', 'shutdown'));
    expect([s.dialer.last.leg.log, s.facts, ends(s), left(s)]).toEqual([
      ['hangup shutdown'],
      [],
      ['gateway shutdown'],
      NOTHING,
    ]);
  });

  it.each<[string, (s: Rig) => void]>([
    [
      'throws',
      (s) =>
        Object.assign(s.dialer, {
          dial: () => {
            throw new Error('bug');
          },
        }),
    ],
    [
      'rejects with what it should not',
      (s) => Object.assign(s.dialer, { dial: () => Promise.reject(new Error('bug')) }),
    ],
    [
      'answers without media',
      (s) => {
        const { dial } = s.dialer;
        s.dialer.dial = (options) => {
          const leg = dial.call(s.dialer, options);
          Object.assign(s.dialer.last.leg, { media: undefined });
          s.dialer.last.answer();
          return leg;
        };
      },
    ],
  ])('ends alone when the signalling %s', async (_name, breakIt) => {
    const s = rig();
    breakIt(s);
    expect(await s.calls.place(ORDER)).toMatchObject({ party: 'gateway', reason: 'internal' });
    expect([s.facts, ends(s), left(s)]).toEqual([[], ['gateway internal'], NOTHING]);
  });
});

describe('a call is not dialled', () => {
  it.each<{ name: string; options: Setup; reason: string; agent?: typeof AGENT; record?: boolean }>([
    { name: 'the agent is paused', options: {}, agent: { ...AGENT, status: 'paused' }, reason: 'agent-not-live' },
    { name: 'no engine', options: { engineProblem: 'espeak-ng is missing' }, reason: 'no-engine' },
    { name: 'no descriptors left', options: { noDescriptors: true }, reason: 'busy' },
    { name: 'all lines in use', options: { capacity: 0 }, reason: 'busy' },
    { name: 'all lines of the account in use', options: { perAccount: 0 }, reason: 'busy' },
    { name: 'all lines of the account in use elsewhere', options: { credit: 'every-line' }, reason: 'busy' },
    { name: 'no credit', options: { credit: 'insufficient-credit' }, reason: 'no-credit' },
    { name: 'credit cannot be checked', options: { credit: 'unavailable' }, reason: 'store-unavailable' },
    { name: 'no RTP port', options: { media: 'no-ports' }, reason: 'busy', record: true },
  ])('$name', async ({ options, reason, agent = AGENT, record = false }) => {
    const s = rig(options);
    expect(await s.calls.place({ ...ORDER, agent })).toMatchObject({ party: 'gateway', reason });
    expect([s.dialer.dialled, s.facts, left(s)]).toEqual([[], [], NOTHING]);
    expect(ends(s)).toEqual(record ? [`gateway ${reason}`] : []);
    expect((await s.metrics.callsEnded.get()).values.map(({ labels }) => labels.reason)).toEqual([reason]);
  });

  it('while draining', async () => {
    const s = rig();
    await s.registry.drain(0, callEnd('gateway', 'shutdown'));
    expect(await s.calls.place(ORDER)).toEqual(callEnd('gateway', 'draining'));
    expect(s.log.lines.map(({ msg, reason }) => [msg, reason])).toEqual([['call not placed', 'draining']]);
  });

  it('when the book fails unforeseen', async () => {
    const s = rig();
    s.book.begin = () => Promise.reject(new Error('bug'));
    expect(await s.calls.place(ORDER)).toEqual(callEnd('gateway', 'internal'));
    expect([s.dialer.dialled, left(s)]).toEqual([[], NOTHING]);
  });
});

describe('whoever answers speaks first', () => {
  /** A call that is answered, by somebody whose audio is told in pieces. */
  async function openedBy(onMachine: OnMachine, ...heard: readonly (readonly [ms: number, level: number])[]) {
    const s = receptionRig({ settings: { noInputMs: 600_000, greetingDelayMs: 0 } });
    const startedMs: number[] = []; // of turns
    const { turn } = s.book;
    s.book.turn = (id, said) => {
      startedMs.push(said.startedMs);
      turn(id, said);
    };
    const calls = new OutgoingCalls({ ...s.deps, openVad: () => new LoudnessVad() });
    const opening = {
      speakAfterMs: 1000,
      onMachine,
      ...(onMachine === 'leave-message' && { message: 'Please call us back.' }),
    };
    const placed = calls.place({ ...ORDER, opening });
    await settle();
    s.dialer.last.answer();
    expect(await placed).toBeUndefined();
    for (const [ms, level] of heard) {
      for (let passed = 0; passed < ms; passed += 20) {
        s.ports[0]!.hear(20, level);
        await s.run(20);
      }
    }
    return {
      ...s,
      startedMs,
      record: () => s.summaries.map(({ end, answeredBy }) => [end.party, end.reason, answeredBy]),
    };
  }
  const HELLO = [
    [300, 0],
    [500, 4000],
  ] as const;
  const GREETING = [
    [300, 0],
    [5000, 4000],
  ] as const;

  it('and the agent when they are through, where nobody looks for machines', async () => {
    const s = await openedBy('undetected', ...HELLO);
    expect(s.facts).toEqual(['answered']);
    await s.silence(600);
    expect(s.facts).toEqual(['answered', 'agent: Hello.']);
    await s.registry.list()[0]!.close(callEnd('callee', 'callee-hangup'));
    expect(s.record()).toEqual([['callee', 'callee-hangup', undefined]]);
  });

  it('and all times are counted from the answer, not from the first word of the agent', async () => {
    const s = await openedBy('undetected', ...HELLO);
    await s.silence(600);
    expect(s.startedMs).toHaveLength(1);
    expect(s.startedMs[0]).toBeGreaterThan(800);
    await s.registry.list()[0]!.close(callEnd('callee', 'callee-hangup'));
  });

  it('a person is talked to, and the record says that it is one', async () => {
    const s = await openedBy('hangup', ...HELLO, [1200, 0]);
    expect(s.facts).toEqual(['answered', 'agent: Hello.']);
    await s.registry.list()[0]!.close(callEnd('callee', 'callee-hangup'));
    expect(s.record()).toEqual([['callee', 'callee-hangup', 'human']]);
  });

  it('a machine is hung up on', async () => {
    const s = await openedBy('hangup', ...GREETING);
    expect(s.facts).toEqual(['answered']);
    expect(s.record()).toEqual([['gateway', 'answering-machine', 'machine']]);
    expect(s.registry.size).toBe(0);
  });

  it('a machine is left the message when its greeting is over, and nothing else', async () => {
    const s = await openedBy('leave-message', ...GREETING, [2500, 0]);
    expect(s.facts).toEqual(['answered', 'agent: Please call us back.']);
    expect(s.record()).toEqual([['agent', 'agent-hangup', 'machine']]);
    expect(s.summaries[0]!.end.detail).toBe('a message was left');
  });

  it('a callee who leaves meanwhile leaves nothing behind', async () => {
    const s = await openedBy('hangup', [300, 0]);
    await s.registry.list()[0]!.close(callEnd('callee', 'callee-hangup'));
    expect(s.record()).toEqual([['callee', 'callee-hangup', undefined]]);
    expect([s.registry.size, s.clock.pending]).toEqual([0, 0]);
  });
});
