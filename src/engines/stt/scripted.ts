import type { PcmFrame } from '../../audio/pcm.ts';
import { ServiceError } from '../../core/errors.ts';
import { sentence } from '../../core/notice.ts';
import type { SttEngine, SttFeed, SttHints, SttOptions, SttStream, SttWord } from './contract.ts';
import { EventChannel } from './event-channel.ts';

export interface ScriptedSttOptions {
  /** What is "recognised", one for each `flush()` with audio, in order; after the last one: ''. Every stream begins anew. */
  readonly texts: readonly string[];
  /** 0..1, given with every text that is not empty. Default 0.9. */
  readonly confidence?: number;
  /** Say each word as an interim as soon as this much audio of the stretch came per word. Default 200. */
  readonly interimMsPerWord?: number;
  readonly languages?: readonly string[];
  readonly streamsMax?: number;
  /** Default `whole-stretches`. */
  readonly feed?: SttFeed;
  /** Give the words of each final, spread evenly over its stretch. */
  readonly words?: boolean;
  /** Take part as one that hears all languages of a stream. */
  readonly tellsApart?: boolean;
  /** Language of each final, in order, over and over; default that of the stream. */
  readonly heardLanguages?: readonly string[];
}

/**
 * Recognises nothing: answers with given texts, for tests, development and demonstrations. Deterministic, without time
 * or threads: interims depend only on how much audio was written.
 */
export function createScriptedStt(options: ScriptedSttOptions): SttEngine & { readonly openStreams: number } {
  const languages = options.languages ?? ['en-US', 'ar-SA'];
  const open = new Set<EventChannel>();
  let closed = false;
  return {
    name: 'scripted',
    capabilities: { interim: true, sampleRatesHz: [8000, 16_000], languages, tellsApart: options.tellsApart ?? false },
    get openStreams(): number {
      return open.size;
    },
    available: (language) =>
      languages.includes(language)
        ? { ok: true }
        : {
            ok: false,
            why: sentence('engine.no-lines', { language }),
          },
    open(streamOptions, signal) {
      const channel = new EventChannel();
      const stream = new ScriptedStream(options, streamOptions, channel);
      if (closed || open.size >= (options.streamsMax ?? Number.POSITIVE_INFINITY)) {
        channel.fail(new ServiceError('unavailable'));
        return stream;
      }
      open.add(channel);
      stream.onDone = () => open.delete(channel);
      if (signal.aborted) stream.abort();
      else signal.addEventListener('abort', () => stream.abort(), { once: true });
      return stream;
    },
    close() {
      closed = true;
      for (const channel of [...open]) channel.fail(new ServiceError('unavailable'));
      open.clear();
      return Promise.resolve();
    },
  };
}

class ScriptedStream implements SttStream {
  readonly feed: SttFeed;
  onDone: () => void = () => {};
  #next = 0;
  #positionMs = 0;
  #startMs: number | undefined;
  #wordsSaid = 0;

  constructor(
    readonly script: ScriptedSttOptions,
    readonly options: SttOptions,
    readonly channel: EventChannel,
  ) {
    this.feed = script.feed ?? 'whole-stretches';
  }

  write(frame: PcmFrame): void {
    if (this.channel.done) return;
    this.#startMs ??= this.#positionMs;
    this.#positionMs += (frame.samples.length * 1000) / frame.sampleRateHz;
    if (this.options.interim) this.#sayInterim();
  }

  flush(): void {
    if (this.#startMs === undefined || this.channel.done) return;
    const text = this.script.texts[this.#next] ?? '';
    const languages = this.script.heardLanguages ?? [this.options.language];
    const language = languages[this.#next % languages.length];
    this.#next += 1;
    const words = this.script.words ? spread(text, this.#startMs, this.#positionMs) : undefined;
    const taken = this.channel.push({
      type: 'final',
      text,
      confidence: text === '' ? 0 : (this.script.confidence ?? 0.9),
      ...(language !== undefined && { language }),
      startMs: this.#startMs,
      endMs: this.#positionMs,
      ...(words && { words }),
    });
    if (!taken) this.onDone();
    this.#startMs = undefined;
    this.#wordsSaid = 0;
  }

  hint(_hints: SttHints): void {}

  end(): void {
    this.flush();
    this.channel.finish();
    this.onDone();
  }

  abort(): void {
    this.channel.abort();
    this.onDone();
  }

  [Symbol.asyncIterator]() {
    return this.channel[Symbol.asyncIterator]();
  }

  #sayInterim(): void {
    const words = (this.script.texts[this.#next] ?? '').split(' ').filter((word) => word !== '');
    const heardMs = this.#positionMs - (this.#startMs ?? this.#positionMs);
    const due = Math.min(words.length, Math.floor(heardMs / (this.script.interimMsPerWord ?? 200)));
    if (due <= this.#wordsSaid) return;
    this.#wordsSaid = due;
    this.channel.push({ type: 'interim', text: words.slice(0, due).join(' ') });
  }
}

function spread(text: string, startMs: number, endMs: number): readonly SttWord[] {
  const words = text.split(' ').filter((word) => word !== '');
  const stepMs = (endMs - startMs) / Math.max(1, words.length);
  return words.map((word, i) => ({ text: word, startMs: startMs + i * stepMs, endMs: startMs + (i + 1) * stepMs }));
}
