import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { LegError } from '../../src/call/leg.ts';
import { AGENT } from '../support/conversation-rig.ts';
import { MEDIA } from '../support/fake-leg.ts';
import { receptionRig, type Setup, settle } from '../support/reception-rig.ts';

describe('a call is refused with its own reason', () => {
  it.each<{ name: string; options: Setup; reason: string }>([
    { name: 'nobody has the number', options: { agent: undefined }, reason: 'no-such-number' },
    { name: 'the agent is paused', options: { agent: { ...AGENT, status: 'paused' } }, reason: 'agent-not-live' },
    { name: 'the number is switched off', options: { numberOff: true }, reason: 'switched-off' },
    { name: 'the database is away', options: { directoryFails: true }, reason: 'store-unavailable' },
    { name: 'no engine', options: { engineProblem: 'espeak-ng is missing' }, reason: 'no-engine' },
    { name: 'no descriptors left', options: { noDescriptors: true }, reason: 'busy' },
    { name: 'all lines in use', options: { capacity: 0 }, reason: 'busy' },
    { name: 'all lines of the account in use', options: { perAccount: 0 }, reason: 'busy' },
  ])('$name', async ({ options, reason }) => {
    const s = receptionRig(options);
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual([`hangup ${reason}`]);
    expect(s.registry.size).toBe(0);
    expect((await s.metrics.callsEnded.get()).values.map(({ labels }) => labels.reason)).toEqual([reason]);
    expect(s.log.lines.map((line) => [line.msg, line.reason])).toEqual([['call refused', reason]]);
  });

  it.each<{ name: string; options: Setup; reason: string; begun?: boolean }>([
    { name: 'no credit', options: { credit: 'insufficient-credit' }, reason: 'no-credit' },
    { name: 'a limit of the account', options: { credit: 'calls-a-day' }, reason: 'account-limit' },
    { name: 'credit cannot be checked', options: { credit: 'unavailable' }, reason: 'store-unavailable' },
    { name: 'all lines of the account in use, here and elsewhere', options: { credit: 'every-line' }, reason: 'busy' },
    { name: 'no RTP port', options: { media: 'no-ports' }, reason: 'busy', begun: true },
    { name: 'media overloaded', options: { media: 'overloaded' }, reason: 'busy', begun: true },
  ])('$name, and a record that was begun is closed', async ({ options, reason, begun }) => {
    const s = receptionRig(options);
    await s.reception.receive(s.leg);
    expect(s.opening.calls).toBe(0);
    expect(s.refused).toEqual(begun ? [] : [{ reason, accountId: AGENT.accountId }]);
    expect(s.leg.log).toEqual([`hangup ${reason}`]);
    const closed = begun ? [{ reason, answered: false }] : []; // What has not begun has no record.
    expect(s.summaries.map(({ end, answered }) => ({ reason: end.reason, answered }))).toEqual(closed);
    expect(s.registry.size).toBe(0);
  });

  it('where the last descriptors went to others while its agent was looked up', async () => {
    const s = receptionRig({ lastDescriptorsGone: true });
    await s.reception.receive(s.leg);
    expect([s.leg.log, s.registry.size, s.begun]).toEqual([['hangup busy'], 0, []]);
  });

  it('while draining', async () => {
    const s = receptionRig();
    await s.registry.drain(10_000, callEnd('gateway', 'shutdown'));
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual(['hangup draining']);
  });
});

