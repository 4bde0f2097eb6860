import type { PcmFrame } from '../../src/audio/pcm.ts';
import type { TurnRecord } from '../../src/billing/contract.ts';
import type { CallEnd } from '../../src/call/call-end.ts';
import { Conversation, type ConversationDeps } from '../../src/call/conversation.ts';
import type { ConversationSettings } from '../../src/call/conversation-settings.ts';
import type { Synthesize } from '../../src/call/speech-output.ts';
import type { TransferResult } from '../../src/call/transfer-outcome.ts';
import type { TurnEndParts } from '../../src/call/turn-end-watch.ts';
import type { VoiceWatch } from '../../src/call/voice-watch.ts';
import type { Agent } from '../../src/core/agent.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { ReplyEngine, ReplyEvent, ReplyRequest } from '../../src/engines/reply/contract.ts';
import type { SttEvent, SttExpectation, SttHints, SttStream } from '../../src/engines/stt/contract.ts';
import type { VadChange, VadDetector } from '../../src/engines/vad/contract.ts';
import { FakeClock } from './fake-clock.ts';
import { MEDIA } from './fake-leg.ts';
import { FakeMediaPort } from './fake-media-port.ts';
import { LogCapture } from './log-capture.ts';

export const SETTINGS: ConversationSettings = {
  greetingDelayMs: 0,
  ...{ vadStartMs: 60, vadHangoverMs: 200, vadLevelDb: 8 },
  ...{ endpointingMinMs: 500, endpointingMs: 500, endpointingMaxMs: 3000, bargeInMs: 500, bargeInWords: 2 },
  backchannels: ['okay', 'yeah', 'uh huh', 'نعم', 'طيب'],
  ...{ resumeAfterMs: 2000, noInputMs: 8000, maxNoInputs: 3 },
  ...{ replyTimeoutMs: 5000, synthesisTimeoutMs: 3000, maxFailures: 3 },
};

export const AGENT: Agent = {
  ...{ id: 'agt_test', accountId: 'acc_test', version: 1, status: 'live', updatedAt: new Date(0) },
  definition: {
    name: 'Test',
    language: 'en-US',
    voice: 'emma',
    model: 'sada-1',
    greeting: { en: 'Hello there, how can I help?' },
  },
};

/** Frames of this level and above are speech: see `LevelStt`. */
export const SPEECH_LEVEL = 4000;

const SYLLABLE_DB = [-24, -18, -18, -22, -44];

