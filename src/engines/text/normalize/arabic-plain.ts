import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import type { Gender, Noun } from '../../../language/nouns.ts';
import { DUAL_ADJECTIVES, LABEL_BEFORE, NOT_COUNTED } from '../lexicon/context-words.ts';
import { joinRange, SCALE_NAMES, timesScale } from './arabic-amount.ts';
import { arabicNumber, COUNTING, dual } from './arabic-cardinal.ts';
import { arabicCounted } from './arabic-counting.ts';
import { genderOf, isKnownPlural, isTimeNoun, knownNoun } from './noun-gender.ts';
import { isLabelled } from './number-context.ts';
import { type Numeral, smallValue } from './numeral.ts';
import { isArabic, type Scan } from './scan.ts';
import type { Spoken } from './speech-style.ts';
import type { Classified, Token } from './token.ts';

/** `الخط 1 محطة 5`: the noun has a number of its own. */
function namesNext(scan: Scan, at: number): boolean {
  return /^ [^\s\d]+ \d/u.test(scan.text.slice(at, at + 24)) && LABEL_BEFORE.has(scan.nextFolded(at));
}

/** The number after these is a key or a name, whatever follows: `اضغط 2 حجز موعد`. */
const KEY_BEFORE = foldedSet('اضغط اضغطي الضغط بالضغط للضغط رقم الرقم');

/** `5 أو 6 أيام`, `من 3 إلى 5 سنوات`: the noun of the second number counts for the first. */
const SECOND_NUMBER = /(?:\s(?:[إا]ل[ىي]|أو|او|و|حت[ىي]|-)\s?\d{1,6}){1,4}(?=\s)/y;
/** Words between a number and its noun. */
const OF_THE = /\sمن\s(?=ال)/y;

/** The noun a number counts, as far as the text shows it. */
interface Counted {
  readonly gender: Gender;
  readonly noun?: Noun;
  readonly end: number;
  /** The noun follows directly: the number is in construct with it. */
  readonly direct: boolean;
  readonly word: string;
}

/** An unknown word after one that can only be a noun: no joined preposition, no verb. */
const SINGULAR_NOUN = /^[^بلوفيتن].{2,}(?<!ً|ًا)$|^.{2,}ة$/u;

/** A noun that is in no table but can be nothing else: `2 بخة`. */
const UNKNOWN_FEMININE = /^[^بلوف].{1,}ة$/u;

/**
 * A number without a unit: takes gender from the noun that follows. The caller's noun stays as written, except that one and
 * two of a known noun are said with the noun (طلب واحد، طلبان), and stretches of time take the form the number asks for.
 */
export function arabicPlain(
  token: Extract<Token, { kind: 'quantity' }>,
  found: Classified,
  scan: Scan,
  oblique: boolean,
): Spoken {
  const noun = countedNoun(scan, found.end, lastNumber(token));
  // `الغرفة 12 جاهزة` names the room; only a noun known to be counted makes it a count.
  const named =
    found.prefix === undefined &&
    (isLabelled(scan, found.start) || scan.text[found.start - 1] === '#') &&
    (noun?.noun === undefined || scan.leftIn(found.start, KEY_BEFORE, 1) || namesNext(scan, found.end));
  const counted = named ? undefined : noun;
  if (token.upTo === undefined) return one(scan, token.number, token.scale, found.end, counted, oblique);
  const low = lowEnd(token, counted);
  const high = one(scan, token.upTo, token.scale, found.end, counted, true);
  return { to: joinRange(low, high.to, found.start, scan, oblique), end: high.end };
}

/** The lower end: no noun of its own, but `1-2 ساعة` is ساعة إلى ساعتين. */
function lowEnd(token: Extract<Token, { kind: 'quantity' }>, counted: Counted | undefined): string {
  const pair = smallValue(token.number) === 1 && token.upTo !== undefined && smallValue(token.upTo) === 2;
  if (pair && counted?.direct === true && counted.noun !== undefined) return counted.noun.singular;
  return number(token.number, undefined, counted, true, false);
}

function lastNumber(token: Extract<Token, { kind: 'quantity' }>): number {
  const last = token.upTo ?? token.number;
  const scaled = token.scale === undefined ? last : timesScale(last, token.scale);
  return (scaled === undefined ? undefined : smallValue(scaled)) ?? 100;
}

