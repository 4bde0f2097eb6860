import { ENGLISH_ABBREVIATIONS } from '../lexicon/abbreviations.ts';
import { ACRONYMS, CAPITAL_WORDS } from '../lexicon/acronyms.ts';
import { NUMBER_WORDS, ROMAN_BEFORE, ROMAN_RULERS } from '../lexicon/context-words.ts';
import { TRANSLITERATIONS } from '../lexicon/transliterations.ts';
import { englishOrdinal } from './english-number.ts';
import { match } from './numeral.ts';
import { readMonthFirst } from './read-calendar.ts';
import { readWeekday } from './read-weekday.ts';
import { isBoundary, isDigit, isLatin, isUpper, type Scan } from './scan.ts';
import type { Classified, Token } from './token.ts';

const WORD = /[A-Za-z]{1,40}(?:['’][a-z]{1,3})?/y;
const EMAIL = /[A-Za-z\d][\w.+-]{0,63}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8}/y;
const URL = /(?:https?:\/\/|ftp:\/\/|www\.)[A-Za-z\d](?:[\w./~%+#=&?@:-]{0,300}[\w/])?/iy;
const DOMAIN =
  /[A-Za-z\d][A-Za-z\d-]{0,62}(?:\.[A-Za-z\d-]{1,63}){0,6}\.(?:com|net|org|sa|ae|kw|qa|bh|om|eg|jo|uk|us|io|ai|co|gov|edu|app|dev|me|tv|info|shop|store|online|tech|bank|ly|gl|be|link|site|xyz|cloud)(?![\w@-]|\.\w)(?::\d{2,5}(?!\d))?(?:\/[\w./~%+#=&?-]{0,200}[\w/]|\?[\w.%+=&-]{0,200}\w)?/y;
const FILE =
  /[A-Za-z\d][\w-]{0,60}\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|zip|rar|jpe?g|png|gif|mp[34]|wav|exe|apk|json|xml|html?)(?![\w@-]|\.\w)/y;
const IBAN = /[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?(?![A-Za-z\d])/y;
/** Its first groups: `SA03 8000`. */
const IBAN_BEGUN = /(?:SA|AE|KW|QA|BH|OM|JO|EG|GB|DE|FR)\d{2}(?: \d{4}){1,6}(?!\d|[.,]\d| ?[A-Za-z$€£%])/y;
/** Letters and digits with signs between them, at least one digit. */
const LABEL = /[A-Za-z]{1,20}(?:[-_/]?\d{1,20}|[-_/]?[A-Z]{1,12}(?![a-z])){1,8}/y;
/** `FY2025`, `pre-1980`: a word and a year. */
const WORD_AND_NUMBER = /^(?:[FC]Y(?:19|20)\d\d(?:[-/]\d\d(?:\d\d)?)?|[a-z]{2,}-\d+)$/;
/** `SV 1021`: an airline code and its number. */
const FLIGHT = /(?:SV|XY|F3|EK|QR|EY|MS|BA|LH|TK|GF|WY|KU|FZ|RJ|AF|PK|AI|UL|G9|J9)[ -]\d{2,4}(?!\d)/y;
/** Up to 399; the letters C and L alone or in pairs are rather names (Class C). */
const ROMAN = /^(?:X{0,3}|(?=.{3})C{0,3}(?:XC|XL|L?X{0,3}))(?:IX|IV|V?I{0,3})$/;
const INITIALS = /(?:[A-Z]\.){2,6}/y;
const SLASHED = /(?:w\/o|w\/|c\/o|n\/a|N\/A|a\/c|A\/C)(?![A-Za-z])/y;
const ACRONYM_MAX = 5;
/** Around an all-capital word: lower case shows that capitals are not just the style of the text. */
const STYLE_WINDOW = 60;

/** Addresses, serials, months, abbreviations, acronyms and known Latin words, at a Latin letter. */
export function readLatin(scan: Scan, at: number): Classified | undefined {
  return (
    softwareVersion(scan, at) ??
    electronic(scan, at) ??
    (scan.language === 'en' ? joinedOrCompass(scan, at) : undefined) ??
    iban(scan, at) ??
    shaped(FLIGHT, scan, at) ??
    serial(scan, at) ??
    slashed(scan, at) ??
    initials(scan, at) ??
    readWord(scan, at)
  );
}

/** An e-mail, web address, domain or file name; also where it begins with a digit. */
export function electronic(scan: Scan, at: number): Classified | undefined {
  if (!scan.mayBeAddress(at)) return undefined;
  const { text } = scan;
  const found = match(EMAIL, text, at) ?? match(URL, text, at) ?? match(DOMAIN, text, at) ?? match(FILE, text, at);
  if (found === undefined) return undefined;
  return { token: { kind: 'electronic', text: found }, start: at, end: at + found.length };
}

/** `v2.5`. */
function softwareVersion(scan: Scan, at: number): Classified | undefined {
  const found = match(/[vV]\d{1,4}(?:\.\d{1,4}){1,4}(?![A-Za-z\d])/y, scan.text, at);
  if (found === undefined) return undefined;
  return {
    token: { kind: 'version', parts: found.slice(1).split('.'), named: true },
    start: at,
    end: at + found.length,
  };
}

const COMPASS: Readonly<Record<string, string>> = { N: 'north', S: 'south', E: 'east', W: 'west' };
const COMPASS_STREET =
  /[NSEW]\.?(?= (?:\d+(?:st|nd|rd|th)\b|(?:[A-Z][a-z]+ ){1,2}(?:St|Ave|Rd|Blvd|Dr|Ln|Street|Avenue|Road|Boulevard|Lane)\b))/y;
const AMPERSAND = /[A-Z]{1,3}&[A-Z]{1,3}(?![A-Za-z])/y;
const EXTENSION = /x ?(?=\d{1,5}(?![A-Za-z\d]))/y;

/** `AT&T` is spelled; `123 N. Main St.` says north; `555-0147 x12` has an extension. */
function joinedOrCompass(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const letters = match(AMPERSAND, text, at);
  const spelled = letters?.replace('&', ' and ').replace(/[A-Z](?=[A-Z])/g, '$& ');
  if (spelled !== undefined) return { token: { kind: 'words', words: spelled }, start: at, end: at + letters!.length };
  if (text[at - 1] !== ' ' || !isDigit(text.charCodeAt(at - 2))) return undefined;
  const compass = match(COMPASS_STREET, text, at);
  if (compass !== undefined)
    return { token: { kind: 'words', words: COMPASS[compass[0]!]! }, start: at, end: at + compass.length };
  const extension = /\d{4} $/.test(text.slice(Math.max(0, at - 5), at)) ? match(EXTENSION, text, at) : undefined;
  if (extension === undefined) return undefined;
  return { token: { kind: 'words', words: 'extension ' }, start: at, end: at + extension.length };
}

/** The groups of four of an IBAN are one run of digits. */
function iban(scan: Scan, at: number): Classified | undefined {
  const found = match(IBAN, scan.text, at) ?? match(IBAN_BEGUN, scan.text, at);
  if (found === undefined) return undefined;
  return { token: { kind: 'label', text: found.replaceAll(' ', '') }, start: at, end: at + found.length };
}

function shaped(pattern: RegExp, scan: Scan, at: number): Classified | undefined {
  const found = match(pattern, scan.text, at);
  return found === undefined ? undefined : { token: { kind: 'label', text: found }, start: at, end: at + found.length };
}

function serial(scan: Scan, at: number): Classified | undefined {
  const found = match(LABEL, scan.text, at);
  if (found === undefined || !/\d/.test(found) || WORD_AND_NUMBER.test(found)) return undefined;
  const masked = /^[xX]{2,}(\d+)$/.exec(found)?.[1]; // XX1234
  if (masked !== undefined) return { token: { kind: 'digits', digits: masked }, start: at, end: at + found.length };
  let end = at + found.length;
  // A tail of small letters (`A12b`) belongs to it; a plural s does not.
  while (isLatin(scan.text.charCodeAt(end)) && end - at < 60) end += 1;
  return { token: { kind: 'label', text: scan.text.slice(at, end) }, start: at, end };
}

/** Digits with letters glued on: `5G`, `4K`, `12A`, `3D`. */
export function readGluedLabel(scan: Scan, at: number): Classified | undefined {
  const found = match(/\d{1,20}[-_]?[A-Za-z][A-Za-z\d]{0,20}(?:[-_][A-Za-z\d]{1,20}){0,6}/y, scan.text, at);
  if (found === undefined) return undefined;
  return { token: { kind: 'label', text: found }, start: at, end: at + found.length };
}

function slashed(scan: Scan, at: number): Classified | undefined {
  const found = match(SLASHED, scan.text, at);
  const to = found === undefined ? undefined : ENGLISH_ABBREVIATIONS.get(found.toLowerCase())?.to;
  if (found === undefined || to === undefined || scan.language === 'ar') return undefined;
  return { token: { kind: 'words', words: to }, start: at, end: at + found.length };
}

/** `U.S.`, `V.A.T.` are acronyms; `e.g.` is handled as an abbreviation. */
function initials(scan: Scan, at: number): Classified | undefined {
  const found = match(INITIALS, scan.text, at);
  if (found === undefined) return undefined;
  const end = at + found.length - (at + found.length >= scan.text.length ? 1 : 0);
  return { token: { kind: 'acronym', name: found.replaceAll('.', '') }, start: at, end };
}

function readWord(scan: Scan, at: number): Classified | undefined {
  const word = match(WORD, scan.text, at);
  if (word === undefined) return undefined;
  const end = at + word.length;
  const fixed = (token: Token, until = end): Classified => ({ token, start: at, end: until });
  if (isUpper(scan.text.charCodeAt(at))) {
    const date = readMonthFirst(scan, at);
    if (date !== undefined) return date;
  }
  if (isLatin(scan.text.charCodeAt(end))) return undefined; // longer than any word
  return scan.language === 'ar' ? latinInArabic(scan, at, word, fixed) : englishWord(scan, at, word, fixed);
}

type Fixed = (token: Token, until?: number) => Classified;

function latinInArabic(scan: Scan, at: number, word: string, fixed: Fixed): Classified | undefined {
  const known = ACRONYMS.get(word);
  const roman = romanNumber(scan, at, word);
  if (roman !== undefined) return fixed({ kind: 'ordinal', value: roman });
  if (known !== undefined) return fixed({ kind: 'acronym', name: word });
  const hyphenated = match(/[A-Za-z]{1,12}-[A-Za-z]{1,12}(?![A-Za-z])/y, scan.text, at);
  const joined = hyphenated === undefined ? undefined : TRANSLITERATIONS.get(hyphenated.toLowerCase());
  if (joined !== undefined) return fixed({ kind: 'words', words: joined }, at + hyphenated!.length);
  const spoken = TRANSLITERATIONS.get(word.toLowerCase());
  if (spoken !== undefined) return fixed({ kind: 'words', words: spoken });
  if (word.length === 1 && isUpper(word.charCodeAt(0))) return fixed({ kind: 'acronym', name: word });
  return isAcronym(word) ? fixed({ kind: 'acronym', name: word }) : undefined;
}

function isAcronym(word: string): boolean {
  return word.length >= 2 && word.length <= ACRONYM_MAX && word === word.toUpperCase() && /^[A-Z]+$/.test(word);
}

function englishWord(scan: Scan, at: number, word: string, fixed: Fixed): Classified | undefined {
  const end = at + word.length;
  const roman = romanNumber(scan, at, word);
  if (roman !== undefined) {
    const ruler = ROMAN_RULERS.has(scan.left(at));
    if (!ruler && isCentury(scan.text, end)) return fixed({ kind: 'ordinal', value: roman });
    return fixed(ruler ? { kind: 'words', words: `the ${englishOrdinal(roman)}` } : cardinalOf(roman));
  }
  const abbreviated = englishAbbreviation(scan, at, word, fixed);
  if (abbreviated !== undefined) return abbreviated;
  if (!isAcronym(word) || word === 'PM') return undefined;
  if (scan.text[end] === '.' && isLatin(scan.text.charCodeAt(end + 1))) return undefined;
  if (word === 'US' && isCountry(scan, at, end)) return fixed({ kind: 'acronym', name: word });
  if (ACRONYMS.has(word)) return sameWord(word) ? undefined : fixed({ kind: 'acronym', name: word });
  if (CAPITAL_WORDS.has(word) || isName(scan, at, end, word) || !hasLowerCase(scan, at, end)) return undefined;
  return fixed({ kind: 'acronym', name: word });
}

/** Vowels and consonants in turn: OMAR, AHMED, MISA are said as words. */
const PRONOUNCED = /^[^AEIOU]?[AEIOU][^AEIOU]{1,2}[AEIOU][^AEIOU]?$/;
const PRONOUNCED_MIN = 4;
/** Another word in capitals next to it. */
const CAPITALS_BEFORE = /(?:^|[^A-Za-z])([A-Z]{2,}) $/;
const CAPITALS_AFTER = /^ ([A-Z]{2,})(?![A-Za-z\d])/;

/** `from AHMED ALI`: a name or several shouted words, not letters to spell. */
function isName(scan: Scan, at: number, end: number, word: string): boolean {
  if (word.length >= PRONOUNCED_MIN && PRONOUNCED.test(word)) return true;
  if (word.length < 3 || !/[AEIOUY]/.test(word)) return false;
  const before = CAPITALS_BEFORE.exec(scan.text.slice(Math.max(0, at - 24), at))?.[1];
  const after = CAPITALS_AFTER.exec(scan.text.slice(end, end + 24))?.[1];
  return [before, after].some((other) => other !== undefined && !ACRONYMS.has(other));
}

/** After these `US` is the pronoun in capitals. */
const US_SPOKEN_TO: ReadonlySet<string> = new Set(
  'contact call join visit follow email message text tell let help ask reach find about with give send trust choose'.split(
    ' ',
  ),
);

/** `US agencies`, but not `CALL US NOW` or `contact US`. */
function isCountry(scan: Scan, at: number, end: number): boolean {
  const shouted = /[A-Z]{2} $/.test(scan.text.slice(Math.max(0, at - 3), at));
  return !shouted && !US_SPOKEN_TO.has(scan.left(at)) && hasLowerCase(scan, at, end);
}

/** NASA, PIN: read as words, nothing to replace. */
function sameWord(word: string): boolean {
  return ACRONYMS.get(word)?.en?.toUpperCase() === word;
}

function cardinalOf(value: number): Token {
  return { kind: 'quantity', number: { digits: String(value) }, of: { type: 'plain' } };
}

/** Two letters or more, or one after a word that is numbered so (Phase I). Spelled letters follow one another. */
function romanNumber(scan: Scan, at: number, written: string): number | undefined {
  // `Scene ii`, `page iv`.
  const word = SMALL_ROMAN.test(written) && scan.language === 'en' ? written.toUpperCase() : written;
  if (!ROMAN.test(word) || isSpelling(scan.text, at + word.length)) return undefined;
  const left = scan.left(at);
  const century = word.length > 1 && isCentury(scan.text, at + word.length);
  const numbered =
    century ||
    ROMAN_BEFORE.has(left) ||
    (word.length > 1 && isTitled(scan, at, word)) ||
    (ROMAN_RULERS.has(left) && mayRule(scan.text, at, word));
  if (!numbered) return undefined;
  if (scan.text[at - 1] !== ' ') return undefined;
  return romanValue(word);
}

export const SMALL_ROMAN = /^(?:i{2,3}|i[vx]|vi{1,3}|xi{1,3})$/;

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
function isCentury(text: string, end: number): boolean {
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

function hasLowerCase(scan: Scan, at: number, end: number): boolean {
  const around = scan.text.slice(Math.max(0, at - STYLE_WINDOW), at) + scan.text.slice(end, end + STYLE_WINDOW);
  return /[a-z]{2}|\d/.test(around); // a number becomes small letters
}

function englishAbbreviation(scan: Scan, at: number, word: string, fixed: Fixed): Classified | undefined {
  const { text } = scan;
  const end = at + word.length;
  const dot = text[end] === '.';
  const lower = word.toLowerCase();
  const latin = latinAbbreviation(scan, at);
  if (latin !== undefined) return latin;
  if (lower === 'dr' || lower === 'st') return doctorOrStreet(scan, at, word, fixed);
  const weekday = readWeekday(scan, at, word);
  if (weekday !== undefined) return weekday;
  const entry = ENGLISH_ABBREVIATIONS.get(lower);
  if (entry === undefined || scan.left(at) === 'dot') return undefined; // the end of a domain
  if (word === word.toUpperCase() && word.length > 1 && !dot) return undefined;
  const next = text.charCodeAt(dot ? end + 1 : end) === 0x20 ? (dot ? end + 2 : end + 1) : dot ? end + 1 : end;
  if (entry.when === 'dotted' && !dot && !isStreet(text, at, lower)) return undefined;
  if (ACRONYMS.has(word) && !isDigit(text.charCodeAt(next))) return undefined; // 4 PM EST.
  if (lower === 'est' && FOUNDED.test(text.slice(next, next + 6)))
    return fixed({ kind: 'words', words: 'established' }, dot ? end + 1 : end);
  const numbered = isDigit(text.charCodeAt(next)) || (lower === 'no' && NUMBER_WORDS.has(scan.left(at)));
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

/** `Est. 1995`; other things are estimated. */
const FOUNDED = /^(?:(?:1[5-9]|20)\d\d(?!\d)|in |since)/;

/** `King Fahd Rd`: a street needs no dot after its name. */
function isStreet(text: string, at: number, lower: string): boolean {
  return /^(?:rd|ln|sq)$/.test(lower) && /[A-Z][a-z]+ $/.test(text.slice(Math.max(0, at - 24), at));
}

/** Abbreviations that often close a sentence: the dot stays when a capital follows. */
const ENDING: ReadonlySet<string> = new Set([
  'etc',
  'ltd',
  'inc',
  'corp',
  'jr',
  'hrs',
  'mins',
  'pts',
  'depts',
  'appts',
  'fl',
]);
const LATIN = /(?:e\.\s?g|i\.\s?e|p\.\s?o|a\.k\.a)\.(?:\s?box(?![a-z]))?|ph\.?\s?d\b\.?/iy;

function latinAbbreviation(scan: Scan, at: number): Classified | undefined {
  const found = match(LATIN, scan.text, at);
  if (found === undefined) return undefined;
  const letters = found.replace(/[.\s]/g, '').toLowerCase();
  if (letters === 'phd') return { token: { kind: 'words', words: 'P H D' }, start: at, end: at + found.length };
  const words =
    letters === 'aka'
      ? 'also known as'
      : letters === 'eg'
        ? 'for example'
        : letters === 'ie'
          ? 'that is'
          : letters === 'pobox'
            ? 'P O box'
            : undefined;
  return words === undefined ? undefined : { token: { kind: 'words', words }, start: at, end: at + found.length };
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
