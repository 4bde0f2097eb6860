import type { PcmFrame } from '../../src/audio/pcm.ts';
import { type Language, languageOf } from '../../src/core/agent.ts';
import type { SttEngine, SttFeed, SttHints, SttOptions, SttStream } from '../../src/engines/stt/contract.ts';
import { EventChannel } from '../../src/engines/stt/event-channel.ts';

/** What a sentence is to those who hear one language each: the words, and how sure they are of them. */
export type Sounds = Readonly<Record<Language, readonly [text: string, confidence: number]>>;

/** A second of a sentence: its number is the level of its samples, so whoever is given it hears what is in `table` there. */
export const frameOf = (sentence: number, samples = 8_000): PcmFrame => ({
  ...{ samples: new Int16Array(samples).fill(sentence + 1), sampleRateHz: 8000 },
});

/** One stream, as its engine saw it. */
export interface TongueStream {
  readonly options: SttOptions;
  readonly signal: AbortSignal;
  readonly frames: number[]; // the sentence of each
  readonly hints: SttHints[];
  flushes: number;
  readonly channel: EventChannel;
  /** Says what was asked for and held back. */
  release(): void;
}

/** A recogniser of one language. It answers at once unless it holds back. */
export class TongueStt implements SttEngine {
  readonly name: string;
  readonly capabilities: SttEngine['capabilities'];
  readonly streams: TongueStream[] = [];
  holdsBack = false;
  why: string | undefined;

  constructor(
    readonly language: Language,
    private readonly table: readonly Sounds[],
    private readonly own: { readonly feed?: SttFeed; readonly tellsApart?: boolean } = {},
  ) {
    this.name = `tongue-${language}`;
    const { tellsApart = false } = own;
    this.capabilities = { interim: true, sampleRatesHz: [8000], languages: ['ar-SA', 'en-US'], tellsApart };
  }

  get opened(): readonly TongueStream[] {
    return this.streams.filter(({ channel }) => !channel.done);
  }

  available(): ReturnType<SttEngine['available']> {
    return this.why === undefined ? { ok: true } : { ok: false, why: this.why };
  }

  open(options: SttOptions, signal: AbortSignal): SttStream {
    const channel = new EventChannel();
    const held: (() => void)[] = [];
    const release = (): void => {
      for (const say of held.splice(0)) say();
    };
    const seen: TongueStream = { options, signal, frames: [], hints: [], flushes: 0, channel, release };
    this.streams.push(seen);
    signal.addEventListener('abort', () => channel.abort(), { once: true });
    let since: number[] = [];
    let writtenMs = 0;
    let startMs = 0;
    const hears = languageOf(options.language);
    const flush = (): void => {
      if (since.length === 0) return;
      seen.flushes += 1;
      const heard = [...new Set(since)].map((sentence) => this.table[sentence]?.[hears] ?? (['', 0] as const));
      since = [];
      const text = heard
        .map(([words]) => words)
        .join(' ')
        .trim();
      const confidence = Math.min(...heard.map(([, sure]) => sure));
      const [from, to] = [startMs, writtenMs];
      startMs = writtenMs;
      const say = (): void => void channel.push({ type: 'final', text, confidence, startMs: from, endMs: to });
      if (this.holdsBack) held.push(say);
      else say();
    };
    return {
      feed: this.own.feed ?? 'whole-stretches',
      write: ({ samples, sampleRateHz }) => {
        const sentence = samples[0]! - 1;
        seen.frames.push(sentence);
        since.push(sentence);
        writtenMs += (samples.length * 1000) / sampleRateHz;
        channel.push({ type: 'interim', text: this.table[sentence]?.[hears][0] ?? '' });
      },
      flush,
      hint: (hints) => void seen.hints.push(hints),
      end: () => {
        flush();
        if (this.holdsBack) held.push(() => channel.finish());
        else channel.finish();
      },
      [Symbol.asyncIterator]: () => channel[Symbol.asyncIterator](),
    };
  }

  async close(): Promise<void> {}
}
