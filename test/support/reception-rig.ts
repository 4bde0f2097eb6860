import type { CallBook, CallSummary } from '../../src/billing/contract.ts';
import { callEnd } from '../../src/call/call-end.ts';
import { CallRegistry } from '../../src/call/call-registry.ts';
import { CallTicker } from '../../src/call/call-ticker.ts';
import type { ConversationSettings } from '../../src/call/conversation-settings.ts';
import { Reception, type ReceptionDeps } from '../../src/call/reception.ts';
import type { Agent } from '../../src/core/agent.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { ReplyEvent, ReplyRequest } from '../../src/engines/reply/contract.ts';
import type { MediaPlane, MediaPort, MediaPortOptions, MediaRefusal } from '../../src/media/media-port.ts';
import { ownMusic } from '../../src/media/music-loop.ts';
import { RtpSession } from '../../src/media/rtp/rtp-session.ts';
import type { CallStart } from '../../src/store/call-rows.ts';
import { AGENT, LevelStt, SETTINGS, SPEECH_LEVEL } from './conversation-rig.ts';
import { DIRECT_ROUTER } from './direct-router.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeDialer } from './fake-dialer.ts';
import { FakeLeg } from './fake-leg.ts';
import { bridgeFakes, FakeMediaPort } from './fake-media-port.ts';
import { LevelVad } from './level-vad.ts';
import { LogCapture } from './log-capture.ts';

/** What waits hear. */
export const MUSIC = ownMusic();

export interface Setup {
  readonly agent?: Agent | undefined;
  readonly directoryFails?: boolean;
  readonly numberOff?: boolean;
  readonly credit?: Awaited<ReturnType<CallBook['begin']>>;
  /** What a further minute gets, by its number. */
  readonly minuteCredit?: (minute: number) => Awaited<ReturnType<CallBook['startMinute']>>;
  readonly media?: MediaRefusal;
  readonly noDescriptors?: boolean;
  /** Taken by another call while this one was looked up. */
  readonly lastDescriptorsGone?: boolean;
  readonly engineProblem?: string;
  readonly prepare?: (agent: Agent) => Promise<void>;
  readonly capacity?: number;
  readonly perAccount?: number;
  readonly answerDelayMs?: number;
  readonly maxCallMs?: number;
  readonly transferTimeoutMs?: number;
  readonly recorded?: boolean;
  readonly settings?: Partial<ConversationSettings>;
  readonly answer?: (request: ReplyRequest) => readonly ReplyEvent[];
}

