import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import { ARABIC_LETTER_NAMES, DIGIT_WORDS } from '../../../language/letters.ts';
import { listsOf } from '../../../language/lists.ts';
import {
  ARABIC_DOTTED,
  ARABIC_LABELS,
  ARABIC_TITLES,
  ARABIC_WORDS,
  FEMALE_NAMES,
  MALE_NAMES_LIKE_FEMALE,
} from '../lexicon/abbreviations.ts';
import { isLabelled } from './number-context.ts';
import { match } from './numeral.ts';
import { COLON, DOT, isArabic, isBoundary, isDigit, isLatin, type Scan, SLASH } from './scan.ts';
import { spellArabicLabel } from './spell-arabic.ts';
import type { Classified } from './token.ts';

const list = listsOf('engines/text/normalize/data/read-arabic.tsv');

/** Letters written together with a number or Latin word: بـ50, و3, الـ5, للـVIP. */
const PREFIXES: ReadonlySet<string> = new Set('و ب ل ف ك ال وال بال لل فال كال وب ول وبال ولل'.split(' '));
const FEMALE = foldedSet(...FEMALE_NAMES);
const MALE = foldedSet(...MALE_NAMES_LIKE_FEMALE);
const TITLES: ReadonlyMap<string, readonly [string, string, string, string]> = ARABIC_TITLES;
const DOTTED = foldedMap(ARABIC_DOTTED);
const WORDS = foldedMap(ARABIC_WORDS);
/** `ص.ب`, `ش.م.م.`: letters with dots. */
const DOTTED_LETTERS = /[ء-ي](?:\.\s?[ء-ي](?![ء-ي])){1,4}/y;
/** `أ.د. خالد`, `م/ سارة`, `ود. أحمد`: a title and the start of a name. */
const TITLE = /(و?)((?!و)[ء-ي](?:\.\s?م)?(?:\.?\s?د)?)\s?[./]\s?(?=[ء-ي]{2})/y;
const LABEL = /[ء-ي]\s?[.:/]?\s?(?=\d|[+(]\d)/y;
/** `أ-12`: a letter and a number that name a thing. */
const LETTER_TAG = /(?:[ء-ي][-_]|م\/)\d{1,12}(?!\d|[.,:/-]\d)/y;
/** `ص ب 1122`. */
const POST_BOX = /ص ب(?= ?:? ?\d)/y;
/** Labels that also go without a mark: `ص 5`, `ش 15`. */
const UNMARKED: ReadonlySet<string> = new Set('صش');
const PHONE_LABELS: ReadonlySet<string> = new Set('تجف');
const PHONE_BEHIND = /^[+(]?(?:\d[ ()-]?){5}/;
const LONGEST_ABBREVIATION = 4;
const LONGEST_WORD = Math.max(...[...WORDS.keys()].map((word) => word.length));

function foldedMap(map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...map].map(([key, value]) => [foldWord(key), value]));
}

/** What an Arabic word leads to: an abbreviation, or a prefix of the number or Latin word glued to it. */
export type ArabicWord =
  | { readonly type: 'token'; readonly found: Classified }
  | { readonly type: 'prefix'; readonly prefix: string; readonly end: number }
  | { readonly type: 'word'; readonly end: number };

/** Reads the Arabic word that begins at `at`; words without a meaning of their own are passed over as a whole. */
export function readArabicWord(scan: Scan, at: number): ArabicWord {
  const { text } = scan;
  let end = at;
  while (isArabic(text.charCodeAt(end))) end += 1;
  const length = end - at;
  if (length > LONGEST_ABBREVIATION + 2 || (length > LONGEST_WORD && standsAlone(text, end)))
    return { type: 'word', end };
  const bare = text.slice(at, end).replaceAll('ـ', '');
  const prefix = readPrefix(scan, at, end, bare);
  if (prefix !== undefined) return prefix;
  const found = abbreviation(scan, at, end, bare);
  return found === undefined ? { type: 'word', end } : { type: 'token', found };
}

/** Whether nothing behind the word can make a prefix, title or label of it. */
function standsAlone(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  const follow = next === 0x20 ? text.charCodeAt(end + 1) : next;
  return !(isDigit(follow) || isLatin(follow) || follow === DOT || follow === SLASH || follow === COLON);
}

function readPrefix(scan: Scan, at: number, end: number, bare: string): ArabicWord | undefined {
  const length = end - at;
  // هـ1446: typed from right to left the era ends up in front; the year alone shows the calendar.
  if (bare === 'ه' && length === 2 && isDigit(scan.text.charCodeAt(end)))
    return { type: 'token', found: { token: { kind: 'words', words: '' }, start: end - length, end } };
  if (!PREFIXES.has(bare)) return undefined;
  const { text } = scan;
  const code = text.charCodeAt(end);
  if (isDigit(code) || isLatin(code)) return { type: 'prefix', prefix: bare, end };
  // A tatweel shows that the number belongs to the prefix although a space was typed.
  const spaced =
    code === 0x20 &&
    isDigit(text.charCodeAt(end + 1)) &&
    (length > bare.length || bare === 'ال' || bare === 'و' || (SPOKEN_APART.has(bare) && !namesLetter(scan, at)));
  return spaced ? { type: 'prefix', prefix: bare, end: end + 1 } : undefined;
}

