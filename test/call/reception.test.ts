import { describe, expect, it } from 'vitest';
import type { CallBook, CallSummary } from '../../src/billing/contract.ts';
import { callEnd } from '../../src/call/call-end.ts';
import { CallRegistry } from '../../src/call/call-registry.ts';
import { CallTicker } from '../../src/call/call-ticker.ts';
import { LegError } from '../../src/call/leg.ts';
import { Reception, type ReceptionDeps } from '../../src/call/reception.ts';
import type { Agent } from '../../src/core/agent.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { MediaPlane, MediaPort, MediaPortOptions, MediaRefusal } from '../../src/media/media-port.ts';
import { AGENT, SETTINGS } from '../support/conversation-rig.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeLeg, MEDIA } from '../support/fake-leg.ts';
import { FakeMediaPort } from '../support/fake-media-port.ts';

interface Setup {
  readonly agent?: Agent | undefined;
  readonly directoryFails?: boolean;
  readonly credit?: Awaited<ReturnType<CallBook['begin']>>;
  readonly minuteCredit?: Awaited<ReturnType<CallBook['startMinute']>>;
  readonly media?: MediaRefusal;
  readonly noDescriptors?: boolean;
  readonly engineProblem?: string;
  readonly capacity?: number;
  readonly perAccount?: number;
  readonly answerDelayMs?: number;
}

function setup(options: Setup = {}) {
  const clock = new FakeClock();
  const port = new FakeMediaPort(clock);
  const summaries: CallSummary[] = [];
  const facts: string[] = [];
  const media: { options?: MediaPortOptions } = {};
  const book: CallBook = {
    begin: async () => options.credit ?? 'ok',
    answered: () => facts.push('answered'),
    startMinute: async (_id, minute) => {
      facts.push(`minute ${minute}`);
      return options.minuteCredit ?? 'ok';
    },
    turn: (_id, turn) => facts.push(`${turn.role}: ${turn.text}`),
    finish: async (_id, summary) => void summaries.push(summary),
  };
  const plane: MediaPlane = {
    open: async (portOptions): Promise<MediaPort | MediaRefusal> => {
      media.options = portOptions;
      return options.media ?? port;
    },
    load: () => ({
      calls: 0,
      capacity: 1,
      tickLatenessP99Ms: 0,
      lateTicks: 0,
      cpuPercent: 0,
      portsFree: 1,
      threads: 1,
      threadsDown: 0,
    }),
    close: async () => {},
  };
  const registry = new CallRegistry(options.capacity ?? 10);
  const ticker = new CallTicker(silentLogger);
  const deps: ReceptionDeps = {
    directory: {
      agentFor: async () => {
        if (options.directoryFails) throw new Error('connection refused');
        return 'agent' in options ? options.agent : AGENT;
      },
    },
    descriptors: { take: () => !options.noDescriptors },
    ...{ book, media: plane, registry, ticker, clock, logger: silentLogger, metrics: createMetrics() },
    ...{
      maxCallMs: 600_000,
      transferTimeoutMs: 1000,
      answerDelayMs: options.answerDelayMs ?? 0,
      maxCallsPerAccount: options.perAccount ?? 10,
    },
    recording: (id) => ({ path: `/data/${id}.wav`, name: `${id}.wav` }),
    engineProblem: () => options.engineProblem,
    conversation: () => ({
      settings: SETTINGS,
      vad: { speaking: false, levelDb: 0, floorDb: 0, push: () => undefined, reset: () => {}, close: () => {} },
      openStt: () => undefined,
      reply: {
        ...{ name: 'test', available: () => ({ ok: true }), greeting: () => 'Hello.' },
        expects: () => ({
          hints: { phrases: [], expect: [] },
          collect: { maxDigits: 1, terminator: '', timeoutMs: 1000 },
        }),
        async *reply() {
          yield { type: 'text', text: 'Bye.', language: 'en' } as const;
          yield { type: 'action', action: { type: 'transfer', target: '2000' } } as const;
        },
        close: async () => {},
      },
      synthesize: async function* () {
        yield new Int16Array(800);
      },
      clock,
      metrics: createMetrics(),
    }),
  };
  return { reception: new Reception(deps), leg: new FakeLeg(), port, clock, registry, summaries, facts, media };
}

const settle = async (): Promise<void> => {
  for (let i = 0; i < 50; i += 1) await Promise.resolve();
};