describe('a call that is taken', () => {
  it('is answered, recorded, and ended once whoever asks', async () => {
    const s = receptionRig();
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual(['answer']);
    expect(s.opening).toEqual({ calls: 0, atPort: 1 });
    expect(s.port.configured).toEqual([MEDIA]);
    expect(s.port.recordedTo).toMatch(/call_.*\.wav$/);
    expect(s.registry.size).toBe(1);
    const [call] = s.registry.list();
    s.clock.advance(5000);
    s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
    await Promise.all([call!.close(callEnd('gateway', 'shutdown')), call!.close(callEnd('gateway', 'internal'))]);
    expect(s.summaries).toHaveLength(1);
    expect(s.summaries[0]).toMatchObject({
      answered: true,
      talkMs: 5000,
      end: { party: 'caller', reason: 'caller-hangup' },
    });
    expect(s.port.closed).toBe(true);
    expect(s.registry.size).toBe(0);
    expect(s.clock.pending).toBe(0);
  });

  it('is answered once its agent is ready, which holds nobody else up', async () => {
    let ready = (): void => {};
    const s = receptionRig({
      prepare: () =>
        new Promise((resolve) => {
          ready = resolve;
        }),
    });
    const received = s.reception.receive(s.leg);
    await settle();
    expect([s.begun.length, s.leg.log]).toEqual([1, []]);
    ready();
    await received;
    expect(s.leg.log).toEqual(['answer']);
  });

  it('rings first where that was asked for', async () => {
    const s = receptionRig({ answerDelayMs: 2000 });
    const receiving = s.reception.receive(s.leg);
    await settle();
    expect(s.leg.log).toEqual(['ring']);
    s.clock.advance(2000);
    await receiving;
    expect(s.leg.log).toEqual(['ring', 'answer']);
  });

  it('is closed when the ACK never comes', async () => {
    const s = receptionRig();
    s.leg.answerError = new LegError(callEnd('network', 'ack-timeout'));
    await s.reception.receive(s.leg);
    expect(s.summaries[0]).toMatchObject({ answered: false, end: { reason: 'ack-timeout' } });
    expect(s.port.closed).toBe(true);
    expect(s.registry.size).toBe(0);
  });

  it.each<{ name: string; when: 'begin' | 'open' | 'answer'; port: boolean }>([
    { name: 'while the record is opened', when: 'begin', port: false },
    { name: 'while the port is opened', when: 'open', port: true },
    { name: 'while the answer is sent', when: 'answer', port: true },
  ])('gives everything back when the caller cancels $name', async ({ when, port }) => {
    const s = receptionRig();
    const cancel = (): void => s.leg.handlers!.onEnd(callEnd('caller', 'cancelled'));
    const { begin } = s.book;
    const { open } = s.plane;
    const answer = s.leg.answer.bind(s.leg);
    Object.assign(s.book, {
      begin: async (call: Parameters<typeof begin>[0]) => {
        if (when === 'begin') cancel();
        await settle(); // whatever closing does is done before this is
        return begin(call);
      },
    });
    Object.assign(s.plane, {
      open: async (options: Parameters<typeof open>[0]) => {
        if (when === 'open') cancel();
        await settle();
        return open(options);
      },
    });
    s.leg.answer = async (session) => {
      if (when === 'answer') cancel();
      await settle();
      return answer(session);
    };
    await s.reception.receive(s.leg);
    await settle();
    expect(s.summaries).toHaveLength(1);
    expect(s.summaries[0]).toMatchObject({ answered: false, talkMs: 0, end: { reason: 'cancelled' } });
    expect(s.ports.map(({ closed }) => closed)).toEqual(port ? [true] : []);
    expect(s.facts).toEqual([]);
    expect([s.registry.size, s.gauge.calls, s.clock.pending]).toEqual([0, 0, 0]);
  });

  it('gives everything back when the caller cancels while it rings', async () => {
    const s = receptionRig({ answerDelayMs: 2000 });
    const receiving = s.reception.receive(s.leg);
    await settle();
    s.leg.handlers!.onEnd(callEnd('caller', 'cancelled'));
    await s.run(2000);
    await receiving;
    expect(s.leg.log).toEqual(['ring', 'hangup cancelled']);
    expect(s.port.closed).toBe(true);
    expect(s.summaries).toHaveLength(1);
    expect([s.registry.size, s.clock.pending]).toEqual([0, 0]);
  });

  it('opens nothing for a caller who left before anybody looked', async () => {
    const s = receptionRig();
    s.leg.endedBefore = callEnd('caller', 'cancelled');
    await s.reception.receive(s.leg);
    await settle();
    expect([s.summaries, s.ports, s.registry.size, s.gauge.calls]).toEqual([[], [], 0, 0]);
    expect(s.leg.log).toEqual(['hangup cancelled']);
  });

  it('is closed when the answer cannot be worked with', async () => {
    const s = receptionRig();
    s.deps.book.answered = () => {
      throw new Error('journal full');
    };
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual(['answer', 'hangup internal']);
    expect(s.port.closed).toBe(true);
    expect([s.registry.size, s.clock.pending]).toEqual([0, 0]);
  });

  it('charges every started minute, when it starts, and none after the end', async () => {
    const s = receptionRig({ settings: { noInputMs: 600_000 } });
    await s.reception.receive(s.leg);
    await s.run(59_980);
    expect(s.facts).not.toContain('minute 1');
    await s.run(120_040);
    s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
    await s.run(180_000);
    expect(s.facts.filter((fact) => fact.startsWith('minute'))).toEqual(['minute 1', 'minute 2', 'minute 3']);
  });

  it('follows hold and resume, and keeps the digits', async () => {
    const s = receptionRig();
    await s.reception.receive(s.leg);
    const call = s.registry.list()[0] as unknown as { state: string };
    s.leg.handlers!.onMedia({ ...MEDIA, direction: 'recvonly' });
    expect(call.state).toBe('held');
    s.leg.handlers!.onMedia(MEDIA);
    expect(call.state).toBe('active');
    s.leg.handlers!.onDtmf('5', 100);
    s.media.options!.onEvent({ type: 'dtmf', digit: '9', durationMs: 100 });
    s.media.options!.onEvent({ type: 'timeout' });
    await settle();
    expect(s.summaries[0]).toMatchObject({ dtmf: '59', end: { party: 'network', reason: 'media-timeout' } });
  });
});

