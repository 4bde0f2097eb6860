import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import { ROMAN_BEFORE, ROMAN_RULERS } from '../lexicon/context-words.ts';
import type { Scan } from './scan.ts';

/** Up to 399; the letters C and L alone or in pairs are rather names (Class C). */
const ROMAN = /^(?:X{0,3}|(?=.{3})C{0,3}(?:XC|XL|L?X{0,3}))(?:IX|IV|V?I{0,3})$/;
/** Read as numbers also in small letters. */
export const SMALL_ROMANS: ReadonlySet<string> = new Set('ii iii iv ix vi vii viii xi xii xiii'.split(' '));

/** Two letters or more, or one after a word that is numbered so (Phase I). Spelled letters follow one another. */
export function romanNumber(scan: Scan, at: number, written: string): number | undefined {
  // `Scene ii`, `page iv`.
  const word = SMALL_ROMANS.has(written) && scan.language === 'en' ? written.toUpperCase() : written;
  if (!ROMAN.test(word) || isSpelling(scan.text, at + word.length)) return undefined;
  const left = scan.left(at);
  const century = word.length > 1 && isCentury(scan.text, at + word.length);
  const numbered =
    century ||
    isNumbered(left) ||
    isInSeries(scan, at) ||
    (word.length > 1 && isTitled(scan, at, word)) ||
    (word.length > 1 && scan.leftIn(at, RULERS_AR, 3)) ||
    (scan.language === 'ar' && CERTAIN.test(word) && /^(?:ال|للم?|بال)/u.test(left)) ||
    (isRuler(scan, at) && mayRule(scan.text, at, word));
  if (!numbered) return undefined;
  if (scan.text[at - 1] !== ' ' && !isInSeries(scan, at)) return undefined;
  return romanValue(word);
}

/** A word that is numbered so, or its plural: phase, chapters. */
export function isNumbered(word: string): boolean {
  return ROMAN_BEFORE.has(word) || (word.endsWith('s') && ROMAN_BEFORE.has(word.slice(0, -1)));
}

/** Numbers behind such a word, each with what leads to the next. */
const SERIES =
  /([\p{L}\p{M}]+) ((?:[IVX]{1,5}(?:, (?:and |or |و ?)?| (?:and|or|to|&|و|أو|إلى) | ?و ?| ?[-–/] ?)){1,6})$/u;
const SERIES_CHARS = 72;
const LAST_AFTER = /^[IVX]{1,5}(?![A-Za-z\d])/;

/** Whether the Roman number at `at` goes on a row of them, each larger than the one before: World War I, II and III. */
export function isInSeries(scan: Scan, at: number): boolean {
  return seriesOf(scan, at) !== undefined;
}

/** The word that such a row counts, folded. */
export function seriesOf({ text }: Scan, at: number): string | undefined {
  if (!isRomanSign(text.charCodeAt(at))) return undefined;
  const found = SERIES.exec(text.slice(Math.max(0, at - SERIES_CHARS), at));
  const own = found === null ? undefined : LAST_AFTER.exec(text.slice(at, at + 6))?.[0];
  const head = found === null ? '' : foldWord(found[1]!);
  if (found === null || own === undefined || !ROMAN.test(own) || !isNumbered(head)) return undefined;
  const last = found[2]!.match(/[IVX]+/g)!.at(-1)!;
  return ROMAN.test(last) && romanValue(own) > romanValue(last) ? head : undefined;
}

function isRomanSign(code: number): boolean {
  return code === 0x49 || code === 0x56 || code === 0x58;
}

const RULERS_AR = foldedSet('الملك الملكة البابا الإمبراطور الإمبراطورة القيصر القيصرة الأمير الأميرة السلطان');

/** No other word or name is spelled so: after an Arabic noun with its article (العامل VIII) a rank. */
const CERTAIN = /^(?=.*[IV])X{0,2}(?:I{2,3}|VI{1,3}|IX|X[IVX]+)$/;

/** A known ruler, or a name after a title: King Salman. */
export function isRuler(scan: Scan, at: number): boolean {
  return ROMAN_RULERS.has(scan.left(at)) || RULING.has(scan.left(at, 2));
}

const RULING: ReadonlySet<string> = new Set('king queen pope emperor sultan tsar czar shah prince princess'.split(' '));

/** After a capitalised word: `Rocky IV`, `Final Fantasy VII`. An infusion is no number (`an IV drip`). */
const TITLED =
  /(?:^|[^A-Za-z])(?!(?:The|This|That|For|With|And|From|Start|Class|Size|Vitamin|Get|Your) )[A-Z][a-z]{2,} $/;

function isTitled(scan: Scan, at: number, word: string): boolean {
  if (scan.language === 'ar' || !/^(?:X{0,2}(?:I[IVX]|VI{0,3}|I{2,3}))$/.test(word) || word === 'V') return false;
  const infusion =
    word === 'IV' &&
    /^ (?:drip|fluid|line|therapy|antibiotic|bag|access|infusion)/.test(scan.text.slice(at + 2, at + 14));
  return !infusion && TITLED.test(scan.text.slice(Math.max(0, at - 24), at));
}

/** `Charles I was king`: I alone may also be the pronoun. */
function mayRule(text: string, at: number, word: string): boolean {
  return (
    word !== 'I' || /^(?:$|[,.;:!?)]| (?:was|ruled|reigned|of|died|became|and)\b)/.test(text.slice(at + 1, at + 10))
  );
}

/** `the XXI century`, `the XIX Olympiad`. */
export function isCentury(text: string, end: number): boolean {
  return /^[ -](?:[Cc]entur(?:y|ies)|[Dd]ynasty|[Oo]lympi|[Aa]nniversary|[Cc]ongress\b)/.test(
    text.slice(end, end + 13),
  );
}

function isSpelling(text: string, end: number): boolean {
  return /^[ .'’-]?[A-Za-z](?![A-Za-z])/.test(text.slice(end, end + 3));
}

function romanValue(roman: string): number {
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
  let total = 0;
  for (let at = 0; at < roman.length; at += 1) {
    const value = values[roman[at]!]!;
    total += value < (values[roman[at + 1] ?? ''] ?? 0) ? -value : value;
  }
  return total;
}
