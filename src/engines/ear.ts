import type { PcmFrame } from '../audio/pcm.ts';
import { type Language, languageOf } from '../core/agent.ts';
import { OVER } from '../core/over.ts';
import { AudioTimes, lengthMs } from './stt/audio-times.ts';
import type { SttEngine, SttEvent, SttFeed, SttHints, SttOptions, SttStream } from './stt/contract.ts';
import { openAtRate } from './stt/open-at-rate.ts';
import type { SttBacklog } from './stt-backlog.ts';

export type SttFinal = Extract<SttEvent, { type: 'final' }>;

/** A pause that is to be answered by one final, whoever hears. */
export interface Round {
  readonly finals: Map<Language, SttFinal>;
  /** Who owes it one. */
  readonly waiting: Set<Language>;
}

export interface EarHandlers {
  interim(ear: Ear, event: SttEvent): void;
  /** @param round - that it answers; undefined where nobody asked for it. */
  final(ear: Ear, final: SttFinal, round: Round | undefined): void;
  /** It ended, which nobody asked for unless `error` is undefined. */
  over(ear: Ear, error: unknown): void;
}

/** One recogniser while it hears its language. Whatever is left of it when it is closed reaches nobody. */
export class Ear {
  readonly #abort = new AbortController();
  readonly #stream: SttStream;
  readonly #times = new AudioTimes();
  readonly #due: Round[] = [];
  readonly #onAbort = (): void => this.#abort.abort(OVER);

  constructor(
    private readonly engine: SttEngine,
    readonly language: Language,
    options: SttOptions,
    private readonly signal: AbortSignal,
    private readonly handlers: EarHandlers,
  ) {
    if (signal.aborted) this.#abort.abort(OVER);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#stream = openAtRate(engine, options, this.#abort.signal);
    void this.#listen();
  }

  get feed(): SttFeed {
    return this.#stream.feed ?? 'whole-stretches';
  }
  get tellsApart(): boolean {
    return this.#stream.tellsApart ?? this.engine.capabilities.tellsApart ?? false;
  }

  /** @param atMs - where the frame lies in the stream. */
  write(frame: PcmFrame, atMs: number): void {
    this.#times.give(lengthMs(frame), atMs);
    this.#stream.write(frame);
  }
  flush(round: Round): void {
    round.waiting.add(this.language);
    this.#due.push(round);
    this.#stream.flush();
  }
  hint(hints: SttHints): void {
    this.#stream.hint(this.tellsApart ? hints : hintsIn(this.language, hints));
  }
  /** @param round - what was said last and not asked for. */
  end(round: Round | undefined): void {
    if (round) {
      round.waiting.add(this.language);
      this.#due.push(round);
    }
    this.#stream.end();
  }

  /** What was said and not settled. @param rounds - its pauses, in order. */
  catchUp(backlog: SttBacklog, rounds: readonly Round[]): void {
    let asked = 0;
    const flush = (): void => {
      const round = rounds[asked];
      asked += 1;
      if (round) this.flush(round);
    };
    const into = { write: (frame: PcmFrame) => this.#stream.write(frame), flush, hint: () => {}, end: () => {} };
    backlog.replay(into, this.#times);
  }

  close(): void {
    this.signal.removeEventListener('abort', this.#onAbort);
    this.#abort.abort(OVER);
  }

  async #listen(): Promise<void> {
    try {
      for await (const event of this.#stream) {
        if (this.#abort.signal.aborted) return;
        if (event.type === 'interim') this.handlers.interim(this, event);
        else this.handlers.final(this, this.#times.placed(event) as SttFinal, this.#due.shift());
      }
      if (!this.#abort.signal.aborted) this.handlers.over(this, undefined);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.handlers.over(this, error);
    }
  }
}

/** What one who hears a single language is told to listen for. */
export function hintsIn(language: Language, hints: SttHints): SttHints {
  const own = (list: readonly string[]): readonly string[] => ownOf(language, list);
  const { phrases, sentences } = hints;
  return { ...hints, phrases: own(phrases), ...(sentences && { sentences: own(sentences) }) };
}

const ARABIC = /[\u0600-\u06ff]/;
const LATIN = /[a-z]/i;
/** By its letters: one with both is Arabic, one with none is of both. */
const MAY_BE: Readonly<Record<Language, (text: string) => boolean>> = {
  ar: (text) => ARABIC.test(text) || !LATIN.test(text),
  en: (text) => !ARABIC.test(text),
};

/** Remembered by the list: an agent has the same ones in all of its calls, and engines know lists by what they are. */
const known: Readonly<Record<Language, WeakMap<readonly string[], readonly string[]>>> = {
  ...{ ar: new WeakMap(), en: new WeakMap() },
};

function ownOf(language: Language, list: readonly string[]): readonly string[] {
  const made = known[language].get(list) ?? list.filter(MAY_BE[language]);
  known[language].set(list, made);
  return made;
}

/** The tag of one of the languages where `own` is the expected one's: no country is known of the other. */
export function tagFor(language: Language, own: string): string {
  return languageOf(own) === language ? own : language === 'ar' ? 'ar-SA' : 'en-US';
}

/** `options` for a recogniser of one of the languages. */
export function optionsFor(language: Language, options: SttOptions, hints: SttHints | undefined): SttOptions {
  const { hints: _, ...rest } = options;
  return { ...rest, language: tagFor(language, options.language), ...(hints && { hints }) };
}
