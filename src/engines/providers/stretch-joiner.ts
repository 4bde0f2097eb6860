import type { SttWord } from '../stt/contract.ts';

/** A piece of a transcript that will not change; times in the audio that the service was given. */
export interface HeardPiece {
  readonly text: string;
  readonly confidence: number; // 0..1
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly SttWord[];
  readonly language?: string;
}

/** What was asked for with a flush: the audio between two places of what the service was given. */
export interface AskedStretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a service said of a stretch, in one. */
export interface JoinedStretch extends AskedStretch, Omit<HeardPiece, 'startMs' | 'endMs'> {}

/** Services round times. */
const ROUNDED_MS = 10;
const PIECES_MAX = 500;
const TEXT_CHARS_MAX = 10_000;

/**
 * Services settle what they hear piece by piece and answer a flush when they like: in the middle of words, with nothing because all
 * words were settled before, twice. This makes of it one answer for each flush, with the words of its stretch.
 */
export class StretchJoiner {
  readonly #asked: AskedStretch[] = [];
  #pieces: HeardPiece[] = [];
  #answeredMs = 0;
  /** How far the service has settled what it was given. */
  settledMs = 0;

  /** Flushes that were not answered. */
  get waiting(): number {
    return this.#asked.length;
  }
  get first(): AskedStretch | undefined {
    return this.#asked[0];
  }

  ask(stretch: AskedStretch): void {
    this.#asked.push(stretch);
  }

  /** One that is about what was answered before is passed over: it came twice, or too late. */
  add(piece: HeardPiece): void {
    this.settledMs = Math.max(this.settledMs, piece.endMs);
    const isOld = this.#answeredMs > 0 && piece.endMs <= this.#answeredMs + ROUNDED_MS;
    if (piece.text !== '' && !isOld && this.#pieces.length < PIECES_MAX) this.#pieces.push(piece);
  }

  /** The words that were settled and not answered, with what may still change after them. */
  soFar(unsettled: string): string {
    return joined([...this.#pieces.map(({ text }) => text), unsettled]);
  }

  /** The service answered a flush: the first one, and others as far as it has settled. */
  answered(): readonly JoinedStretch[] {
    const answers: JoinedStretch[] = [];
    while (this.#asked.length > 0) {
      const isSettled = this.#asked[0]!.toMs <= this.settledMs + ROUNDED_MS;
      if (answers.length > 0 && !isSettled) break;
      answers.push(this.#answer(this.#asked.shift()!));
    }
    return answers;
  }

  /** Where another flush waits behind it, what begins after a stretch is not about it. */
  #answer(stretch: AskedStretch): JoinedStretch {
    const all = this.#asked.length === 0;
    const own = this.#pieces.filter(({ startMs }) => all || startMs < stretch.toMs - ROUNDED_MS);
    this.#pieces = this.#pieces.filter((piece) => !own.includes(piece));
    this.#answeredMs = stretch.toMs;
    const text = joined(own.map((piece) => piece.text));
    const language = own.find((piece) => piece.language !== undefined)?.language;
    return {
      ...stretch,
      text,
      confidence: text === '' ? 0 : Math.min(...own.map(({ confidence }) => confidence)),
      words: own.flatMap(({ words }) => words),
      ...(language !== undefined && { language }),
    };
  }
}

function joined(texts: readonly string[]): string {
  const parts = texts.map((text) => text.trim()).filter((text) => text !== '');
  return parts.join(' ').slice(0, TEXT_CHARS_MAX);
}
