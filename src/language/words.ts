import { clip, fold, MAX_INPUT_CHARS } from './fold.ts';

/** One utterance of a telephone turn never holds more words; the rest is ignored. */
export const MAX_WORDS = 200;

/** A folded word and how it was written: the folded form is compared, the raw one is said back. */
export interface Word {
  readonly text: string;
  readonly raw: string;
}

/** The words of an utterance, folded, each with its raw spelling (punctuation stripped). At most `MAX_WORDS`. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const piece of clip(text, MAX_INPUT_CHARS).split(/[\s،؛]+/)) {
    if (piece === '') continue;
    const raw = piece.replace(/^[^\p{L}\p{N}*#+]+|[^\p{L}\p{N}\p{M}*#]+$/gu, '');
    for (const part of fold(piece).split(' ')) {
      if (part === '') continue;
      if (words.length >= MAX_WORDS) return words;
      words.push({ text: part, raw: raw === '' ? part : raw });
    }
  }
  return words;
}

const MAX_SAID_CHARS = 400;

/** Words as they were said, to be kept for a later turn. */
export function asSaid(words: readonly Word[]): string {
  return words
    .map(({ raw }) => raw)
    .join(' ')
    .slice(0, MAX_SAID_CHARS);
}
