import { arrayOf, objectOf } from '../../openai/chat-chunks.ts';
import type { SpeechMark } from '../../tts/contract.ts';

/** Letters that the service left out of what it tells; beyond that it is telling of something else. */
const LEFT_OUT_MAX = 40;
const SPACE = /\s/;
const SPOKEN = /[\p{L}\p{N}]/u;

/** Where the words of a text sound, from times of its letters that are told with the sound, a part at a time. */
export class SpokenMarks {
  #at = 0; // how far letters were found
  #word = -1; // where the last marked word begins
  #ms = 0;

  constructor(private readonly text: string) {}

  /** Words that begin in this part. @param alignment - letters, and when each begins in the whole sentence, in seconds. */
  read(alignment: unknown): readonly SpeechMark[] {
    const { characters, character_start_times_seconds: starts } = objectOf(alignment) ?? {};
    const times = arrayOf(starts);
    return arrayOf(characters).flatMap((letter, i) => {
      const seconds = times[i];
      if (typeof letter !== 'string' || letter.trim() === '' || typeof seconds !== 'number') return [];
      return this.#markOf(letter, seconds * 1000) ?? [];
    });
  }

  #markOf(letter: string, ms: number): SpeechMark | undefined {
    const found = this.text.indexOf(letter, this.#at);
    if (found < 0 || found - this.#at > LEFT_OUT_MAX || !Number.isFinite(ms)) return undefined;
    this.#at = found + letter.length;
    this.#ms = Math.max(this.#ms, ms);
    const charStart = this.#edge(found, -1);
    if (charStart <= this.#word) return undefined;
    this.#word = charStart;
    const charEnd = this.#edge(found, 1);
    if (!SPOKEN.test(this.text.slice(charStart, charEnd))) return undefined;
    return { charStart, charEnd, atMs: this.#ms };
  }

  /** Of the word around a letter: where it begins, or what comes after it. */
  #edge(from: number, step: -1 | 1): number {
    let at = from;
    if (step > 0) while (at < this.text.length && !SPACE.test(this.text[at]!)) at += 1;
    else while (at > 0 && !SPACE.test(this.text[at - 1]!)) at -= 1;
    return at;
  }
}
