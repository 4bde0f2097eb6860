import { wordsOf } from './words.ts';

const STEM_CHARS = 4;

/** The beginnings of the longer words: enough to see whether two texts are about the same thing. */
export function stemsOf(text: string): string[] {
  const words = wordsOf(text).map((word) => word.text.replace(/^(?:و|ف|ب|ل|ك)?ال(?=\p{L}{3})/u, ''));
  return words.filter((word) => word.length >= STEM_CHARS).map((word) => word.slice(0, STEM_CHARS));
}
