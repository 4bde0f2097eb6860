import type { PcmFrame } from '../audio/pcm.ts';
import type { Timer } from '../core/clock.ts';
import { OVER } from '../core/over.ts';
import type { BreakerOutcome } from './circuit-breaker.ts';
import type { Admission, EngineGuard } from './guard.ts';
import { EngineTimeout } from './pump.ts';
import { AudioTimes, lengthMs } from './stt/audio-times.ts';
import {
  PATIENT_FINAL_MS,
  type SttEngine,
  type SttEvent,
  type SttFeed,
  type SttHints,
  type SttOptions,
  type SttStream,
} from './stt/contract.ts';
import { SttBacklog } from './stt-backlog.ts';

/** Audio kept while a stream waits for its place. */
const WAITING_AUDIO_MS = 10_000;

/**
 * The same recogniser behind a guard. A stream holds its place until its iterator ends; the first-result limit runs from
 * a `flush()` or `end()` that has audio to settle, to its final.
 */
export function guardStt(engine: SttEngine, guard: EngineGuard): SttEngine {
  return {
    name: engine.name,
    capabilities: engine.capabilities,
    available: (language) => guard.available(engine.available(language)),
    warmUp: (options) => (guard.breaker.state === 'closed' ? engine.warmUp?.(options) : undefined),
    open: (options, signal) => {
      const { language, sampleRateHz } = options;
      if (guard.place === 'remote')
        guard.probe = (inner) => hearSilence(engine, { language, sampleRateHz, interim: false }, inner);
      return new GuardedSttStream(engine, guard, options, signal);
    },
    close: () => {
      guard.close();
      return engine.close();
    },
  };
}

const PROBE_SECONDS = 0.5;

/** Half a second without speech, which has to be answered with any words or none. */
async function hearSilence(engine: SttEngine, options: SttOptions, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  try {
    const stream = engine.open(options, AbortSignal.any([signal, over.signal]));
    const { sampleRateHz } = options;
    stream.write({ samples: new Int16Array(Math.round(sampleRateHz * PROBE_SECONDS)), sampleRateHz });
    stream.end();
    for await (const { type } of stream) if (type === 'final') return;
    signal.throwIfAborted();
  } finally {
    over.abort(OVER);
  }
}

type Failure = (error: unknown) => void;

class GuardedSttStream implements SttStream {
  readonly #backlog = new SttBacklog(WAITING_AUDIO_MS);
  readonly #abort = new AbortController();
  #failure: unknown;
  #onFailure: Failure = () => {};
  #inner: SttStream | undefined;
  readonly #times = new AudioTimes(); // of what it was given
  #writtenMs = 0;
  #admission: Admission | undefined;
  #hasAudio = false; // since the last final
  #ended = false;
  #watchdog: Timer | undefined;
  #flushedMs = 0;
  readonly #opened: Promise<void>;
  /** What can be said of the engine when the stream is given up: a call ends in the middle of anything. */
  #soFar: 'success' | 'unknown' = 'unknown';
  readonly #onAbort = (): void => this.#finish(this.#soFar);

  constructor(
    readonly engine: SttEngine,
    readonly guard: EngineGuard,
    readonly options: SttOptions,
    readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#opened = this.#open();
    this.#opened.catch(() => {}); // whoever iterates hears of it
  }

  get feed(): SttFeed {
    return this.#inner?.feed ?? 'whole-stretches';
  }
  get tellsApart(): boolean {
    return this.#inner?.tellsApart ?? this.engine.capabilities.tellsApart ?? false;
  }

  write(frame: PcmFrame): void {
    if (this.#ended) return;
    this.#hasAudio ||= frame.samples.length > 0;
    const ms = lengthMs(frame);
    if (this.#inner) this.#times.give(ms, this.#writtenMs);
    this.#writtenMs += ms;
    (this.#inner ?? this.#backlog).write(frame);
  }

  flush(): void {
    if (this.#ended) return;
    this.#expectFinal();
    (this.#inner ?? this.#backlog).flush();
  }

  hint(hints: SttHints): void {
    if (!this.#ended) (this.#inner ?? this.#backlog).hint(hints);
  }

  end(): void {
    if (this.#ended) return;
    this.#expectFinal();
    this.#ended = true;
    (this.#inner ?? this.#backlog).end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SttEvent> {
    let outcome: BreakerOutcome = 'unknown';
    try {
      await this.#opened;
      const events = this.#inner?.[Symbol.asyncIterator]();
      while (events && !this.signal.aborted) {
        const next = await this.#unlessFailed(events.next());
        if (next.done || this.signal.aborted) break;
        if (next.value.type === 'final') this.#settled();
        yield this.#times.placed(next.value);
      }
      outcome = this.#soFar; // a stream without speech says nothing of it
    } catch (error) {
      if (this.signal.aborted) return;
      outcome = this.#admission ? this.guard.judge(error) : 'unknown';
      if (this.#admission && !this.#abort.signal.aborted) this.guard.count('failed', error, this.options.used);
      throw this.guard.asServiceError(error);
    } finally {
      this.#finish(outcome);
    }
  }

  async #open(): Promise<void> {
    const { used } = this.options;
    this.#admission = this.guard.tryAdmit(used) ?? (await this.guard.admit(this.signal, used));
    if (!this.#admission) return; // aborted while waiting
    if (this.signal.aborted) return this.#finish('unknown');
    try {
      const inner = this.engine.open(this.options, this.#abort.signal);
      this.#backlog.replay(inner, this.#times);
      this.#inner = inner;
    } catch (error) {
      this.#finish(this.guard.judge(error));
      this.guard.count('failed', error, used);
      throw error;
    } finally {
      this.#backlog.clear();
    }
  }

  /** The engine's next event; an engine that hangs does not keep the time limit from being noticed. */
  #unlessFailed<T>(wait: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#onFailure = reject;
      wait.then(resolve, reject);
      if (this.#failure !== undefined) reject(this.#failure);
    });
  }

  #expectFinal(): void {
    if (!this.#hasAudio || this.#watchdog) return;
    const { clock } = this.guard.deps;
    const { firstResultMs } = this.guard.limits;
    const limitMs = this.options.patient ? Math.max(firstResultMs, PATIENT_FINAL_MS) : firstResultMs;
    this.#flushedMs = clock.nowMs();
    this.#watchdog = clock.setTimer(limitMs, () => {
      const error = new EngineTimeout('first-result-timeout', clock.nowMs() - this.#flushedMs - limitMs);
      this.guard.count('first-result-timeout', error, this.options.used);
      this.#abort.abort(OVER);
      this.#failure = error;
      this.#onFailure(error);
    });
  }

  #settled(): void {
    this.#soFar = 'success';
    this.#admission?.proved();
    if (this.#watchdog) this.guard.observe(this.#flushedMs);
    this.guard.deps.clock.clearTimer(this.#watchdog);
    this.#watchdog = undefined;
    this.#hasAudio = false;
  }

  /** Gives the place back. Idempotent; the first outcome counts. */
  #finish(outcome: BreakerOutcome): void {
    this.#ended = true;
    this.guard.deps.clock.clearTimer(this.#watchdog);
    this.signal.removeEventListener('abort', this.#onAbort);
    this.#abort.abort(OVER);
    this.#admission?.finish(outcome);
  }
}
