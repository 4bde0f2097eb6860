import { ENGLISH_MONTH_WORDS } from '../../../language/calendar/calendar-names.ts';
import { ACRONYMS, CAPITAL_WORDS } from '../lexicon/acronyms.ts';
import { TRANSLITERATIONS } from '../lexicon/transliterations.ts';
import { englishOrdinal } from './english-number.ts';
import { genderOf } from './noun-gender.ts';
import { match } from './numeral.ts';
import { englishAbbreviation, type Fixed, slashed } from './read-abbreviation.ts';
import { drivePath, electronic, softwareVersion } from './read-address.ts';
import { readOperator } from './read-arithmetic.ts';
import { readBareUnit } from './read-bare-unit.ts';
import { readMonthFirst, readSmallMonth } from './read-calendar.ts';
import { joinedMonthFirst } from './read-joined-date.ts';
import { modelName } from './read-model.ts';
import { isCentury, isRuler, romanNumber, seriesOf } from './read-roman.ts';
import { episode, flight, hardwareAddress, iban, labelRange, serial, timeZone } from './read-serial.ts';
import { readShortestWeekdays } from './read-weekday.ts';
import { isDigit, isLatin, isUpper, type Scan } from './scan.ts';
import { type Classified, classified, type Token } from './token.ts';