/** Loud means speech, of one person or many. Opens after 3 loud frames, closes after 10 silent ones. */
export class SyllableVad implements VadDetector {
  constructor(readonly voice: 'person' | 'crowd' = 'person') {}
  speaking = false;
  floorDb = -60;
  #samples = 0;
  #run = 0;
  #loud = false;
  get levelDb(): number {
    if (!this.#loud) return -60;
    return this.voice === 'crowd' ? -26 : SYLLABLE_DB[(this.#samples / 160) % SYLLABLE_DB.length]!;
  }
  push(frame: PcmFrame): VadChange | undefined {
    this.#samples += frame.samples.length;
    const loud = Math.abs(frame.samples[0]!) > 500;
    this.#loud = loud;
    this.#run = loud === this.speaking ? 0 : this.#run + 1;
    if (this.#run < (this.speaking ? 10 : 3)) return undefined;
    const atSample = this.#samples - this.#run * 160;
    this.#run = 0;
    this.speaking = loud;
    return { type: loud ? 'start' : 'end', atSample };
  }
  reset(): void {
    this.speaking = false;
    this.#samples = 0;
    this.#run = 0;
  }
  close(): void {}
}

/** Recognises by level: audio of level `SPEECH_LEVEL + n` says `spoken[n]`, however often it is given. */
export class LevelStt implements SttStream {
  #heard: string[] = [];
  #events: SttEvent[] = [];
  #wake: (() => void) | undefined;
  #over = false;
  failure: Error | undefined;
  /** That it says it heard. */
  language: string | undefined;
  constructor(private readonly spoken: readonly string[]) {}
  write(frame: PcmFrame): void {
    const text = this.spoken[frame.samples[0]! - SPEECH_LEVEL];
    if (text === undefined || this.#heard.at(-1) === text) return;
    this.#heard.push(text);
    // Like a streaming recogniser: the words so far appear while the caller speaks.
    if (text !== '') this.emit({ type: 'interim', text: this.#heard.join(' ') });
  }
  flush(): void {
    const text = this.#heard.join(' ').trim();
    this.#heard = [];
    const { language } = this;
    this.emit({ type: 'final', text, confidence: 0.9, startMs: 0, endMs: 0, ...(language && { language }) });
  }
  emit(event: SttEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }
  fail(error: Error): void {
    this.failure = error;
    this.#wake?.();
  }
  readonly hints: SttHints[] = [];
  hint(hints: SttHints): void {
    this.hints.push(hints);
  }
  end(): void {
    this.#over = true;
    this.#wake?.();
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<SttEvent> {
    for (;;) {
      for (let event = this.#events.shift(); event; event = this.#events.shift()) yield event;
      if (this.failure) throw this.failure;
      if (this.#over) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

export interface RigOptions {
  readonly mode?: 'voice' | 'keypad';
  readonly settings?: Partial<ConversationSettings>;
  readonly answer?: (request: ReplyRequest) => readonly ReplyEvent[] | Error;
  /** The answer waits for it. */
  readonly answerAfter?: Promise<void>;
  /** What is waited for after this many turns. */
  readonly expect?: readonly SttExpectation[] | ((turns: number) => readonly SttExpectation[]);
  /** Asked again when nobody took the call. */
  readonly resume?: string;
  readonly transferOk?: boolean;
  /** In place of an outcome at once. */
  readonly transfer?: (target: string) => Promise<TransferResult>;
  readonly synthesisFails?: boolean;
  readonly synthesize?: Synthesize;
  readonly collectDigits?: number;
  /** A real engine in place of `answer` and `expect`; give it an agent and, as its time is real, long limits. */
  readonly engine?: ReplyEngine;
  readonly takesNote?: ReplyEngine['takesNote'];
  readonly agent?: Agent;
  readonly variables?: Readonly<Record<string, string>>;
  /** In place of a caller of constant levels. */
  readonly port?: (clock: FakeClock) => FakeMediaPort;
  readonly vad?: VadDetector;
  /** Who judges the end of turns. */
  readonly turnEnd?: (clock: FakeClock) => TurnEndParts;
  /** Compares who judges voices. */
  readonly voiceWatch?: VoiceWatch;
  /** Who speaks where the caller does: the caller, or many people at once. */
  readonly voice?: 'person' | 'crowd';
}

/** A conversation with everything around it faked, on a clock the test moves. */
export function rig(options: RigOptions = {}) {
  const clock = new FakeClock();
  const port = options.port?.(clock) ?? new FakeMediaPort(clock);
  const log = new LogCapture();
  const metrics = createMetrics();
  const turns: TurnRecord[] = [];
  const ends: CallEnd[] = [];
  const endedAtMs: number[] = [];
  const requests: ReplyRequest[] = [];
  const stts: LevelStt[] = [];
  const spoken: string[] = [];
  const transfers: string[] = [];
  const reply: ReplyEngine = {
    name: 'test',
    available: () => ({ ok: true }),
    greeting: (agent) => agent.definition.greeting.en!,
    expects: (_agent, history) => ({
      hints: {
        phrases: [],
        expect: typeof options.expect === 'function' ? options.expect(history.length) : (options.expect ?? []),
      },
      collect: { maxDigits: options.collectDigits ?? 4, terminator: '#', timeoutMs: 3000 },
      ...(options.resume !== undefined && { resume: options.resume }),
    }),
    async *reply(request) {
      requests.push(request);
      await options.answerAfter;
      const answer = options.answer?.(request) ?? [{ type: 'text', text: `You said ${request.text}.`, language: 'en' }];
      if (answer instanceof Error) throw answer;
      yield* answer as ReplyEvent[];
    },
    ...(options.takesNote && { takesNote: options.takesNote }),
    close: async () => {},
  };
  const deps: ConversationDeps = {
    ...{
      agent: options.agent ?? AGENT,
      variables: options.variables ?? {},
      port,
      vad: options.vad ?? new SyllableVad(options.voice),
      reply: options.engine ?? reply,
      clock,
      logger: log.logger,
      metrics,
    },
    settings: { ...SETTINGS, ...options.settings },
    ...(options.voiceWatch && { voice: options.voiceWatch }),
    ...(options.turnEnd && { turnEnd: options.turnEnd(clock) }),
    openStt: () => {
      if (options.mode === 'keypad') return undefined;
      const stt = new LevelStt(spoken);
      stts.push(stt);
      return stt;
    },
    // 100 ms of audio a word.
    synthesize:
      options.synthesize ??
      async function* (text) {
        if (options.synthesisFails) throw new Error('no voice');
        for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
      },
    sink: (turn) => turns.push(turn),
    transfer: async ({ target }) => {
      transfers.push(target);
      return options.transfer?.(target) ?? (options.transferOk ? { moved: true } : { moved: false, cause: 'failed' });
    },
    end: (end) => {
      ends.push(end);
      endedAtMs.push(clock.nowMs());
    },
  };
  const conversation = new Conversation(deps);
  const stt = (): LevelStt => stts[stts.length - 1]!;
  /** Lets `ms` pass in ticks of 20 ms. */
  const run = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20) {
      conversation.tick();
      for (let i = 0; i < 30; i += 1) await Promise.resolve();
      clock.advance(20);
    }
  };
  /** The caller speaks for `ms`, recognised as `text`, in real time. */
  const say = async (text: string, ms = 800): Promise<void> => {
    const level = SPEECH_LEVEL + spoken.push(text) - 1;
    for (let passed = 0; passed < ms; passed += 20) {
      port.hear(20, level);
      await run(20);
    }
  };
  const silence = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20) {
      port.hear(20, 0);
      await run(20);
    }
  };
  /** The caller holds the call, or takes it back, as the session does it. */
  const hold = (held: boolean): void => {
    port.configure({ ...MEDIA, direction: held ? 'recvonly' : 'sendrecv' });
    conversation.setHeld(held);
  };
  const said = (): string[] => turns.map((turn) => `${turn.role}: ${turn.text}`);
  return {
    clock,
    log,
    metrics,
    port,
    turns,
    ends,
    endedAtMs,
    requests,
    stts,
    stt,
    transfers,
    conversation,
    run,
    say,
    silence,
    hold,
    said,
  };
}
