import type { SttEvent, SttWord } from './contract.ts';

/** Audio that was given in one go: the same time for who gave and for who got it. */
interface Piece {
  readonly givenMs: number; // where it begins for the engine
  readonly streamMs: number; // where it begins in the stream
  ms: number;
}
/** Later pieces push out the oldest: what was heard of those is long over. */
const PIECES_MAX = 256;
/** Sums of frames of 20 ms differ by less. */
const SAME_MS = 0.01;

/**
 * Where the audio that an engine was given lies in a stream. Engines count time in what they get; what they do not get (a gap, a
 * part that was settled before they were asked) and what they get besides (silence that keeps a connection) moves their time away
 * from that of the stream.
 */
export class AudioTimes {
  readonly #pieces: Piece[] = [];
  #givenMs = 0;

  /** All that the engine was given, in its own time. */
  get givenMs(): number {
    return this.#givenMs;
  }

  /** The engine gets `ms` of audio that begins at `streamMs`. */
  give(ms: number, streamMs: number): void {
    const last = this.#pieces.at(-1);
    const goesOn =
      last !== undefined &&
      Math.abs(last.streamMs + last.ms - streamMs) < SAME_MS &&
      Math.abs(last.givenMs + last.ms - this.#givenMs) < SAME_MS;
    if (goesOn) last.ms += ms;
    else this.#pieces.push({ givenMs: this.#givenMs, streamMs, ms });
    if (this.#pieces.length > PIECES_MAX) this.#pieces.shift();
    this.#givenMs += ms;
  }

  /** The engine gets audio that nobody wrote. */
  fill(ms: number): void {
    this.#givenMs += ms;
  }

  /** The stream's time of something that begins or ends at `givenMs` of the engine's; inside what was given, whatever is asked. */
  at(givenMs: number, edge: 'begins' | 'ends'): number {
    const from = givenMs + (edge === 'begins' ? SAME_MS : -SAME_MS);
    const index = this.#pieces.findLastIndex((piece) => piece.givenMs <= from);
    const piece = this.#pieces[index];
    if (!piece) return this.#pieces[0]?.streamMs ?? 0;
    const next = this.#pieces[index + 1];
    const isPast = edge === 'begins' && givenMs > piece.givenMs + piece.ms - SAME_MS;
    if (isPast && next) return next.streamMs;
    return piece.streamMs + Math.min(piece.ms, Math.max(0, givenMs - piece.givenMs));
  }

  /** Words in the time of the stream. */
  words(words: readonly SttWord[]): readonly SttWord[] {
    return words.map(({ text, startMs, endMs }) => {
      const begins = this.at(startMs, 'begins');
      return { text, startMs: begins, endMs: Math.max(begins, this.at(endMs, 'ends')) };
    });
  }

  /** An event of the engine in the time of the stream. */
  placed(event: SttEvent): SttEvent {
    if (event.type !== 'final') return event;
    const startMs = this.at(event.startMs, 'begins');
    const endMs = Math.max(startMs, this.at(event.endMs, 'ends'));
    return { ...event, startMs, endMs, ...(event.words && { words: this.words(event.words) }) };
  }
}

export function lengthMs({ samples, sampleRateHz }: { samples: Int16Array; sampleRateHz: number }): number {
  return (samples.length * 1000) / sampleRateHz;
}
