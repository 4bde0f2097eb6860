import { ENGLISH_ABBREVIATIONS, ENGLISH_CONTRACTED } from '../lexicon/abbreviations.ts';
import { ACRONYMS } from '../lexicon/acronyms.ts';
import { NUMBER_WORDS } from '../lexicon/context-words.ts';
import { match } from './numeral.ts';
import { readWeekday } from './read-weekday.ts';
import { isBoundary, isDigit, isLatin, isUpper, type Scan } from './scan.ts';
import { type Classified, classified, type Token } from './token.ts';

/** The token over the word that is read, or up to another place. */
export type Fixed = (token: Token, until?: number) => Classified;

const SLASHED = /(?:y\/o|y\/y|q\/q|m\/m|w\/in|b\/w|b\/c|w\/o|w\/|c\/o|n\/a|N\/A|a\/c|A\/C)(?![A-Za-z])/y;

export function slashed(scan: Scan, at: number): Classified | undefined {
  const found = match(SLASHED, scan.text, at);
  const to = found === undefined ? undefined : ENGLISH_ABBREVIATIONS.get(found.toLowerCase())?.to;
  if (found === undefined || to === undefined || scan.language === 'ar') return undefined;
  const account = ACCOUNT.test(scan.text.slice(at, at + 10));
  return classified({ kind: 'words', words: account ? 'account' : to }, at, at + found.length);
}

