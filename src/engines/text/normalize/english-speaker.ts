import { MONTHS_EN } from '../../../language/calendar/calendar-names.ts';
import { listsOf } from '../../../language/lists.ts';
import { ACRONYMS, CAPITAL_WORDS } from '../lexicon/acronyms.ts';
import {
  englishCardinal,
  englishDigits,
  englishNumber,
  englishOrdinal,
  englishPairs,
  englishPlural,
  englishTriple,
  englishYear,
} from './english-number.ts';
import { labelParts } from './label-parts.ts';
import { rangeWord } from './number-context.ts';
import { hasMinor, inThousands, type Numeral, smallValue } from './numeral.ts';
import type { Scan } from './scan.ts';
import { groupDigits, type SpeechStyle, type Spoken } from './speech-style.ts';
import type { CalendarDate, Classified, ClockTime, Quantity, Scale, Token } from './token.ts';

const list = listsOf('engines/text/normalize/data/english-speaker.tsv');

type TokenOf<K extends Token['kind']> = Extract<Token, { readonly kind: K }>;

const SCALE_NAMES: Readonly<Record<Scale, string>> = {
  1e3: 'thousand',
  1e6: 'million',
  1e9: 'billion',
  1e12: 'trillion',
};
const SIGNS: Readonly<Record<string, string>> = {
  '@': 'at',
  '.': 'dot',
  '/': 'slash',
  '\\': 'backslash',
  '-': 'dash',
  _: 'underscore',
  '+': 'plus',
  '#': 'hash',
  '=': 'equals',
  '?': 'question mark',
  '&': 'and',
  '%': 'percent',
  ':': 'colon',
  '~': 'tilde',
  '*': 'star',
};

/** The words of a classified token in English. */
export function speakEnglish(found: Classified, scan: Scan, style: SpeechStyle): Spoken {
  return { to: wordsOf(found, scan, style), end: found.end };
}

function wordsOf({ token, start, end }: Classified, scan: Scan, style: SpeechStyle): string {
  switch (token.kind) {
    case 'quantity':
      return quantity(token, start, scan);
    case 'ordinal':
      return englishOrdinal(token.value);
    case 'digits':
      return `${token.plus === true ? 'plus ' : ''}${groupDigits(token.digits, style).map(englishDigits).join(', ')}`;
    case 'date':
      return dateWords(token.date, scan.left(start));
    case 'year':
      return yearWords(token, start, scan);
    case 'decade':
      return englishPlural(englishYear(token.value));
    case 'time':
      return timeRange(token, start, scan);
    case 'fraction':
      return fractionWords(token);
    case 'rating':
      return `${englishNumber(token.left)} out of ${englishNumber(token.right)}`;
    case 'score':
    case 'ratio':
      return `${englishNumber(token.left)} to ${englishNumber(token.right)}`;
    case 'size':
      return sizeWords(token);
    case 'version':
      return (
        (token.named === true ? 'version ' : '') +
        token.parts
          .map((part) => (part.length > 2 ? englishDigits(part) : englishCardinal(Number(part))))
          .join(token.parts.length === 4 ? ' dot ' : ' point ')
      );
    case 'label':
      return englishLabel(token.text);
    case 'electronic':
      return englishElectronic(token.text);
    case 'acronym':
      return acronymWords(token.name, end, scan);
    case 'words':
      return token.words;
  }
}

/** `pay in SAR` is in Saudi riyals, `the SAR amount` the Saudi riyal amount. */
function acronymWords(name: string, end: number, scan: Scan): string {
  const words = ACRONYMS.get(name)?.en ?? name.split('').join(' ');
  return CODES_SAID_AS_MONEY.has(name) && DESCRIBED_BY_MONEY.has(scan.next(end).word) ? words.replace(/s$/, '') : words;
}

const CODES_SAID_AS_MONEY: ReadonlySet<string> = new Set(['SAR', 'USD', 'AED']);
const DESCRIBED_BY_MONEY: ReadonlySet<string> = new Set(list('described-by-money'));

/** Sides of a screen, said in pairs: nineteen twenty by ten eighty. */
const SCREEN_SIDE = /^(?:1024|1080|1200|1280|1366|1440|1600|1920|2160|2560|3840|4096)$/;

function screenWords({ sides, of }: TokenOf<'size'>): string | undefined {
  const screen =
    sides.some(({ digits }) => SCREEN_SIDE.test(digits)) && sides.every(({ digits }) => /^\d{3,4}$/.test(digits));
  if (!screen) return undefined;
  const said = sides.map(({ digits }) => (digits.length === 4 ? englishPairs(Number(digits)) : englishTriple(digits)));
  return `${said.join(' by ')}${of.type === 'measure' ? ` ${of.unit.en[1]}` : ''}`;
}