/** A gateway's reception with real sessions and conversations; what touches network, money and engines is faked. */
export function receptionRig(options: Setup = {}) {
  const clock = new FakeClock();
  const ports: FakeMediaPort[] = [];
  const vads: LevelVad[] = [];
  const spoken: string[] = [];
  const requests: ReplyRequest[] = [];
  const summaries: CallSummary[] = [];
  const facts: string[] = [];
  const through: string[] = []; // outcomes of who was tried, told when the caller got through
  const opening = { calls: 0, atPort: 0 }; // that have not opened all they need
  const begun: CallStart[] = []; // calls in the book
  const refused: { readonly reason: string; readonly accountId: string | undefined }[] = []; // without a record
  const media: { options?: MediaPortOptions; readonly opened: MediaPortOptions[] } = { opened: [] }; // the latest, and all
  const metrics = createMetrics();
  const log = new LogCapture();
  const book: CallBook = {
    begin: async (call) => {
      begun.push(call);
      return options.credit ?? 'ok';
    },
    answered: () => facts.push('answered'),
    startMinute: async (_id, minute) => {
      facts.push(`minute ${minute}`);
      return options.minuteCredit?.(minute) ?? 'ok';
    },
    turn: (_id, turn) => facts.push(`${turn.role}: ${turn.text}`),
    transferred: (_id, transfers) => through.push(transfers.map(({ outcome }) => outcome).join()),
    finish: async (_id, summary) => void summaries.push(summary),
  };
  const plane: MediaPlane = {
    open: async (portOptions): Promise<MediaPort | MediaRefusal> => {
      media.options = portOptions;
      media.opened.push(portOptions);
      if (options.media) return options.media;
      opening.atPort = opening.calls;
      const port = new FakeMediaPort(clock);
      ports.push(port);
      return port;
    },
    bridge: (a, b) => bridgeFakes(a as FakeMediaPort, b as FakeMediaPort),
    load: () => ({
      ...{ calls: 0, capacity: 1, tickLatenessP99Ms: 0, lateTicks: 0, cpuPercent: 0, portsFree: 1 },
      ...{ threads: 1, threadsDown: 0, recording: { ok: true } as const },
    }),
    close: async () => {},
  };
  const gauge = { calls: 0 };
  const registry = new CallRegistry(options.capacity ?? 200, clock, (calls) => {
    gauge.calls = calls;
  });
  const dialer = new FakeDialer();
  dialer.rings = true;
  const ticker = new CallTicker(clock, log.logger);
  const deps: { -readonly [Part in keyof ReceptionDeps]: ReceptionDeps[Part] } = {
    onRefused: (_info, { reason }, accountId) => refused.push({ reason, accountId }),
    directory: {
      problemOf: async () =>
        options.numberOff ? callEnd('gateway', 'switched-off', 'the number is switched off') : undefined,
      agentFor: async () => {
        if (options.directoryFails) throw new Error('connection refused');
        return 'agent' in options ? options.agent : AGENT;
      },
    },
    descriptors: {
      short: options.noDescriptors === true,
      take: () => {
        if (options.lastDescriptorsGone) return undefined;
        opening.calls += 1;
        return () => {
          opening.calls -= 1;
        };
      },
    },
    ...{ router: DIRECT_ROUTER, musicOf: (name) => (name === 'none' ? undefined : MUSIC) },
    ...{ book, media: plane, dialer, registry, ticker, clock, logger: log.logger, metrics },
    maxCallMs: options.maxCallMs ?? 600_000,
    transferTimeoutMs: options.transferTimeoutMs ?? 1000,
    answerDelayMs: options.answerDelayMs ?? 0,
    maxCallsPerAccount: options.perAccount ?? 200,
    recording: (id) => (options.recorded === false ? undefined : { path: `/data/${id}.wav`, name: `${id}.wav` }),
    sessionOf: (port) => new RtpSession(port.local),
    engineProblem: () => options.engineProblem,
    prepare: options.prepare ?? (async () => {}),
    conversation: () => {
      const vad = new LevelVad();
      vads.push(vad);
      return {
        ...{ settings: { ...SETTINGS, ...options.settings }, vad, clock, metrics },
        openStt: () => new LevelStt(spoken),
        reply: {
          ...{ name: 'test', available: () => ({ ok: true }), greeting: () => 'Hello.' },
          expects: () => ({
            hints: { phrases: [], expect: [] },
            collect: { maxDigits: 1, terminator: '', timeoutMs: 1000 },
          }),
          async *reply(request) {
            requests.push(request);
            yield* options.answer?.(request) ?? [{ type: 'text', text: `You said ${request.text}.`, language: 'en' }];
          },
          close: async () => {},
        },
        // 100 ms of audio a word.
        synthesize: async function* (text) {
          for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
        },
      };
    },
  };
  const leg = new FakeLeg();
  /** Lets `ms` pass, ticks and promises included. */
  const run = (ms: number): Promise<void> => clock.advanceAsync(ms, 20);
  const caller = (): FakeMediaPort => (ports.find(({ closed }) => !closed) ?? ports.at(-1))!;
  /** The caller says `text` in the only call there is, for `ms`, in real time. */
  const say = async (text: string, ms = 800): Promise<void> => {
    const level = SPEECH_LEVEL + spoken.push(text) - 1;
    for (let passed = 0; passed < ms; passed += 20) {
      caller().hear(20, level);
      await run(20);
    }
  };
  /** Whom the caller was put through to says it. */
  const personSays = async (text: string, ms = 800): Promise<void> => {
    const level = SPEECH_LEVEL + spoken.push(text) - 1;
    for (let passed = 0; passed < ms; passed += 20) {
      ports.at(-1)!.hear(20, level);
      caller().hear(20, 0);
      await run(20);
    }
    for (let passed = 0; passed < 1_200; passed += 20) {
      ports.at(-1)!.hear(20, 0);
      caller().hear(20, 0);
      await run(20);
    }
  };
  const silence = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20) {
      caller().hear(20, 0);
      await run(20);
    }
  };
  return {
    ...{
      deps,
      reception: new Reception(deps),
      leg,
      dialer,
      begun,
      refused,
      clock,
      registry,
      ticker,
      book,
      plane,
      metrics,
      gauge,
      log,
    },
    ...{ ports, vads, spoken, summaries, through, facts, media, opening, requests, run, say, personSays, silence },
    get port(): FakeMediaPort {
      return ports[0]!;
    },
  };
}

/** Lets what waits for nothing but promises happen. */
export const settle = async (): Promise<void> => {
  for (let i = 0; i < 50; i += 1) await Promise.resolve();
};
