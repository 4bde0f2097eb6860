import type { PcmFrame } from '../audio/pcm.ts';
import type { Agent } from '../core/agent.ts';
import { ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import { ofCall, type TellUse } from '../core/service-use.ts';
import type { ReplyEngine } from './reply/contract.ts';
import { AudioTimes, lengthMs } from './stt/audio-times.ts';
import type { SttEngine, SttEvent, SttFeed, SttHints, SttOptions, SttStream } from './stt/contract.ts';
import { openAtRate } from './stt/open-at-rate.ts';
import { SttBacklog } from './stt-backlog.ts';

type Availability = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Speech that another recogniser can still be given when one fails before it has settled it. */
const REPLAY_AUDIO_MS = 20_000;
/** Engines that answer and fail in turn do not go on for ever. */
const FAILURES_MAX = 20;

/** Whether another engine may do better: not when the request itself is at fault. */
export function mayTryNext(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.status >= 500;
}

export function anyAvailable(
  engines: readonly { available(): Availability }[],
  ask: (index: number) => Availability,
): Availability {
  const reasons: string[] = [];
  for (const index of engines.keys()) {
    const own = ask(index);
    if (own.ok) return own;
    reasons.push(own.why);
  }
  return { ok: false, why: reasons.join('; ') || sentence('engine.not-configured') };
}

/**
 * Results of the first engine that gives any: an engine that fails before its first result is followed by the next one;
 * after a result its failure is final, because half an answer was already heard.
 */
export async function* firstThatWorks<E extends { readonly name: string; available(): Availability }, T>(
  engines: readonly E[],
  start: (engine: E) => AsyncIterable<T>,
  signal: AbortSignal,
  logger: Logger,
  used?: TellUse,
): AsyncGenerator<T> {
  let lastError: unknown = new ServiceError('unavailable');
  for (const engine of engines) {
    if (signal.aborted) return;
    const own = engine.available();
    if (!own.ok) {
      lastError = new ServiceError('unavailable', '', { cause: new Error(own.why) });
      continue;
    }
    let hasResult = false;
    try {
      for await (const result of start(engine)) {
        hasResult = true;
        yield result;
      }
      return;
    } catch (error) {
      if (hasResult || !mayTryNext(error)) throw error;
      lastError = error;
      logger.warn({ ...ofCall(used), engine: engine.name }, 'engine failed before its first result');
    }
  }
  throw lastError;
}

export function joinedName(engines: readonly { readonly name: string }[]): string {
  return engines.map((engine) => engine.name).join('+') || 'none';
}

/** One reply engine out of several. Greeting and expectations come from the first that is available. */
export function failoverReply(engines: readonly ReplyEngine[], logger: Logger): ReplyEngine {
  if (engines.length === 1) return engines[0]!;
  const current = (agent: Agent): ReplyEngine => engines.find((engine) => engine.available(agent).ok) ?? engines[0]!;
  return {
    name: joinedName(engines),
    available: (agent) => anyAvailable(engines, (index) => engines[index]!.available(agent)),
    greeting: (agent, variables, mode) => current(agent).greeting(agent, variables, mode),
    reply: (request, signal) => {
      const { agent } = request;
      const asked = engines.map((engine) => ({
        ...{ name: engine.name, available: () => engine.available(agent) },
        start: () => engine.reply(request, signal),
      }));
      return firstThatWorks(asked, ({ start }) => start(), signal, logger, request.used);
    },
    expects: (agent, history, variables) => current(agent).expects(agent, history, variables),
    takesNote: (agent, note) => current(agent).takesNote?.(agent, note) ?? 'no',
    close: async () => void (await Promise.all(engines.map((engine) => engine.close()))),
  };
}

/**
 * One recogniser out of several: see `FailoverSttStream`. Its rates, and whether it tells languages apart, are those of the first: the others hear
 * what it would, as well as they can.
 */
export function failoverStt(engines: readonly SttEngine[], logger: Logger): SttEngine {
  if (engines.length === 1) return engines[0]!;
  const { sampleRatesHz = [], tellsApart = false } =
    engines.find(({ capabilities }) => capabilities.sampleRatesHz.length > 0)?.capabilities ?? {}; // none of one that is withheld
  return {
    name: joinedName(engines),
    capabilities: {
      interim: engines.some((engine) => engine.capabilities.interim),
      sampleRatesHz,
      languages: [...new Set(engines.flatMap((engine) => engine.capabilities.languages))],
      tellsApart,
    },
    available: (language) => {
      const asked = engines.map((engine) => ({ available: () => engine.available(language) }));
      return anyAvailable(asked, (index) => asked[index]!.available());
    },
    warmUp: (options) => engines.find((engine) => engine.available(options.language).ok)?.warmUp?.(options),
    open: (options, signal) => new FailoverSttStream(engines, options, signal, logger),
    close: async () => void (await Promise.all(engines.map((engine) => engine.close()))),
  };
}

/**
 * One stream over several engines. What was said since the last final is repeated to the next engine when one fails: then
 * nothing was answered yet. Which others were tried is forgotten with every final, so that each stretch has all of them. Whoever
 * hears, times are those of the audio written to this stream.
 */
class FailoverSttStream implements SttStream {
  readonly #backlog = new SttBacklog(REPLAY_AUDIO_MS);
  readonly #tried = new Set<SttEngine>(); // since the last final
  #failures = 0;
  #inner: SttStream | undefined;
  #times = new AudioTimes(); // of what it was given

  constructor(
    readonly engines: readonly SttEngine[],
    readonly options: SttOptions,
    readonly signal: AbortSignal,
    readonly logger: Logger,
  ) {
    this.#next();
  }

  get feed(): SttFeed {
    return this.#inner?.feed ?? 'whole-stretches';
  }
  get tellsApart(): boolean {
    return this.#inner?.tellsApart ?? this.#hearing?.capabilities.tellsApart ?? false;
  }

  write(frame: PcmFrame): void {
    this.#times.give(lengthMs(frame), this.#backlog.writtenMs);
    this.#backlog.write(frame);
    this.#inner?.write(frame);
  }
  flush(): void {
    this.#backlog.flush();
    this.#inner?.flush();
  }
  hint(hints: SttHints): void {
    this.#backlog.hint(hints);
    this.#inner?.hint(hints);
  }
  end(): void {
    this.#backlog.end();
    this.#inner?.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SttEvent> {
    let lastError: unknown = new ServiceError('unavailable');
    for (; this.#inner; this.#next()) {
      try {
        for await (const event of this.#inner) {
          if (event.type === 'final') this.#settled();
          yield this.#times.placed(event);
        }
        return;
      } catch (error) {
        this.#failures += 1;
        if (!mayTryNext(error) || this.#failures >= FAILURES_MAX) throw error;
        lastError = error;
        this.logger.warn(
          { ...ofCall(this.options.used), left: this.#untried.length },
          'recogniser failed: what was said goes to the next one',
        );
      }
      if (this.signal.aborted) return;
    }
    throw lastError;
  }

  #settled(): void {
    const hearing = this.#hearing;
    this.#tried.clear();
    if (hearing) this.#tried.add(hearing);
    this.#backlog.settled();
  }

  /** Who was opened last. */
  get #hearing(): SttEngine | undefined {
    return [...this.#tried].at(-1);
  }

  get #untried(): readonly SttEngine[] {
    return this.engines.filter((engine) => !this.#tried.has(engine) && engine.available(this.options.language).ok);
  }

  #next(): void {
    const [engine] = this.#untried;
    this.#inner = undefined;
    if (!engine) return;
    this.#tried.add(engine);
    this.#inner = openAtRate(engine, this.options, this.signal);
    this.#times = new AudioTimes();
    this.#backlog.replay(this.#inner, this.#times);
  }
}