const ACCOUNT = /^[aA]\/[cC] (?:no\b(?! )|no\.? ?\d|number|#|\d)/;
export function englishAbbreviation(scan: Scan, at: number, word: string, fixed: Fixed): Classified | undefined {
  const { text } = scan;
  const end = at + word.length;
  const dot = text[end] === '.';
  const lower = word.toLowerCase();
  const contracted = ENGLISH_CONTRACTED.get(lower.replace('’', "'"));
  if (contracted !== undefined)
    return fixed({ kind: 'words', words: contracted }, dot && end + 1 < text.length ? end + 1 : end);
  const latin = latinAbbreviation(scan, at);
  if (latin !== undefined) return latin;
  if (lower === 'dr' || lower === 'st') return doctorOrStreet(scan, at, word, fixed);

  const place = inPlace(scan, at, end, lower);
  if (place !== undefined) return fixed({ kind: 'words', words: place }, end + 1 < text.length ? end + 1 : end);
  const weekday = readWeekday(scan, at, word);
  if (weekday !== undefined) return weekday;
  const entry = ENGLISH_ABBREVIATIONS.get(lower);
  if (entry === undefined || scan.left(at) === 'dot') return undefined; // the end of a domain
  if (word === word.toUpperCase() && word.length > 1 && !dot) return undefined;
  const next = text.charCodeAt(dot ? end + 1 : end) === 0x20 ? (dot ? end + 2 : end + 1) : dot ? end + 1 : end;
  const labels =
    (lower === 'fl' && FLOOR.test(text.slice(end, end + 3))) ||
    (LABELS.has(lower) && (text[end] === ':' || text[end] === '#' || text.startsWith(' #', end)));
  if (entry.when === 'dotted' && !dot && !labels && !isStreet(text, at, lower)) return undefined;
  if (ACRONYMS.has(word) && !isDigit(text.charCodeAt(next))) return undefined; // 4 PM EST.
  if (lower === 'rev' && REVISION.test(text.slice(end, end + 5)))
    return fixed({ kind: 'words', words: 'revision' }, dot ? end + 1 : end);
  if (lower === 'est' && FOUNDED.test(text.slice(next, next + 6)))
    return fixed({ kind: 'words', words: 'established' }, dot ? end + 1 : end);
  const numbered =
    isDigit(text.charCodeAt(next)) ||
    (dot && ROMAN_BEHIND.test(text.slice(next, next + 6))) ||
    (lower === 'no' && (NUMBER_WORDS.has(scan.left(at)) || (dot && SERIAL_BEHIND.test(text.slice(next, next + 5)))));
  const inside = entry.inside === true && dot && isSmallLetter(text.charCodeAt(next));
  if (entry.when === 'number' && !inside && !(numbered && (dot || word !== 'no'))) return undefined;
  if (entry.when === 'name' && !(isUpper(text.charCodeAt(next)) && isUpper(word.charCodeAt(0)))) return undefined;
  // The dot of the last word ends the sentence.
  const ends = dot && (end + 1 >= text.length || (isUpper(text.charCodeAt(next)) && ENDING.has(lower)));
  return fixed({ kind: 'words', words: entry.to }, dot && !ends ? end + 1 : end);
}

function isSmallLetter(code: number): boolean {
  return isLatin(code) && !isUpper(code);
}

/** Abbreviations that name what stands behind a colon or number sign: `Ref#: 12`, `Temp: 40`. */
const FLOOR = /^ \d/;
const LABELS: ReadonlySet<string> = new Set('ref max min temp mob conf wt ht'.split(' '));
/** `No. M/51`. */
const SERIAL_BEHIND = /^[A-Z]{1,3}[-/]?\d/;
const ROMAN_BEHIND = /^[IVX]{1,5}(?![A-Za-z\d])/;
const AFTER_RANK: ReadonlyMap<string, string> = new Map([
  ['ed', 'edition'],
  ['para', 'paragraph'],
  ['min', 'minute'],
  ['sec', 'second'],
  ['hr', 'hour'],
  ['yr', 'year'],
  ['wk', 'week'],
  ['mo', 'month'],
  ['sem', 'semester'],
  ['gen', 'generation'],
  ['cent', 'century'],
  ['div', 'division'],
]);

/** `Min. of Health`, `3rd ed.`: what the word means in this place alone. */
function inPlace({ text }: Scan, at: number, end: number, lower: string): string | undefined {
  if (lower === 'no' && /^\. of /.test(text.slice(end, end + 5))) return 'number';
  if (lower === 'min' && /^\. of (?:the )?[A-Z]/.test(text.slice(end, end + 10))) return 'ministry';
  const word = AFTER_RANK.get(lower);
  const ranked =
    word !== undefined && text[end] === '.' && /\d(?:st|nd|rd|th) $/.test(text.slice(Math.max(0, at - 5), at));
  return ranked ? word : undefined;
}

/** `Rev. B`, `Rev 3`. */
const REVISION = /^\.? (?:[A-Z](?![A-Za-z.])|\d)/;
/** `Est. 1995`; other things are estimated. */
const FOUNDED = /^(?:(?:1[5-9]|20)\d\d(?!\d)|in |since)/;

/** `King Fahd Rd`: a street needs no dot after its name. */
function isStreet(text: string, at: number, lower: string): boolean {
  return /^(?:rd|ln|sq)$/.test(lower) && /[A-Z][a-z]+ $/.test(text.slice(Math.max(0, at - 24), at));
}

/** Abbreviations that often close a sentence: the dot stays when a capital follows. */
const ENDING: ReadonlySet<string> = new Set('etc ltd inc corp jr hrs mins pts depts appts fl'.split(' '));
const LATIN =
  /(?:[bm]\.\s?(?:sc|ed|tech|com|phil|arch)|e\.\s?g|i\.\s?e|p\.\s?a|p\.\s?o|a\.k\.a)\.(?:\s?box(?![a-z]))?|ph\.?\s?d\b\.?/iy;

const LATIN_WORDS: ReadonlyMap<string, string> = new Map([
  ['bsc', 'B S C'],
  ['msc', 'M S C'],
  ['bed', 'B Ed'],
  ['med', 'M Ed'],
  ['btech', 'B Tech'],
  ['mtech', 'M Tech'],
  ['bcom', 'B Com'],
  ['mcom', 'M Com'],
  ['mphil', 'M Phil'],
  ['barch', 'B Arch'],
  ['march', 'M Arch'],
  ['aka', 'also known as'],
  ['eg', 'for example'],
  ['ie', 'that is'],
  ['pa', 'per annum'],
  ['pobox', 'P O box'],
  ['phd', 'P H D'],
]);

function latinAbbreviation(scan: Scan, at: number): Classified | undefined {
  const found = match(LATIN, scan.text, at);
  if (found === undefined) return undefined;
  const letters = found.replace(/[.\s]/g, '').toLowerCase();
  const words = LATIN_WORDS.get(letters);
  return words === undefined ? undefined : classified({ kind: 'words', words }, at, at + found.length);
}

/** `Dr. Sara` is a doctor and `Palm Dr.` a drive; `St. Mary` a saint and `King St.` a street. */
function doctorOrStreet(scan: Scan, at: number, word: string, fixed: Fixed): Classified | undefined {
  const { text } = scan;
  const end = at + word.length;
  if (!isUpper(word.charCodeAt(0)) || !isBoundary(text, end)) return undefined;
  const dot = text[end] === '.';
  const after = (dot ? end + 1 : end) + (text[dot ? end + 1 : end] === ' ' ? 1 : 0);
  const beforeName = isUpper(text.charCodeAt(after)) && (text[after - 1] === ' ' || dot);
  const afterName =
    at >= 2 &&
    /[A-Za-z\d]/.test(text[at - 2]!) &&
    /(?:[A-Z][a-z]+|\d(?:st|nd|rd|th)) $/.test(text.slice(Math.max(0, at - 24), at));
  const title = word.toLowerCase() === 'dr';
  if (!beforeName && !afterName && !dot) return undefined;
  const isTitle = beforeName && !(afterName && !title);
  const words = title ? (isTitle ? 'doctor' : 'drive') : isTitle ? 'saint' : 'street';
  return fixed({ kind: 'words', words }, dot && (isTitle || after < text.length) ? end + 1 : end);
}
