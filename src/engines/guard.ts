import { type Clock, type Timer, timeoutSignal } from '../core/clock.ts';
import { type ErrorCode, errorText, ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { sentence } from '../core/notice.ts';
import { ofCall, type TellUse } from '../core/service-use.ts';
import { isShortage } from '../core/shortage.ts';
import { type BreakerOutcome, type BreakerPermit, CircuitBreaker, type PauseReason } from './circuit-breaker.ts';
import { effectOf } from './failure-effects.ts';
import { EngineTimeout, Pump } from './pump.ts';
import { type Release, Slots } from './slots.ts';

/** What one engine may take; the same shape as `engines.limits.<capability>` in the configuration. */
export interface EngineLimits {
  /** Longest wait for the first result; also the longest wait for a place. */
  readonly firstResultMs: number;
  /** Longest the engine may work on one call in all. Time in which the consumer is slow does not count. */
  readonly totalMs: number;
  readonly concurrency: number; // calls at once
  readonly queue: number; // calls that may wait for a place; the next one is refused with `unavailable`
  readonly breakerFailures: number; // failures in a row that pause the engine
  readonly breakerCooldownMs: number;
}

export type Capability = 'stt' | 'reply' | 'tts' | 'document' | 'afterCall';

export interface GuardDeps {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Label of `nidaa_engine_errors_total`. */
export type EngineErrorKind =
  | 'failed'
  | 'first-result-timeout'
  | 'total-timeout'
  | 'probe-failed'
  | 'queue-full'
  | 'queue-timeout'
  | 'paused';

/** Results an engine may be ahead of its consumer; beyond it the engine waits. */
const BUFFERED_RESULTS = 64;

const PAUSE_REASONS: readonly PauseReason[] = ['failures', 'key-refused', 'left-alone'];

const FAILURE_CODE = {
  stt: 'transcription_failed',
  reply: 'reply_failed',
  tts: 'synthesis_failed',
  document: 'answer_failed',
  afterCall: 'answer_failed',
} as const satisfies Record<Capability, ErrorCode>;

/** Asks an engine for a little, so that no caller has to find out that it still fails. Rejects where it does. */
export type Probe = (signal: AbortSignal) => Promise<void>;

/** A permission to use the engine: a place among its concurrent calls and the breaker's consent. Finish it once. */
export interface Admission {
  /** It has done its work, though it goes on: a call may take an hour. */
  proved(): void;
  finish(outcome: BreakerOutcome): void;
}

/** Of one run of an engine. */
interface RunTerms {
  /** Whose run it is. */
  readonly used?: TellUse | undefined;
  /** What can be said of the engine after a run that came to its end; nothing bad, by default. */
  readonly whole?: () => BreakerOutcome;
}

/**
 * Stands before one engine instance: limits of time and number, circuit breaker, metrics. Every call of that instance,
 * from phone calls and from the API, goes through the same guard.
 */
export class EngineGuard {
  readonly slots: Slots;
  readonly breaker: CircuitBreaker;
  /** Once there is something to ask it with; without it the next caller tries an engine that was paused. */
  probe: Probe | undefined;
  readonly #labels: { readonly capability: Capability; readonly engine: string };
  readonly #closing = new AbortController();
  #probing: Promise<void> | undefined;
  #probeTimer: Timer | undefined;
  /** Somebody would have used it in its pause: an engine that nobody wants is not probed for ever. */
  #wanted = false;
  /** Work that nobody waits for. */
  #aside: AbortController | undefined;

  constructor(
    readonly capability: Capability,
    readonly engineName: string,
    readonly limits: EngineLimits,
    readonly deps: GuardDeps,
    /** Where the engine works: what is slow on this machine is not sick, and what refuses here is full. */
    readonly place: 'here' | 'remote' = 'here',
  ) {
    this.#labels = { capability, engine: engineName };
    this.slots = new Slots(limits.concurrency, limits.queue, deps.clock, (waiting) =>
      deps.metrics.engineQueue.set(this.#labels, waiting),
    );
    this.breaker = new CircuitBreaker(
      { failures: limits.breakerFailures, cooldownMs: limits.breakerCooldownMs },
      deps.clock,
      () => this.#breakerChanged(),
    );
  }

  /** The engine's own answer, or that it is paused. */
  available<A extends { readonly ok: true } | { readonly ok: false; readonly why: string }>(own: A) {
    if (!own.ok || !this.refuses) return own;
    return { ok: false, why: this.#whyPaused() } as const;
  }

  /** Whether nobody is let through now; who asks wants it back. */
  get refuses(): boolean {
    const { breaker } = this;
    if (breaker.state === 'half-open' && this.probe) void this.#probe();
    const refuses = breaker.refuses;
    this.#wanted ||= refuses;
    return refuses;
  }

  /** Tries an engine that is paused, whatever its pause is for: somebody has mended what was wrong, or wants to know. */
  async retry(): Promise<void> {
    this.breaker.cool();
    if (this.breaker.state === 'half-open' && this.probe) await this.#probe();
  }

  /** The engine is closed: it is not probed any more. */
  close(): void {
    this.#closing.abort();
    this.deps.clock.clearTimer(this.#probeTimer);
  }

  /**
   * Runs an engine call whose results stream. `start` is called once there is a place, and works ahead of the consumer
   * by up to 64 results, so a place is held only as long as the engine really works.
   *
   * @throws ServiceError `unavailable` when refused, else the capability's failure code. Aborting ends without an error.
   */
  async *stream<T extends object>(
    start: (signal: AbortSignal) => AsyncIterable<T>,
    signal: AbortSignal,
    { used, whole = () => 'success' }: RunTerms = {},
  ): AsyncGenerator<T> {
    const admission = await this.admit(signal, used);
    if (!admission) return;
    const startedMs = this.deps.clock.nowMs();
    const pump = new Pump<T>(start, signal, {
      clock: this.deps.clock,
      firstResultMs: this.limits.firstResultMs,
      totalMs: this.limits.totalMs,
      bufferedMax: BUFFERED_RESULTS,
      onFirst: () => this.observe(startedMs),
      onEnd: (end) => {
        if (end.type === 'failed') admission.finish(this.judge(end.error));
        else admission.finish(end.type === 'complete' ? whole() : 'unknown');
        if (end.type === 'failed') this.count(kindOf(end.error), end.error, used);
      },
    });
    try {
      yield* pump.results();
    } catch (error) {
      throw this.asServiceError(error);
    } finally {
      pump.stop();
    }
  }

  /**
   * Work that nobody waits for: it has no place of its own, and is given up as soon as somebody needs the engine.
   *
   * @throws ServiceError `unavailable` where somebody uses the engine, or it is paused; else as `stream`.
   */
  async *aside<T extends object>(
    start: (signal: AbortSignal) => AsyncIterable<T>,
    signal: AbortSignal,
  ): AsyncGenerator<T> {
    const inUse = this.slots.held > 0 || this.slots.waiting > 0 || this.#aside !== undefined;
    const permit = inUse || this.breaker.state !== 'closed' ? undefined : this.breaker.admit();
    if (!permit) throw yielded();
    const wanted = new AbortController();
    this.#aside = wanted;
    const pump = new Pump<T>(start, AbortSignal.any([signal, wanted.signal]), {
      ...{ clock: this.deps.clock, firstResultMs: this.limits.firstResultMs, totalMs: this.limits.totalMs },
      ...{ bufferedMax: BUFFERED_RESULTS, onFirst: () => {} },
      onEnd: (end) => {
        permit(end.type === 'failed' ? this.judge(end.error) : end.type === 'complete' ? 'success' : 'unknown');
        if (end.type === 'failed') this.count(kindOf(end.error), end.error);
        this.#aside = undefined;
      },
    });
    try {
      yield* pump.results();
      if (wanted.signal.aborted) throw yielded();
    } catch (error) {
      throw this.asServiceError(error);
    } finally {
      pump.stop();
    }
  }

  /** Runs an engine call with one result; undefined when aborted. Errors as in `stream`. */
  async call<T extends object>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    used?: TellUse,
  ): Promise<T | undefined> {
    const once = async function* (inner: AbortSignal): AsyncGenerator<T> {
      yield await work(inner);
    };
    for await (const result of this.stream(once, signal, used ? { used } : {})) return result;
    return undefined;
  }

  /** A place and the breaker's consent; undefined when aborted while waiting. Throws ServiceError `unavailable`. */
  async admit(signal: AbortSignal, used?: TellUse): Promise<Admission | undefined> {
    this.#aside?.abort();
    if (this.refuses) throw this.refusal('paused', used);
    const slot = await this.slots.acquire(this.limits.firstResultMs, signal);
    if (slot === 'aborted') return undefined;
    if (typeof slot === 'string') throw this.refusal(slot, used);
    return this.#consent(slot, used);
  }

  /** The same without waiting: undefined when all places are taken. */
  tryAdmit(used?: TellUse): Admission | undefined {
    this.#aside?.abort();
    if (this.refuses) throw this.refusal('paused', used);
    const slot = this.slots.tryAcquire();
    return slot && this.#consent(slot, used);
  }

  #consent(slot: Release, used: TellUse | undefined): Admission {
    const permit: BreakerPermit | undefined = this.breaker.admit();
    if (!permit) {
      slot();
      throw this.refusal('paused', used);
    }
    return {
      proved: () => permit('success'),
      finish: (outcome) => {
        permit(outcome);
        slot();
      },
    };
  }

  observe(startedMs: number): void {
    this.deps.metrics.engineSeconds.observe(this.#labels, (this.deps.clock.nowMs() - startedMs) / 1000);
  }

  count(kind: EngineErrorKind, error?: unknown, used?: TellUse): void {
    this.deps.metrics.engineErrors.inc({ ...this.#labels, kind });
    const cause = error instanceof Error && error.cause !== undefined ? errorText(error.cause) : undefined;
    const fields = {
      ...ofCall(used),
      ...this.#labels,
      kind,
      error: error === undefined ? undefined : errorText(error),
      cause,
    };
    if (error === undefined) this.deps.logger.debug(fields, 'engine call refused');
    else this.deps.logger.warn(fields, 'engine call failed');
  }

  refusal(kind: 'paused' | 'queue-full' | 'queue-timeout', used?: TellUse): ServiceError {
    this.count(kind, undefined, used);
    return new ServiceError('unavailable', '', { cause: new Error(`${this.capability} ${this.engineName}: ${kind}`) });
  }

  /**
   * Whether the engine failed. Neither a mistake of the request (status below 500) nor a lack of descriptors is a sign of a
   * sick engine; nor is what takes long or is refused on this machine, which has too much to do: often for one account.
   */
  judge(error: unknown): BreakerOutcome {
    if (this.#isCapacity(error)) return 'unknown';
    const told = effectOf(error);
    if (told) return told;
    return error instanceof ServiceError && error.status < 500 ? 'unknown' : 'failure';
  }

  #isCapacity(error: unknown): boolean {
    if (isShortage(error)) return true;
    if (error instanceof EngineTimeout) return this.place === 'here' || error.isOurs;
    return this.place === 'here' && error instanceof ServiceError && error.code === 'unavailable';
  }

  #whyPaused(): string {
    const { engineName: engine } = this;
    const { why, leftMs } = this.breaker.pause ?? { why: 'failures', leftMs: 0 };
    if (leftMs <= 0) return sentence('engine.tried-again', { engine });
    const seconds = Math.ceil(leftMs / 1000);
    if (why === 'failures') return sentence('engine.paused', { engine, seconds });
    return sentence(why === 'key-refused' ? 'engine.key-refused' : 'engine.left-alone', { seconds });
  }

  #breakerChanged(): void {
    const { clock, metrics } = this.deps;
    const { pause } = this.breaker;
    for (const why of PAUSE_REASONS) {
      const untilMs = pause?.why === why ? clock.utc().getTime() + pause.leftMs : 0;
      metrics.enginePausedUntil.set({ ...this.#labels, why }, untilMs / 1000);
    }
    clock.clearTimer(this.#probeTimer);
    if (!pause || !this.probe || this.#closing.signal.aborted) return;
    this.#probeTimer = clock.setTimer(pause.leftMs, () => {
      if (this.#wanted && this.breaker.state === 'half-open') void this.#probe();
    });
  }

  /** One at a time. Never rejects: what comes of it, the breaker knows. */
  #probe(): Promise<void> {
    this.#probing ??= this.#probeOnce().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #probeOnce(): Promise<void> {
    const permit = this.breaker.admit();
    if (!permit || !this.probe) return permit?.('unknown');
    this.#wanted = false;
    const { signal, cancel } = timeoutSignal(this.deps.clock, this.limits.firstResultMs);
    try {
      await unlessAborted(this.probe(AbortSignal.any([signal, this.#closing.signal])), signal);
      permit('success');
    } catch (error) {
      if (this.#closing.signal.aborted) return permit('unknown');
      this.count('probe-failed', error);
      permit(signal.aborted ? 'failure' : this.judge(error));
    } finally {
      cancel();
    }
  }

  asServiceError(error: unknown): ServiceError {
    if (this.#isCapacity(error) && !(error instanceof ServiceError && error.code === 'unavailable'))
      return new ServiceError('unavailable', '', { cause: error });
    return error instanceof ServiceError
      ? error
      : new ServiceError(FAILURE_CODE[this.capability], '', { cause: error });
  }
}

const yielded = (): ServiceError =>
  new ServiceError('unavailable', '', { cause: new Error('somebody else uses the engine, or it is paused') });

/** A probe that ignores its signal is not waited for. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function kindOf(error: unknown): EngineErrorKind {
  return error instanceof EngineTimeout ? error.kind : 'failed';
}
