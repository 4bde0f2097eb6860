import { similarity } from '../similarity.ts';
import type { Word } from '../words.ts';

const LETTER = /^[a-z]$/;
const MIN_SPELLED = 3;
/** Before letters: `that's d a n a`. */
const SPELLS = new Set('thats its is spelled spelt spell spelling as so with letters it i'.split(' '));
/** From which likeness on letters are those of a name that was said. */
const ALIKE = 0.5;

/**
 * Letters at the end of an answer spell its name: `Majed Turki, m a j e d` says it twice, `Dana, d o n n a` mends it, and letters
 * alone are the name.
 */
export function spelledOut(words: readonly Word[]): readonly Word[] {
  const from = words.findLastIndex(({ text }) => !LETTER.test(text)) + 1;
  if (words.length - from < MIN_SPELLED) return words;
  const text = words
    .slice(from)
    .map((word) => word.text)
    .join('');
  let end = from;
  while (end > 0 && SPELLS.has(words[end - 1]!.text)) end -= 1;
  const said = words.slice(0, end);
  const spelled: Word = { text, raw: text };
  if (said.length === 0 || said.some((word) => word.text === text)) return said.length === 0 ? [spelled] : said;
  const heard = said.findLastIndex((word) => similarity(word.text, text) >= ALIKE);
  return heard < 0 ? [...said, spelled] : said.with(heard, spelled);
}
