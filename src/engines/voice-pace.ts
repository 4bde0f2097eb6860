import { clauseStarts } from '../language/sentence-pieces.ts';
import type { TtsEngine, TtsRequest } from './tts/contract.ts';

/** About 0.6 % of what a sample can be: voices are silent between words, or nearly. */
export const QUIET_SAMPLE_MAX = 200;
/** Silence for longer is a pause; what closes within words is shorter. */
const PAUSE_SECONDS = 0.07;
const PAUSES_MAX = 200;
/** A sentence of fewer letters tells little of a pace. */
const LETTERS_MIN = 20;
const SENTENCES_MIN = 3;
/** The last ones: voices are changed behind their names. */
const SENTENCES_MAX = 16;
const VOICES_MAX = 64;
/** How far off a place may be that was measured: by this share of what was said, and at least so long. */
const UNSURE_SHARE = { min: 0.12, max: 0.35 } as const;
const UNSURE_SECONDS = 0.15;
/** The clauses of a sentence differ more than sentences do. */
const UNSURE_TIMES = 1.5;
const LETTER = /\p{L}/gu;

/** How much of a sound is speech, and where it pauses. In samples. */
export class HeardSpeech {
  /** Without pauses. */
  spoken = 0;
  /** What was spoken before each pause. */
  readonly pauses: number[] = [];
  #quiet = 0;
  readonly #pause: number;

  constructor(readonly sampleRateHz: number) {
    this.#pause = sampleRateHz * PAUSE_SECONDS;
  }

  /** Of silence that it ended with so far. */
  get quiet(): number {
    return this.#quiet;
  }

  take(samples: Int16Array): void {
    for (const sample of samples) {
      if (Math.abs(sample) <= QUIET_SAMPLE_MAX) this.#quiet += 1;
      else this.#sound();
    }
  }

  #sound(): void {
    if (this.#quiet < this.#pause) this.spoken += this.#quiet;
    else if (this.spoken > 0 && this.pauses.length < PAUSES_MAX) this.pauses.push(this.spoken);
    this.#quiet = 0;
    this.spoken += 1;
  }
}

/** How long a voice takes for a letter, and by what share its sentences differ from that. */
interface Pace {
  readonly letterSeconds: number;
  readonly unsure: number;
}

/**
 * How fast voices speak, measured on the sentences that they said to their end: of a voice that tells no times it tells how far a
 * sentence came that broke off. Letters are counted, so texts with figures or in two alphabets are neither measured nor judged.
 */
export class VoicePaces {
  readonly #seconds = new Map<string, number[]>(); // of a letter, in each sentence; the voice that spoke last is the last

  /** A sentence that was said to its end. */
  learn(engine: TtsEngine, request: TtsRequest, text: string, heard: HeardSpeech): void {
    const key = keyOf(engine, request, text);
    const letters = lettersOf(text);
    if (key === undefined || letters < LETTERS_MIN || heard.spoken === 0) return;
    const known = this.#seconds.get(key) ?? [];
    this.#seconds.delete(key);
    this.#seconds.set(key, [...known, heard.spoken / heard.sampleRateHz / letters].slice(-SENTENCES_MAX));
    if (this.#seconds.size > VOICES_MAX) this.#seconds.delete(this.#seconds.keys().next().value!);
  }

  /**
   * Where the clause begins in which a text broke off; its first one's where that cannot be told. A clause counts as said where even
   * a slow voice is past it and a pause was heard about its end, not sooner than as many pauses as clauses: no word is ever left out.
   */
  clauseUnderWay(engine: TtsEngine, request: TtsRequest, text: string, heard: HeardSpeech): number {
    const pace = this.#paceOf(keyOf(engine, request, text));
    if (!pace) return 0;
    const rate = heard.sampleRateHz;
    let from = 0;
    for (const [index, at] of clauseStarts(text).entries()) {
      const expected = lettersOf(text.slice(0, at)) * pace.letterSeconds * rate;
      const unsure = Math.max(expected * pace.unsure, UNSURE_SECONDS * rate);
      if (heard.spoken < expected + unsure) break;
      if (heard.pauses.slice(index).some((pause) => Math.abs(pause - expected) <= unsure)) from = at;
    }
    return from;
  }

  #paceOf(key: string | undefined): Pace | undefined {
    const known = key === undefined ? undefined : this.#seconds.get(key);
    if (!known || known.length < SENTENCES_MIN) return undefined;
    const letterSeconds = known.reduce((sum, seconds) => sum + seconds, 0) / known.length;
    const furthest = Math.max(...known.map((seconds) => Math.abs(seconds / letterSeconds - 1)));
    const unsure = Math.max(furthest * UNSURE_TIMES, UNSURE_SHARE.min);
    return unsure > UNSURE_SHARE.max ? undefined : { letterSeconds, unsure };
  }
}

const lettersOf = (text: string): number => text.match(LETTER)?.length ?? 0;

/** Who speaks, how fast, in which alphabet; undefined where letters do not tell how long a text is. */
function keyOf(engine: TtsEngine, { voice, speed }: TtsRequest, text: string): string | undefined {
  const [isArabic, isLatin] = [/\p{Script=Arabic}/u.test(text), /\p{Script=Latin}/u.test(text)];
  if (isArabic === isLatin || /\p{N}/u.test(text)) return undefined;
  return JSON.stringify([engine.name, engine.soundOf(voice), voice.id, speed, isArabic]);
}