describe('a call is refused with its own reason', () => {
  it.each<{ name: string; options: Setup; reason: string }>([
    { name: 'nobody has the number', options: { agent: undefined }, reason: 'no-such-number' },
    { name: 'the agent is paused', options: { agent: { ...AGENT, status: 'paused' } }, reason: 'agent-not-live' },
    { name: 'the database is away', options: { directoryFails: true }, reason: 'store-unavailable' },
    { name: 'no engine', options: { engineProblem: 'espeak-ng is missing' }, reason: 'no-engine' },
    { name: 'no descriptors left', options: { noDescriptors: true }, reason: 'busy' },
    { name: 'all lines in use', options: { capacity: 0 }, reason: 'busy' },
    { name: 'all lines of the account in use', options: { perAccount: 0 }, reason: 'busy' },
  ])('$name', async ({ options, reason }) => {
    const s = setup(options);
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual([`reject ${reason}`]);
    expect(s.registry.size).toBe(0);
  });

  it.each<{ name: string; options: Setup; reason: string }>([
    { name: 'no credit', options: { credit: 'insufficient-credit' }, reason: 'no-credit' },
    { name: 'credit cannot be checked', options: { credit: 'unavailable' }, reason: 'store-unavailable' },
    { name: 'no RTP port', options: { media: 'no-ports' }, reason: 'busy' },
    { name: 'media overloaded', options: { media: 'overloaded' }, reason: 'busy' },
  ])('$name, and the record is closed', async ({ options, reason }) => {
    const s = setup(options);
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual([`hangup ${reason}`]);
    expect(s.summaries.map(({ end, answered }) => ({ reason: end.reason, answered }))).toEqual([
      { reason, answered: false },
    ]);
    expect(s.registry.size).toBe(0);
  });

  it('while draining', async () => {
    const s = setup();
    await s.registry.drain(10, callEnd('gateway', 'shutdown'));
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual(['reject draining']);
  });
});

describe('a call that is taken', () => {
  it('is answered, recorded, and ended once whoever asks', async () => {
    const s = setup();
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual(['answer']);
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

  it('rings first where that was asked for', async () => {
    const s = setup({ answerDelayMs: 2000 });
    const receiving = s.reception.receive(s.leg);
    await settle();
    expect(s.leg.log).toEqual(['ring']);
    s.clock.advance(2000);
    await receiving;
    expect(s.leg.log).toEqual(['ring', 'answer']);
  });

  it('is closed when the ACK never comes', async () => {
    const s = setup();
    s.leg.answerError = new LegError(callEnd('network', 'ack-timeout'));
    await s.reception.receive(s.leg);
    expect(s.summaries[0]).toMatchObject({ answered: false, end: { reason: 'ack-timeout' } });
    expect(s.port.closed).toBe(true);
    expect(s.registry.size).toBe(0);
  });

  it('frees the port when the caller cancels while it is opened', async () => {
    const s = setup();
    const receiving = s.reception.receive(s.leg);
    while (!s.leg.handlers) await Promise.resolve();
    s.leg.handlers.onEnd(callEnd('caller', 'cancelled'));
    await receiving;
    await settle();
    expect(s.summaries).toHaveLength(1);
    expect(s.summaries[0]).toMatchObject({ answered: false, end: { reason: 'cancelled' } });
    expect(s.registry.size).toBe(0);
  });

  it('charges every started minute, and ends politely when the credit does', async () => {
    const s = setup({ minuteCredit: 'insufficient-credit' });
    await s.reception.receive(s.leg);
    s.clock.advance(60_000);
    await settle();
    expect(s.facts).toContain('minute 1');
    expect(s.registry.size).toBe(1); // Still saying goodbye.
    const rich = setup();
    await rich.reception.receive(rich.leg);
    for (let minute = 0; minute < 3; minute += 1) {
      rich.clock.advance(60_000);
      await settle();
    }
    expect(rich.facts.filter((fact) => fact.startsWith('minute'))).toEqual(['minute 1', 'minute 2', 'minute 3']);
  });

  it('follows hold and resume, and keeps the digits', async () => {
    const s = setup();
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
  it('waits for live calls, then closes what is left', async () => {
    const s = setup();
    await s.reception.receive(s.leg);
    await s.registry.drain(20, callEnd('gateway', 'shutdown'));
    expect(s.summaries[0]).toMatchObject({ end: { reason: 'shutdown' } });
    expect(s.registry.size).toBe(0);
  });
});