function sizeWords(token: TokenOf<'size'>): string {
  const screen = screenWords(token);
  if (screen !== undefined) return screen;
  const first = token.sides.slice(0, -1).map((side) => `${englishNumber(side)} by `);
  return first.join('') + amount(token.sides.at(-1)!, undefined, token.of);
}

function quantity(token: TokenOf<'quantity'>, start: number, scan: Scan): string {
  if (token.attributive === true && token.upTo === undefined) return attributive(token);
  if (token.upTo === undefined) return amount(token.number, token.scale, token.of);
  const low = lowerEnd(token);
  const joint = rangeWord(scan, start) === 'between' ? 'and' : 'to';
  return `${low} ${joint} ${amount(token.upTo, token.scale, token.of)}`;
}

/** `$50.00-$100.00` is fifty to one hundred dollars; with cents at either end each is said as money. */
function lowerEnd({ number, upTo, scale, of }: TokenOf<'quantity'>): string {
  if (of.type !== 'money' || scale !== undefined) return englishNumber(number);
  if (hasMinor(number) || hasMinor(upTo!)) return money(number, of);
  const { fraction: _, ...whole } = number;
  return englishNumber(whole);
}

/** `ten kilometer race`, `five dollar coupon`. */
function attributive({ number, scale, of }: TokenOf<'quantity'>): string {
  if (of.type === 'money' && scale === undefined && number.fraction !== undefined) return amount(number, scale, of);
  const name = of.type === 'money' ? of.currency.en[0] : of.type === 'measure' ? of.unit.en[0] : '';
  const scaled = scale === undefined ? '' : ` ${SCALE_NAMES[scale]}`;
  return `${englishNumber(number)}${scaled} ${of.type === 'percent' ? 'percent' : name}`.trimEnd();
}

function amount(number: Numeral, scale: Scale | undefined, of: Quantity): string {
  if (of.type === 'money' && scale === undefined) return money(number, of);
  const head = scale === undefined ? englishNumber(number) : `${englishNumber(number)} ${SCALE_NAMES[scale]}`;
  if (of.type === 'percent') return `${head} percent`;
  if (of.type === 'money') return `${head} ${of.currency.en[1]}`;
  if (of.type === 'plain') return head;
  return `${head} ${of.unit.en[isOne(number) && scale === undefined ? 0 : 1]}`;
}

function isOne(number: Numeral): boolean {
  return smallValue(number) === 1;
}

function money(number: Numeral, of: Extract<Quantity, { type: 'money' }>): string {
  const { currency } = of;
  const { fraction, ...whole } = inThousands(number, currency.minorDigits);
  if (fraction === undefined || /^0*$/.test(fraction))
    return `${englishNumber(whole)} ${currency.en[isOne(whole) ? 0 : 1]}`;
  if (fraction.length > currency.minorDigits) return `${englishNumber(number)} ${currency.en[1]}`;
  const minor = Number(fraction.padEnd(currency.minorDigits, '0'));
  const minorWords = `${englishCardinal(minor)} ${currency.enMinor[minor === 1 ? 0 : 1]}`;
  if (smallValue(whole) === 0) return `${number.negative === true ? 'minus ' : ''}${minorWords}`;
  return `${englishNumber(whole)} ${currency.en[isOne(whole) ? 0 : 1]} and ${minorWords}`;
}

/** `the twelfth of March twenty twenty-five`, `March twelfth` where the month was written first. */
function dateWords(date: CalendarDate, left: string): string {
  const month = typeof date.month === 'number' ? MONTHS_EN[date.calendar][date.month - 1]! : date.month;
  const year = date.year === undefined ? '' : ` ${englishYear(date.year)}`;
  const era = !date.era ? '' : date.calendar === 'hijri' ? ' Hijri' : ' A D';
  if (date.day === undefined) return `${month}${year}${era}`;
  const day = englishOrdinal(date.day);
  if (date.monthFirst === true) {
    const last = date.lastDay === undefined ? '' : ` to ${englishOrdinal(date.lastDay)}`;
    return `${month} ${day}${last}${year}${era}`;
  }
  const last = date.lastDay === undefined ? '' : ` to the ${englishOrdinal(date.lastDay)}`;
  return `${left === 'the' ? '' : 'the '}${day}${last} of ${month}${year}${era}`;
}

function yearWords(token: TokenOf<'year'>, start: number, scan: Scan): string {
  const era = !token.era ? '' : token.calendar === 'hijri' ? ' Hijri' : ' A D';
  if (token.upTo === undefined) return `${englishYear(token.value)}${era}`;
  const joint = rangeWord(scan, start) === 'between' ? 'and' : 'to';
  return `${englishYear(token.value)} ${joint} ${englishYear(token.upTo)}${era}`;
}

