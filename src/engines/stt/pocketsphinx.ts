import { availableParallelism } from 'node:os';
import { type Clock, systemClock } from '../../core/clock.ts';
import { errorText, ServiceError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { sentence } from '../../core/notice.ts';
import type { SttEngine, SttHints, SttOptions } from './contract.ts';
import { DEFAULT_FILLER_WEIGHT } from './grammar.ts';
import { STRETCHES_EACH_MAX } from './live-decoders.ts';
import { prepareModel, type SpeechModel, sphinxInstalled } from './model-folder.ts';
import { RecognitionThread, type ThreadEvents } from './recognition-thread.ts';
import { triedAgainBelow } from './second-try.ts';
import { type SpeechLoad, SpeechLoadMeter } from './speech-load.ts';
import { SpeechOverload } from './speech-overload.ts';
import { SphinxStream, type SphinxStreamHost } from './sphinx-stream.ts';

/** What is spoken at once is limited elsewhere: by threads, decoders and the time that finals take. */
const STREAMS_MAX = 4_000;

export interface PocketsphinxOptions {
  /** Absolute folder for what is made at start. */
  readonly cacheDir: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Recognition threads; default one per core but one, at most 4. A further one serves free speech, from when it is first wanted. */
  readonly threads?: number;
  readonly streamsMax?: number; // default 4,000: every call has one for as long as it lasts, and without speech it costs 1 KB
  readonly queuedMsMax?: number; // default 10,000: audio that waits for a thread
  readonly finalMsMax?: number; // default 15,000: from flush to final
  /**
   * Stretches that are heard as they are spoken at once, per thread; default 10, made as needed, 12 MB each with a large
   * grammar. A core can follow about as many people who speak without a pause: hearing takes 0.1 of real time. Others are
   * heard when a decoder is free, at the latest at their end.
   */
  readonly liveDecodersMax?: number;
  /**
   * Stretches of free speech with interim results at once; default 4, 49 MB each, made as needed and given
   * back after half a minute without speech. More than three people who speak without a pause are more than one core can
   * follow. Others wait for one that is free.
   */
  readonly freeDecodersMax?: number;
  /** Without speech for so long, decoders are given back; default 30,000. */
  readonly idleMs?: number;
  /** Weight of one phone of the filler, 1 (rejects much) .. 1e-6 (accepts much); default 0.02. */
  readonly fillerWeight?: number;
  /** Least fit that is taken for speech of the grammar, see `Decoded.fit`; default -17. */
  readonly minFit?: number;
  /** Language model of free speech; default where Debian puts it. */
  readonly languageModel?: string;
}

/** An account whose stretches of free speech wait so long gets no further stream: it would only be later still. */
const BEHIND_MS_MAX = 2_000;
const LIVE_DECODERS_MAX = 10;
/**
 * Of 304 sentences in seven states of a dialogue 259 were understood with it, 22 as something else, and 13 of 238 stretches of
 * other speech were taken; with -15 it was 245, 21 and 3. A grammar of more sounds has lower fits for the same words.
 */
export const DEFAULT_MIN_FIT = -17;
/** Finals by grammar take 100 ms for a sentence on a core of their own: a thread that needs four times as long is behind. */
const LATE_MS = 400;

/** All that the process for free speech needs to be told. */
const FREE_SPEECH: SttHints = { phrases: [], expect: ['free'] };

const INSTALL = 'apt-get install libpocketsphinx3 pocketsphinx-en-us';
const NOT_INSTALLED = sentence('engine.no-pocketsphinx', { command: INSTALL });

/**
 * English speech on a telephone line, by a grammar of what the agent can understand (libpocketsphinx, in threads of its own);
 * without phrases and kinds of answer, or beside them with `free`, roughly any English. Never fails to be made: what is
 * missing is said by `available`.
 */
export function createPocketsphinxStt(options: PocketsphinxOptions): SttEngine & { load(): SpeechLoad } {
  return new PocketsphinxStt(options);
}

class PocketsphinxStt implements SttEngine, SphinxStreamHost {
  readonly name = 'pocketsphinx';
  readonly capabilities = { interim: true, sampleRatesHz: [8000], languages: ['en-US'] };
  readonly clock: Clock;
  readonly limits: { readonly queuedMsMax: number; readonly finalMsMax: number };
  /** Live streams, each with what takes its listener from the signal again. */
  readonly #streams = new Map<SphinxStream, () => void>();
  readonly #threads: RecognitionThread[] = [];
  #freeThread: RecognitionThread | undefined;
  readonly #overload: SpeechOverload;
  readonly #meter: SpeechLoadMeter;
  #model: SpeechModel | undefined;
  #why: string | undefined;
  #closed = false;

  constructor(readonly options: PocketsphinxOptions) {
    this.clock = options.clock ?? systemClock;
    this.limits = { queuedMsMax: options.queuedMsMax ?? 10_000, finalMsMax: options.finalMsMax ?? 15_000 };
    const threads = options.threads ?? Math.max(1, Math.min(4, availableParallelism() - 1));
    const followed = threads * (options.liveDecodersMax ?? LIVE_DECODERS_MAX);
    this.#overload = new SpeechOverload(STRETCHES_EACH_MAX * followed);
    this.#meter = new SpeechLoadMeter({ finalMs: LATE_MS, stretches: 2 * followed }, this.clock);
    if (!sphinxInstalled()) {
      this.#why = NOT_INSTALLED;
      return;
    }
    try {
      this.#model = prepareModel(options.cacheDir, options.languageModel);
      for (let i = 0; i < threads; i += 1) this.#threads.push(this.#startThread(this.#model, false));
    } catch (error) {
      this.#why = errorText(error);
    }
  }

  available(language: string): { readonly ok: true } | { readonly ok: false; readonly why: string } {
    if (!/^en\b/i.test(language)) {
      const tag = language.slice(0, 2).toLowerCase();
      return { ok: false, why: sentence('engine.english-only', { tag, language }) };
    }
    if (this.#closed) return { ok: false, why: sentence('engine.english-closed') };
    const why = this.#why ?? this.#awayWhy();
    return why === undefined ? { ok: true } : { ok: false, why };
  }

  open(options: Parameters<SttEngine['open']>[0], signal: AbortSignal): SphinxStream {
    const stream = new SphinxStream(options, this);
    const refusal = this.#refusal(options);
    if (refusal) {
      stream.fail(refusal);
      return stream;
    }
    const abort = (): void => stream.abort();
    this.#streams.set(stream, () => signal.removeEventListener('abort', abort));
    if (signal.aborted) stream.abort();
    else signal.addEventListener('abort', abort, { once: true });
    return stream;
  }

  /** Of speech by grammar: free speech is a second try, in a process of its own. */
  load(): SpeechLoad {
    return this.#meter.load(this.#stretches);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const stream of [...this.#streams.keys()]) stream.fail(new ServiceError('unavailable'));
    const threads = this.#freeThread ? [...this.#threads, this.#freeThread] : this.#threads;
    await Promise.all(threads.map((thread) => thread.close()));
  }

  threadFor(hints: SttHints): RecognitionThread | undefined {
    if (!hasGrammar(hints)) {
      const free = this.#freeSpeech();
      if (free) return free;
    }
    let best: RecognitionThread | undefined;
    for (const thread of this.#threads) {
      if (thread.unableWhy === undefined && (!best || thread.load < best.load)) best = thread;
    }
    return best;
  }

  secondTry(hints: SttHints, sentences: readonly string[] | undefined): RecognitionThread | undefined {
    if (!hasGrammar(hints) || triedAgainBelow(hints, sentences !== undefined) === undefined) return undefined;
    if (this.#overload.look(this.#stretches)) {
      this.#freeThread?.rest();
      return undefined;
    }
    const thread = this.#freeSpeech(sentences);
    thread?.prepare(FREE_SPEECH, sentences); // when speech begins: its model is there when the speech is over
    return thread;
  }

  prepare(hints: SttHints): void {
    if (hasGrammar(hints)) for (const thread of this.#threads) thread.prepare(hints);
    else this.#freeSpeech()?.prepare(hints);
  }

  dropped(samples: number): void {
    if (samples > 0) this.options.logger?.warn({ samples }, 'recogniser too slow, audio dropped');
  }

  ended(stream: SphinxStream): void {
    this.#streams.get(stream)?.();
    this.#streams.delete(stream);
  }

  #refusal({ language, sampleRateHz, hints, account = '' }: SttOptions): ServiceError | undefined {
    const serves = this.available(language);
    if (!serves.ok) return new ServiceError('unavailable', '', { cause: new Error(serves.why) });
    if (this.#streams.size >= (this.options.streamsMax ?? STREAMS_MAX)) return new ServiceError('unavailable');
    const isFree = !hints || !hasGrammar(hints);
    if (isFree && (this.#freeThread?.waitMs(account) ?? 0) > BEHIND_MS_MAX) {
      return new ServiceError('unavailable', '', {
        cause: new Error('more free speech of this account than is followed'),
      });
    }
    if (sampleRateHz === 8000) return undefined;
    return new ServiceError('transcription_failed', '', { cause: new Error('the recogniser takes 8000 Hz') });
  }

  get #stretches(): number {
    return this.#threads.reduce((sum, { load }) => sum + load, 0);
  }

  /** While no thread is there; each of them comes back. */
  #awayWhy(): string | undefined {
    const [first, ...others] = this.#threads.map(({ unableWhy }) => unableWhy);
    return others.includes(undefined) ? undefined : first;
  }

  /** The thread for free speech, started when it is first wanted. What an agent's callers say needs no language model but their own. */
  #freeSpeech(sentences?: readonly string[]): RecognitionThread | undefined {
    if (!this.#model || this.#closed || !(sentences || this.#model.languageModel)) return undefined;
    this.#freeThread ??= this.#startThread(this.#model, true);
    return this.#freeThread.unableWhy === undefined ? this.#freeThread : undefined;
  }

  #startThread(model: SpeechModel, free: boolean): RecognitionThread {
    const { logger } = this.options;
    const events: ThreadEvents = {
      unspeakable: (words) => logger?.warn({ words }, 'phrases left out: words without a pronunciation'),
      fewerInterims: (why) => logger?.error({ why, free }, 'no further decoder for interim results'),
      noSentences: (why) => logger?.error({ why }, 'sentences of an agent not learnt from'),
      settled: (tookMs) => {
        if (!free) this.#meter.settled(tookMs);
      },
      restarted: (why, waitMs) =>
        logger?.error({ why, free, waitMs: Math.round(waitMs) }, 'recognition thread lost, starting another'),
    };
    const setup = {
      model,
      free,
      fillerWeight: this.options.fillerWeight ?? DEFAULT_FILLER_WEIGHT,
      minFit: this.options.minFit ?? DEFAULT_MIN_FIT,
      idleMs: this.options.idleMs ?? 30_000,
      liveDecodersMax: free ? (this.options.freeDecodersMax ?? 4) : (this.options.liveDecodersMax ?? LIVE_DECODERS_MAX),
    };
    return new RecognitionThread(setup, events, this.clock);
  }
}

/** Whether anything but free speech is expected. */
function hasGrammar(hints: SttHints): boolean {
  return hints.phrases.length > 0 || hints.expect.some((kind) => kind !== 'free');
}
