import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import type { SpeechMark } from '../../tts/contract.ts';

const WORDS_MAX = 1_000;
const TICKS_PER_MS = 10_000; // of 100 ns
/** A word that is found only so far on is another one: the service says it otherwise than it is written. */
const AHEAD_CHARS = 80;

/** Places of the words of one sentence, found in its text as the service tells of them, in order. */
export class WordMarks {
  #at = 0;
  #atMs = 0;

  constructor(private readonly text: string) {}

  /** Of one `audio.metadata`; a word that is not in the text, or comes out of order, has no place. */
  read(body: string): readonly SpeechMark[] {
    const marks: SpeechMark[] = [];
    for (const entry of arrayOf(parseObject(body)?.['Metadata']).slice(0, WORDS_MAX)) {
      const { Type, Data } = objectOf(entry) ?? {};
      const { Offset, text } = objectOf(Data) ?? {};
      const word = objectOf(text)?.['Text'];
      if (Type !== 'WordBoundary' || typeof word !== 'string' || word.trim() === '') continue;
      const mark = this.#place(word.trim(), typeof Offset === 'number' ? Offset / TICKS_PER_MS : Number.NaN);
      if (mark) marks.push(mark);
    }
    return marks;
  }

  #place(word: string, atMs: number): SpeechMark | undefined {
    const charStart = this.text.indexOf(word, this.#at);
    if (charStart < 0 || charStart > this.#at + AHEAD_CHARS || !(atMs >= this.#atMs)) return undefined;
    const charEnd = charStart + word.length;
    this.#at = charEnd;
    this.#atMs = atMs;
    return { charStart, charEnd, atMs };
  }
}