function timeRange(token: TokenOf<'time'>, start: number, scan: Scan): string {
  if (token.upTo === undefined) return timeWords(token.time);
  const joint = rangeWord(scan, start) === 'between' ? 'and' : 'to';
  // In `9-5 PM` and `9:00-9:30` the hours need no o'clock.
  const low = token.time.minute === 0 && token.time.meridiem === undefined && token.time.hour <= 12;
  return `${low ? englishCardinal(token.time.hour) : timeWords(token.time)} ${joint} ${timeWords(token.upTo)}`;
}

function timeWords(time: ClockTime): string {
  if (time.military === true) {
    const zero = time.hour > 0 && time.hour < 10 ? 'zero ' : '';
    return `${zero}${englishCardinal(time.hour)} ${time.minute === 0 ? 'hundred' : englishCardinal(time.minute)} hours`;
  }
  const meridiem = time.meridiem === undefined ? '' : time.meridiem === 'am' ? ' AM' : ' PM';
  const twelve = meridiem === '' ? time.hour : time.hour % 12 === 0 ? 12 : time.hour % 12;
  const hour = englishCardinal(twelve);
  const seconds =
    time.second === 0 ? '' : ` and ${englishCardinal(time.second)} ${time.second === 1 ? 'second' : 'seconds'}`;
  if (time.minute > 0 || time.second > 0) {
    const minute =
      time.minute < 10 ? `oh ${time.minute === 0 ? 'oh' : englishCardinal(time.minute)}` : englishCardinal(time.minute);
    return `${hour} ${minute}${seconds}${meridiem}`;
  }
  if (meridiem !== '' || time.dayPartFollows) return `${hour}${meridiem}`;
  if (time.hour % 24 === 0) return 'midnight';
  return time.hour > 12 ? `${hour} hundred` : `${hour} o'clock`;
}

function fractionWords(token: TokenOf<'fraction'>): string {
  const { numerator, denominator } = token;
  if (token.rating) return `${englishCardinal(numerator)} out of ${englishCardinal(denominator)}`;
  const words = fractionName(numerator, denominator);
  const unit =
    token.of?.type === 'measure'
      ? ` ${token.of.unit.en[token.whole === undefined || token.attributive === true ? 0 : 1]}`
      : '';
  if (token.whole === undefined) return words + unit;
  return `${englishCardinal(token.whole)} and ${numerator === 1 && denominator <= 4 ? `a ${words.slice(4)}` : words}${unit}`;
}

function fractionName(numerator: number, denominator: number): string {
  const head = englishCardinal(numerator);
  if (denominator === 1 || denominator > 100 || numerator >= denominator)
    return `${head} over ${englishCardinal(denominator)}`;
  if (denominator === 2) return `${head} half`;
  if (denominator === 4) return `${head} ${numerator === 1 ? 'quarter' : 'quarters'}`;
  const name = englishOrdinal(denominator);
  return `${head} ${numerator === 1 ? name : `${name}s`}`;
}

/** `P-101A` is P one zero one A; `iPhone15` is iPhone fifteen. */
function englishLabel(text: string): string {
  const words: string[] = [];
  for (const part of labelParts(text, 'en')) {
    if (part.asYear) words.push(englishYear(Number(part.text)));
    else if (part.type === 'digits')
      words.push(part.asNumber ? englishCardinal(Number(part.text)) : englishDigits(part.text));
    else if (part.type === 'letters') words.push(part.text.toUpperCase().split('').join(' '));
    else if (part.type === 'word') words.push(asName(part.text));
    else if (part.text === '*') words.push('star');
    else if (part.text === '#') words.push('pound');
    else if (part.text === '+') words.push('plus');
    else if (part.text === '.') words.push('point');
  }
  return words.join(' ');
}

/** A word in capitals that would be spelled on its own: EID2024 is Eid twenty twenty-four. */
function asName(word: string): string {
  const shouted = word.length <= 5 && word === word.toUpperCase() && !ACRONYMS.has(word) && !CAPITAL_WORDS.has(word);
  return shouted ? word[0]! + word.slice(1).toLowerCase() : word;
}

/** Domain endings that are spelled, not read. */
const SPELLED_PARTS = /^(?:etc|sa|ae|uk|us|kw|qa|bh|om|eg|jo|io|tv|www)$/;

/** `help@example.com`: help at example dot com. The protocol is not said. */
function englishElectronic(text: string): string {
  const words: string[] = [];
  for (const [part] of text.replace(/^(?:https?|ftp):\/\//i, '').matchAll(/[A-Za-z]+|\d+|[^A-Za-z\d]/g)) {
    if (/\d/.test(part)) words.push(englishDigits(part));
    else if (SPELLED_PARTS.test(part)) words.push(part.toUpperCase().split('').join(' '));
    else if (/^[A-Za-z]/.test(part)) words.push(part);
    else if (SIGNS[part] !== undefined) words.push(SIGNS[part]);
  }
  return words.join(' ');
}