/** Prepositions that are also written apart: `ب 50 ريال`, `ل 5 أشخاص`. */
const SPOKEN_APART: ReadonlySet<string> = new Set('بل');

/** `لوحة ر ب 12`, `مبنى ب 5`: the letter is a name. */
function namesLetter(scan: Scan, at: number): boolean {
  return scan.left(at).length === 1 || isLabelled(scan, at);
}

function abbreviation(scan: Scan, at: number, end: number, bare: string): Classified | undefined {
  if (bare.length === 0) return undefined;
  const words = (to: string, until: number): Classified => ({
    token: { kind: 'words', words: to },
    start: at,
    end: until,
  });
  if (bare.length > 1 && (end >= scan.text.length || isBoundary(scan.text, end))) {
    const known = WORDS.get(foldWord(bare));
    if (known !== undefined) return words(known, end);
  }
  if (bare.length > 2) return undefined;
  const beforeDigit = isDigit(scan.text.charCodeAt(end));
  const title = beforeDigit ? undefined : readTitle(scan, at);
  if (title !== undefined) return title;
  if (bare.length > 1 || (beforeDigit && !ARABIC_LABELS.has(bare))) return undefined;
  const tag = match(LETTER_TAG, scan.text, at);
  if (tag !== undefined) return words(tagWords(tag), at + tag.length);
  const dotted = match(DOTTED_LETTERS, scan.text, at);
  if (dotted !== undefined) {
    const known = DOTTED.get(foldWord(dotted.replace(/[.\s]/g, '')));
    const last = at + dotted.length;
    const closing = scan.text[last] === '.' && last + 1 < scan.text.length ? last + 1 : last;
    return known === undefined ? undefined : words(known, closing);
  }
  const box = bare === 'ص' ? match(POST_BOX, scan.text, at) : undefined;
  if (box !== undefined) return words('صندوق بريد', at + box.length);
  const label = match(LABEL, scan.text, at);
  const name = ARABIC_LABELS.get(bare);
  if (label === undefined || name === undefined) return undefined;
  // `ت 5` is a letter; a page may go without a mark (ص 5), the other labels need one.
  if (label.length === 1 + (label.includes(' ') ? 1 : 0) && !UNMARKED.has(bare)) return undefined;
  if (PHONE_LABELS.has(bare) && !PHONE_BEHIND.test(scan.text.slice(at + label.length, at + label.length + 16)))
    return undefined; // س: كم السعر؟ ج: 50 ريال
  return words(`${name} `.trimEnd(), label.trimEnd().length + at);
}

function tagWords(tag: string): string {
  const letter = tag[0]!;
  return `${ARABIC_LETTER_NAMES[letter] ?? letter} ${spellArabicLabel(tag.slice(2))}`;
}

/** Numbers as words are no names. */
const NUMBER_NAMES = foldedSet(...DIGIT_WORDS.ar, ...list('number-names'));

/** A title before a name: feminine before women's names, without its article after يا. */
function readTitle(scan: Scan, at: number): Classified | undefined {
  TITLE.lastIndex = at;
  const found = TITLE.exec(scan.text);
  if (found === null || scan.text[at - 1] === '/') return undefined;
  const forms = TITLES.get(found[2]!.replace(/[.\s]/g, ''));
  const { word } = scan.next(TITLE.lastIndex);
  if (NUMBER_NAMES.has(foldWord(word))) return undefined; // م. 5
  const street = found[2] === 'ش' && word.startsWith('ال');
  if (forms === undefined || word.length < 2 || (!street && /^(?:ال.*|في|من|على|إلى|هو|هي)$/u.test(word)))
    return undefined;
  // `5 م. خالد`: after a number م is a unit only when nothing like a name follows.
  const called = scan.left(at) === 'يا';
  const form = found[1]! + forms[(called ? 2 : 0) + (isWoman(word) ? 1 : 0)]!;
  const space = found[0].endsWith(' ') ? 1 : 0;
  const to = space === 1 ? form : `${form} `;
  return { token: { kind: 'words', words: to.trimEnd() }, start: at, end: at + found[0].length - space };
}

function isWoman(name: string): boolean {
  const folded = foldWord(name);
  if (FEMALE.has(folded)) return true;
  return (
    (/(?:[ةى]|اء)$/u.test(name) || (name.length > 3 && name.endsWith('ه'))) &&
    !MALE.has(folded) &&
    !/^عبدالله$|الله$|طه$/u.test(folded)
  );
}
