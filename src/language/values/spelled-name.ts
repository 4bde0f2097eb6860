import { fold } from '../fold.ts';
import { everyListOf } from '../lists.ts';
import { similarity } from '../similarity.ts';
import type { Word } from '../words.ts';
import { NOT_WORDS } from './refused-words.ts';

const LETTER = /^[a-z]$/;
const MIN_SPELLED = 3;
/** Before letters: `that's d a n a`. */
const SPELLS = new Set(
  'thats its is spelled spelt spell spelling as so with letters it i يعني كذا حروفه حروفها تهجئته'.split(' '),
);
/** From which likeness on letters are those of a name that was said. */
const ALIKE = 0.5;

/** Arabic letters by their names, of one word or two. */
const ARABIC = new Map(
  everyListOf('language/values/data/arabic-letters.tsv').flatMap(([letter, names]) =>
    names.map((name) => [fold(name), letter] as const),
  ),
);
const MAX_NAME_WORDS = 2;
/** `بالغين`, `بعين`: with which letter a name before it is written. */
const WITH_LETTER = /^و?ب(?:ال)?(.{2,4})$/;

/**
 * Letters in an answer spell its name: `Majed Turki, m a j e d` says it twice, `Dana, d o n n a` mends it, and letters alone are the
 * name. In Arabic they are said by their names (`الف را واو`), and `رغد بالغين مو رعد بالعين` tells which letter is meant.
 */
export function spelledOut(words: readonly Word[]): readonly Word[] {
  const plain = withoutLetterTold(words);
  const run = lettersIn(plain);
  if (!run) return plain;
  let start = run.start;
  while (start > 0 && SPELLS.has(plain[start - 1]!.text)) start -= 1;
  const announced = plain[start - 1];
  // `Arwa Alharthi, Arwa a r w a`: the name said once more before its letters.
  if (announced && plain.slice(0, start - 1).some(({ text }) => text === announced.text)) start -= 1;
  const said = [...plain.slice(0, start), ...plain.slice(run.end)];
  const spelled: Word = { text: fold(run.text), raw: run.text };
  if (said.length === 0) return [spelled];
  if (said.some(({ text }) => text === spelled.text)) return said;
  const heard = said.findLastIndex(({ text }) => similarity(text, spelled.text) >= ALIKE);
  return heard < 0 ? [...said, spelled] : said.with(heard, spelled);
}

interface Letters {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The letters at the end, or those of Arabic wherever enough of them stand together. */
function lettersIn(words: readonly Word[]): Letters | undefined {
  const from = words.findLastIndex(({ text }) => !LETTER.test(text)) + 1;
  if (words.length - from >= MIN_SPELLED) return { text: textOf(words.slice(from)), start: from, end: words.length };
  return words.map((_, at) => arabicLettersAt(words, at)).find((found) => found !== undefined);
}

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join('');

function arabicLettersAt(words: readonly Word[], start: number): Letters | undefined {
  const letters: string[] = [];
  let end = start;
  for (;;) {
    const left = words.length - end;
    const taken = [MAX_NAME_WORDS, 1].find((count) => count <= left && ARABIC.has(nameAt(words, end, count)));
    if (!taken) break;
    letters.push(ARABIC.get(nameAt(words, end, taken))!);
    end += taken;
  }
  return letters.length >= MIN_SPELLED ? { text: letters.join(''), start, end } : undefined;
}

function nameAt(words: readonly Word[], at: number, count: number): string {
  return words
    .slice(at, at + count)
    .map(({ text }) => text)
    .join(' ');
}

/** Without what only tells a letter of the name before it, and without a name that is not meant by its letter. */
function withoutLetterTold(words: readonly Word[]): readonly Word[] {
  const told = words.flatMap(({ text }, at) => (at > 0 && ARABIC.has(WITH_LETTER.exec(text)?.[1] ?? '') ? [at] : []));
  if (told.length === 0) return words;
  const gone = new Set(
    told.flatMap((at) => {
      if (NOT_WORDS.has(words[at - 2]?.text ?? '')) return [at - 2, at - 1, at];
      const other = words[at + 2]?.text ?? '';
      const isOther = NOT_WORDS.has(words[at + 1]?.text ?? '') && similarity(other, words[at - 1]!.text) >= ALIKE;
      return isOther ? [at, at + 1, at + 2] : [at]; // ضحى بالضاد مو دحى
    }),
  );
  return words.filter((_, at) => !gone.has(at));
}
