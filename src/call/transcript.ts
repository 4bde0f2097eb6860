import type { Turn } from '../engines/reply/contract.ts';

/** Turns given to the reply engine (api.md A: history is at most 20). The full record lives in the store. */
export const HISTORY_TURNS = 20;

/** What was said, as it was heard. Bounded: the oldest turns leave. */
export class Transcript {
  readonly #turns: Turn[] = [];
  #nextIndex = 0;

  get history(): readonly Turn[] {
    return this.#turns.slice(-HISTORY_TURNS);
  }

  /** @returns the index of the turn in the call, which with the call id names its charge. */
  add(turn: Turn): number {
    this.#turns.push(turn);
    if (this.#turns.length > HISTORY_TURNS * 2) this.#turns.splice(0, this.#turns.length - HISTORY_TURNS * 2);
    return this.skip();
  }

  /** @returns the index of a turn that is no part of the history. */
  skip(): number {
    const index = this.#nextIndex;
    this.#nextIndex += 1;
    return index;
  }
}

/** A stretch of agent speech: one sentence and the audio it became. */
export interface SpokenPiece {
  readonly text: string;
  /** Samples made of it so far, and how many of them were played. */
  readonly synthesisedSamples: number;
  readonly playedSamples: number;
  readonly complete: boolean; // all of its audio was made
  /** How much of the text was played to its end, in whole words, where the synthesiser says so. */
  readonly heardChars?: number;
}

/**
 * Splits what was being said into what was heard and what was not, at word borders: by the marks of the synthesiser, else in
 * proportion to the audio.
 * A piece that is still being synthesised is measured against the speaking rate of its own audio so far.
 */
export function splitAtHeard(pieces: readonly SpokenPiece[]): { heard: string; unheard: string } {
  const heard: string[] = [];
  const unheard: string[] = [];
  for (const piece of pieces) {
    if (piece.complete && piece.playedSamples >= piece.synthesisedSamples) {
      heard.push(piece.text);
    } else if (piece.playedSamples <= 0) {
      unheard.push(piece.text);
    } else if (piece.heardChars !== undefined) {
      const parts = [piece.text.slice(0, piece.heardChars).trim(), piece.text.slice(piece.heardChars).trim()];
      if (parts[0]) heard.push(parts[0]);
      if (parts[1]) unheard.push(parts[1]);
    } else {
      const words = piece.text.split(/\s+/).filter(Boolean);
      const share = piece.playedSamples / Math.max(piece.synthesisedSamples, 1);
      const count = Math.min(words.length, Math.floor(words.length * share));
      if (count > 0) heard.push(words.slice(0, count).join(' '));
      if (count < words.length) unheard.push(words.slice(count).join(' '));
    }
  }
  return { heard: heard.join(' '), unheard: unheard.join(' ') };
}