function one(
  scan: Scan,
  numeral: Numeral,
  scale: Extract<Token, { kind: 'quantity' }>['scale'],
  end: number,
  counted: Counted | undefined,
  oblique: boolean,
): Spoken {
  const value = scale === undefined ? smallValue(numeral) : undefined;
  const noun = counted?.direct === true ? counted.noun : undefined;
  if (
    noun !== undefined &&
    value !== undefined &&
    numeral.negative !== true &&
    (isTimeNoun(noun) || value === 1 || value === 2)
  ) {
    const to = arabicCounted(numeral, noun, oblique);
    return value === 2 ? withDualAdjective(scan, to, counted!.end, noun.gender, oblique) : { to, end: counted!.end };
  }
  if (value === 2 && counted?.direct === true && numeral.negative !== true && UNKNOWN_FEMININE.test(counted.word))
    return withDualAdjective(scan, dual(counted.word, oblique), counted.end, 'f', oblique);
  if (value === 1 && counted?.direct === true && numeral.negative !== true && SINGULAR_NOUN.test(counted.word)) {
    return { to: `${counted.word} ${counted.gender === 'f' ? 'واحدة' : 'واحد'}`, end: counted.end };
  }
  return { to: number(numeral, scale, counted, oblique, counted?.direct === true), end };
}

/** `2 رسالة جديدة`: the adjective behind a dual is one too. */
function withDualAdjective(scan: Scan, to: string, end: number, gender: Gender, oblique: boolean): Spoken {
  const { word, start, end: until } = scan.next(end);
  const written = word.replace(/ه$/u, 'ة');
  const stem = written.replace(/ة$/u, '');
  const agrees = (gender === 'f') === (stem !== written) && start > end;
  if (!agrees || !DUAL_ADJECTIVES.has(foldWord(stem))) return { to, end };
  return { to: `${to} ${dual(written, oblique)}`, end: until };
}

function number(
  numeral: Numeral,
  scale: Extract<Token, { kind: 'quantity' }>['scale'],
  counted: Counted | undefined,
  oblique: boolean,
  construct: boolean,
): string {
  const scaled = scale === undefined ? numeral : timesScale(numeral, scale);
  if (scaled === undefined) return `${arabicNumber(numeral, { ...COUNTING, oblique })} ${SCALE_NAMES[scale!]}`;
  return arabicNumber(scaled, { gender: counted?.gender ?? 'm', oblique, construct });
}

/** Whether a noun that can be counted follows the number directly. */
export function countsNext(scan: Scan, end: number, value: number): boolean {
  return directNoun(scan, end, value) !== undefined;
}

function countedNoun(scan: Scan, end: number, value: number): Counted | undefined {
  SECOND_NUMBER.lastIndex = end;
  if (SECOND_NUMBER.test(scan.text)) {
    const later = directNoun(scan, SECOND_NUMBER.lastIndex, value);
    return later === undefined ? undefined : { gender: later.gender, end, direct: false, word: '' };
  }
  OF_THE.lastIndex = end;
  if (OF_THE.test(scan.text)) {
    const { word } = scan.next(OF_THE.lastIndex);
    return { gender: genderOfMany(word.replace(/^ال/u, '')), end, direct: false, word };
  }
  return directNoun(scan, end, value);
}

/** `5 من الطالبات`; `18 من الصيدلية` is no part of many. */
function genderOfMany(plural: string): Gender {
  return plural.endsWith('ات') || isKnownPlural(plural) ? genderOf(plural, MANY) : 'm';
}

const MANY = 5;

function directNoun(scan: Scan, end: number, value: number): Counted | undefined {
  const { word, start, end: wordEnd } = scan.next(end);
  if (
    word.length < 2 ||
    !isArabic(word.charCodeAt(0)) ||
    (start === end && start !== 0 && scan.text[start - 1] === ' ')
  )
    return undefined;
  if (NOT_COUNTED.has(foldWord(word)) || /^(?:ال|وال|بال|لل)/u.test(word)) return undefined;
  const noun = knownNoun(word, value);
  if (noun === undefined && isJoined(word)) return undefined;
  const gender = noun?.gender ?? genderOf(word, value);
  return noun === undefined
    ? { gender, end: wordEnd, direct: true, word }
    : { gender, noun, end: wordEnd, direct: true, word };
}

const WAW = 'و';
/** Nouns that begin a phrase of their own: `20 مليوناً وعدد العملاء`. */
const BEGINNINGS = foldedSet('عدد مبلغ قيمة نسبة سعر مجموع متوسط معدل إجمالي باقي مساحة وزن طول مدة تاريخ');

/** A word joined to و or a preposition: the number does not count it (القرار 112 لسنة 1446). */
function isJoined(word: string): boolean {
  if (!/^[وبلك]/u.test(word) || word.length < 3) return false;
  const bare = word.slice(1);
  if (knownNoun(bare) !== undefined) return true;
  return word.startsWith(WAW) && (BEGINNINGS.has(foldWord(bare)) || NOT_COUNTED.has(foldWord(bare)));
}
