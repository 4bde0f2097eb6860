import { PHONE_WORDS } from '../lexicon/context-words.ts';
import { englishDigits } from './english-number.ts';
import { isInClause } from './number-context.ts';
import { match } from './numeral.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

/** Numbers that are free or dear to call, by their prefix, and groups behind it of which one has letters. */
const PREFIXED =
  /(?:1-)?(?:8(?:00|33|44|55|66|77|88)|900|9200)(?=(?:-\d{1,6}){0,3}-\d{0,6}[A-Z])(?:-[A-Z\d]{1,12}){1,4}(?![-A-Za-z\d])/y;
/** `555-TAXI`, where a telephone is spoken of. */
const LOCAL = /(?:\d{3}-){1,2}[A-Z]{4}(?![-A-Za-z\d])/y;
/** Keys behind the prefix: seven, or a few more that a telephone ignores; five behind 9200. */
const KEYS = { named: [7, 11], national: [5, 8] } as const;
const PARTS = /\d+|[A-Z]+/g;

/** `1-800-FLOWERS`: digits one by one, letters that make a word as that word. In Arabic text the words are left to be read behind it. */
export function readVanity(scan: Scan, at: number): Classified | undefined {
  const found = prefixed(scan, at) ?? local(scan, at);
  if (found === undefined) return undefined;
  if (scan.language === 'ar') {
    const digits = found.slice(0, found.search(/[A-Z]/));
    return classified({ kind: 'digits', digits: digits.replaceAll('-', '') }, at, at + digits.length);
  }
  const words = [...found.matchAll(PARTS)].map(([part]) => partWords(part));
  return classified({ kind: 'words', words: words.join(' ') }, at, at + found.length);
}

function prefixed({ text }: Scan, at: number): string | undefined {
  const found = match(PREFIXED, text, at);
  if (found === undefined) return undefined;
  const national = found.startsWith('9200');
  const keys = found.replaceAll('-', '').length - (national ? 4 : found.startsWith('1-') ? 4 : 3);
  const [min, max] = national ? KEYS.national : KEYS.named;
  return keys >= min && keys <= max ? found : undefined;
}

function local(scan: Scan, at: number): string | undefined {
  const found = match(LOCAL, scan.text, at);
  return found !== undefined && isInClause(scan, at, PHONE_WORDS, 3) ? found : undefined;
}

function partWords(part: string): string {
  if (part <= '9') return englishDigits(part);
  return part.length > 1 && /[AEIOUY]/.test(part) ? part.toLowerCase() : part.split('').join(' ');
}
