import { DIGIT_WORDS } from '../../../language/letters.ts';
import { NAMED_DIGITS_MAX, type Numeral } from './numeral.ts';

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES: readonly (readonly [number, string])[] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
];
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** A whole number below 10^15 in words: `one thousand two hundred fifty`. */
export function englishCardinal(value: number): string {
  if (value < 1000) return belowThousand(value);
  const parts: string[] = [];
  let rest = value;
  for (const [power, name] of SCALES) {
    const count = Math.floor(rest / power);
    rest %= power;
    if (count > 0) parts.push(`${belowThousand(count)} ${name}`);
  }
  if (rest > 0) parts.push(belowThousand(rest));
  return parts.join(' ');
}

function belowThousand(value: number): string {
  if (value < 100) return belowHundred(value);
  const head = `${UNITS[Math.floor(value / 100)]!} hundred`;
  return value % 100 === 0 ? head : `${head} ${belowHundred(value % 100)}`;
}

function belowHundred(value: number): string {
  if (value < 20) return UNITS[value]!;
  const tens = TENS[Math.floor(value / 10)]!;
  return value % 10 === 0 ? tens : `${tens}-${UNITS[value % 10]!}`;
}

/** `first`, `twenty-third`, `one hundred fifth`. */
export function englishOrdinal(value: number): string {
  const words = englishCardinal(value);
  const at = Math.max(words.lastIndexOf(' '), words.lastIndexOf('-')) + 1;
  const last = words.slice(at);
  let ordinal = IRREGULAR_ORDINALS[last];
  if (ordinal === undefined) ordinal = last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`;
  return words.slice(0, at) + ordinal;
}

/** Any number in words: minus, whole part, decimals digit by digit. Beyond the named numbers digit by digit. */
export function englishNumber(numeral: Numeral): string {
  const sign = numeral.negative === true ? 'minus ' : '';
  const long = numeral.digits.replace(/^0+/, '').length > NAMED_DIGITS_MAX;
  const whole = long ? englishDigits(numeral.digits) : englishCardinal(Number(numeral.digits));
  const tail = numeral.fraction === undefined ? '' : ` point ${englishDigits(numeral.fraction)}`;
  return `${sign}${whole}${tail}`;
}

/** A year as it is said: nineteen eighty-four, two thousand five, twenty twenty-five, nineteen hundred. */
export function englishYear(year: number): string {
  const century = Math.floor(year / 100);
  const rest = year % 100;
  if (year >= 2000 && year <= 2009) return englishCardinal(year);
  if (year < 1000 || year > 9999 || (rest === 0 && century % 10 === 0)) return englishCardinal(year);
  if (rest === 0) return `${englishCardinal(century)} hundred`;
  return `${englishCardinal(century)} ${rest < 10 ? `oh ${UNITS[rest]!}` : englishCardinal(rest)}`;
}

/** Four digits in two pairs: twelve oh four, fourteen hundred, thirty-two fifteen; three thousand. */
export function englishPairs(value: number): string {
  const [first, rest] = [Math.floor(value / 100), value % 100];

  return `${englishCardinal(first)} ${rest === 0 ? 'hundred' : rest < 10 ? `oh ${UNITS[rest]!}` : englishCardinal(rest)}`;
}

/** Three digits of a model or flight: seven forty-seven, eight hundred, three oh five. */
export function englishTriple(digits: string): string {
  const [first, rest] = [UNITS[Number(digits[0])]!, Number(digits.slice(1))];
  return `${first} ${rest === 0 ? 'hundred' : rest < 10 ? `oh ${UNITS[rest]!}` : englishCardinal(rest)}`;
}

/** `twenties` of `1920s`: the plural of a number word. */
export function englishPlural(words: string): string {
  return words.endsWith('y') ? `${words.slice(0, -1)}ies` : `${words}s`;
}

/** Digits one by one, as in phone numbers. */
export function englishDigits(digits: string): string {
  const words: string[] = [];
  for (let at = 0; at < digits.length; at += 1) words.push(DIGIT_WORDS.en[digits.charCodeAt(at) - 48]!);
  return words.join(' ');
}