describe('drain', () => {
  it('ends when the last call does', async () => {
    const s = receptionRig();
    await s.reception.receive(s.leg);
    let drained = false;
    const draining = s.registry.drain(60_000, callEnd('gateway', 'shutdown')).then(() => {
      drained = true;
    });
    await s.run(1000);
    expect([s.registry.draining, drained]).toEqual([true, false]);
    s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
    await settle();
    expect(drained).toBe(true);
    await draining;
    expect(s.clock.pending).toBe(0);
  });

  it('waits for live calls, then closes what is left', async () => {
    const s = receptionRig();
    await s.reception.receive(s.leg);
    const draining = s.registry.drain(20_000, callEnd('gateway', 'shutdown'));
    await s.run(19_980);
    expect(s.registry.size).toBe(1);
    await s.run(20);
    await draining;
    expect(s.summaries[0]).toMatchObject({ end: { reason: 'shutdown' } });
    expect(s.registry.size).toBe(0);
  });
});

describe('keys pressed before the ACK', () => {
  it('wait for it, and are then answered in their order', async () => {
    const s = receptionRig();
    let acknowledge: () => void = () => {};
    const acknowledged = new Promise<void>((resolve) => {
      acknowledge = resolve;
    });
    s.leg.answer = async () => {
      expect(s.ports[0]?.expecting).toBe(true); // the answer has not left yet
      await acknowledged;
      return MEDIA;
    };
    const received = s.reception.receive(s.leg);
    await settle();
    for (const key of '41') s.leg.handlers!.onDtmf(key, 100);
    await s.run(1_000);
    expect([s.facts, s.requests, s.port.configured]).toEqual([[], [], []]);
    acknowledge();
    await received;
    await s.run(3_000);
    expect(s.requests.map(({ input, text }) => [input, text])).toEqual([
      ['keypad', '4'],
      ['keypad', '1'],
    ]);
    s.leg.handlers!.onEnd(callEnd('caller', 'caller-hangup'));
    await settle();
    expect(s.summaries[0]?.dtmf).toBe('41');
  });
});