const WORD = /[A-Za-z]{1,40}(?:['’][a-z]{1,3})?/y;
const INITIALS = /(?:[A-Z]\.){2,6}/y;
const ACRONYM_MAX = 5;
/** Around an all-capital word: lower case shows that capitals are not just the style of the text. */
const STYLE_WINDOW = 60;

/** Addresses, serials, months, abbreviations, acronyms and known Latin words, at a Latin letter. */
export function readLatin(scan: Scan, at: number): Classified | undefined {
  return (
    (scan.language === 'en' ? readBareUnit(scan, at) : undefined) ??
    drivePath(scan, at) ??
    softwareVersion(scan, at) ??
    electronic(scan, at) ??
    (scan.language === 'en' ? joinedOrCompass(scan, at) : undefined) ??
    (scan.language === 'en'
      ? (hardwareAddress(scan, at) ??
        labelRange(scan, at) ??
        episode(scan, at) ??
        timeZone(scan, at) ??
        readShortestWeekdays(scan, at))
      : undefined) ??
    iban(scan, at) ??
    flight(scan, at) ??
    modelName(scan, at) ??
    joinedMonthFirst(scan, at) ??
    serial(scan, at) ??
    slashed(scan, at) ??
    initials(scan, at) ??
    readWord(scan, at)
  );
}

const COMPASS: Readonly<Record<string, string>> = {
  N: 'north',
  S: 'south',
  E: 'east',
  W: 'west',
  NE: 'northeast',
  NW: 'northwest',
  SE: 'southeast',
  SW: 'southwest',
};
/** `SE 5th Ave.`, `the NW corner`. */
const COMPASS_CORNER =
  /(?:NE|NW|SE|SW)(?= (?:\d+(?:st|nd|rd|th)\b|(?:corner|wind|winds|side|quadrant|of|coast|region|district|entrance|gate)\b))/y;
const COMPASS_STREET =
  /[NSEW]\.?(?= (?:\d+(?:st|nd|rd|th)\b|(?:[A-Z][a-z]+ ){1,2}(?:St|Ave|Rd|Blvd|Dr|Ln|Street|Avenue|Road|Boulevard|Lane)\b))/y;
const AMPERSAND = /[A-Z]{1,3}&[A-Z]{1,3}(?![A-Za-z])/y;
/** `8½ x 11`: the sides of a thing where the first is no plain number. */
const BY = /^[xX] \d/;
const EXTENSION = /x ?(?=\d{1,5}(?![A-Za-z\d]))/y;

/** `AT&T` is spelled; `123 N. Main St.` says north; `555-0147 x12` has an extension. */
function joinedOrCompass(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const letters = match(AMPERSAND, text, at);
  const spelled = letters?.replace('&', ' and ').replace(/[A-Z](?=[A-Z])/g, '$& ');
  if (spelled !== undefined) return { token: { kind: 'words', words: spelled }, start: at, end: at + letters!.length };
  if (text[at] === 'x' || text[at] === 'X') {
    const operator = readOperator(scan, at);
    if (operator !== undefined) return operator;
  }
  const corner = match(COMPASS_CORNER, text, at);
  if (corner !== undefined) return classified({ kind: 'words', words: COMPASS[corner]! }, at, at + 2);
  if (text[at - 1] !== ' ' || !isDigit(text.charCodeAt(at - 2))) return undefined;
  const compass = match(COMPASS_STREET, text, at);
  if (compass !== undefined)
    return { token: { kind: 'words', words: COMPASS[compass[0]!]! }, start: at, end: at + compass.length };
  const extension = /\d{4} $/.test(text.slice(Math.max(0, at - 5), at)) ? match(EXTENSION, text, at) : undefined;
  if (extension === undefined)
    return BY.test(text.slice(at, at + 3)) ? classified({ kind: 'words', words: 'by' }, at, at + 1) : undefined;
  return { token: { kind: 'words', words: 'extension ' }, start: at, end: at + extension.length };
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
  } else if (ENGLISH_MONTH_WORDS.has(word)) {
    const date = readSmallMonth(scan, at);
    if (date !== undefined) return date;
  }
  if (isLatin(scan.text.charCodeAt(end))) return undefined; // longer than any word
  return scan.language === 'ar' ? latinInArabic(scan, at, word, fixed) : englishWord(scan, at, word, fixed);
}

const HYPHENATED = /[A-Za-z]{1,12}-[A-Za-z]{1,12}(?![A-Za-z])/y;

function latinInArabic(scan: Scan, at: number, word: string, fixed: Fixed): Classified | undefined {
  const known = ACRONYMS.get(word);
  const roman = romanNumber(scan, at, word);
  if (roman !== undefined) {
    const head = seriesOf(scan, at);
    return fixed({ kind: 'ordinal', value: roman, ...(head !== undefined && { gender: genderOf(head, 1) }) });
  }
  if (known !== undefined) return fixed({ kind: 'acronym', name: word });
  const hyphenated = match(HYPHENATED, scan.text, at);
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
    const ruler = isRuler(scan, at);
    if (!ruler && isCentury(scan.text, end)) return fixed({ kind: 'ordinal', value: roman });
    return fixed(ruler ? { kind: 'words', words: `the ${englishOrdinal(roman)}` } : cardinalOf(roman));
  }
  const abbreviated = englishAbbreviation(scan, at, word, fixed);
  if (abbreviated !== undefined) return abbreviated;
  if (!isAcronym(word) || word === 'PM') return undefined;
  if (scan.text[end] === '.' && isLatin(scan.text.charCodeAt(end + 1))) return undefined;
  if (word === 'US' && isCountry(scan, at, end)) return fixed({ kind: 'acronym', name: word });
  if (ACRONYMS.has(word)) return sameWord(word) ? undefined : fixed({ kind: 'acronym', name: word });
  if (isCapitalWord(word) || isName(scan, at, end, word) || !hasLowerCase(scan, at, end)) return undefined;
  return fixed({ kind: 'acronym', name: word });
}

/** A word of the list, or its plural or past: HOURS, CLOSED. */
function isCapitalWord(word: string): boolean {
  if (CAPITAL_WORDS.has(word)) return true;
  return (
    word.length > 3 &&
    /[SD]$/.test(word) &&
    (CAPITAL_WORDS.has(word.slice(0, -1)) || CAPITAL_WORDS.has(word.slice(0, -2)))
  );
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

function hasLowerCase(scan: Scan, at: number, end: number): boolean {
  const around = scan.text.slice(Math.max(0, at - STYLE_WINDOW), at) + scan.text.slice(end, end + STYLE_WINDOW);
  return /[a-z]{2}|\d/.test(around); // a number becomes small letters
}
