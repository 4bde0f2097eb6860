import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { englishCardinal } from './english-number.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

const list = listsOf('engines/text/normalize/data/read-verse.tsv');

/** Books with chapters and verses, and what stands for them. */
const BOOKS = foldedSet(...list('books'));
const VERSE = /([1-9]\d{0,2}):([1-9]\d{0,2})(?:\s?[-–]\s?(\d{1,3}))?(?![\d:.]\d|\d|\s?[aApP]\.?[mM]\b)/y;
const NUMBERED_BOOK =
  /[123](?= (?:Sam(?:uel)?|Kings|Chr(?:on(?:icles)?)?|Cor(?:inthians)?|Thess(?:alonians)?|Tim(?:othy)?|Pet(?:er)?|John)\.? \d)/y;
const RANKS = ['', 'first', 'second', 'third'];

/** `Quran 2:255`, `John 3:16`, `Exodus 13:4-8` in English text: chapter and verse. */
export function readVerse(scan: Scan, at: number): Classified | undefined {
  if (scan.language === 'ar') return undefined;
  VERSE.lastIndex = at;
  const found = VERSE.exec(scan.text);
  if (found === null || !BOOKS.has(scan.left(at))) return undefined;
  const [chapter, verse, last] = [found[1], found[2], found[3]].map((digits) => englishCardinal(Number(digits ?? 0)));
  const words = `${chapter} ${verse}${found[3] === undefined ? '' : ` to ${last}`}`;
  return classified({ kind: 'words', words }, at, at + found[0].length);
}

/** `1 Corinthians 13` in English text: the first of two books. */
export function readNumberedBook(scan: Scan, at: number): Classified | undefined {
  NUMBERED_BOOK.lastIndex = at;
  if (!NUMBERED_BOOK.test(scan.text)) return undefined;
  return classified({ kind: 'words', words: RANKS[Number(scan.text[at])]! }, at, at + 1);
}
