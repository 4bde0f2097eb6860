import { foldDigits } from './number-rules.ts';

/** What a person is known by, however their number was written: the same for `+966 50 123 4567`, `0501234567` and `sip:00966501234567@host`. */
export type NumberKey = string;

const SEPARATORS = /[\s().\-/\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Shorter ones are extensions: they are compared as a whole, and looked for in no text. */
const NATIONAL_DIGITS_MIN = 7;

/** The user part of a SIP or tel URI, of a header with one, or what else stands there. */
function userOf(written: string): string {
  const inside = /<([^>]*)>/.exec(written)?.[1] ?? written;
  const user = /^\s*(?:(?:sips?|tel):)?([^@;?]*)/i.exec(inside)?.[1] ?? '';
  try {
    return decodeURIComponent(user).trim();
  } catch {
    return user.trim();
  }
}

/**
 * @param countryCode - of numbers that are written without one, `966`.
 * @returns digits with the country's code and without `+`; an extension as it is; a name in small letters, with a mark before it.
 */
export function numberKey(written: string, countryCode: string): NumberKey {
  const user = userOf(written);
  const digits = foldDigits(user).replace(SEPARATORS, '');
  if (!/^\+?\d{2,20}$/.test(digits)) return `name:${user.toLowerCase()}`;
  if (digits.startsWith('+')) return digits.slice(1);
  if (/^00\d{7,}$/.test(digits)) return digits.slice(2);
  if (/^0\d{7,13}$/.test(digits)) return countryCode + digits.slice(1);
  if (digits.startsWith(countryCode) && digits.length >= countryCode.length + NATIONAL_DIGITS_MIN) return digits;
  return /^\d{8,10}$/.test(digits) ? countryCode + digits : digits;
}

/** Digits that stand in every way to write it, for a first look; undefined of what is looked for as a whole alone. */
export function tailOf(key: NumberKey): string | undefined {
  return /^\d{8,}$/.test(key) ? key.slice(-NATIONAL_DIGITS_MIN) : undefined;
}

/** How it is written where a switch or a phone writes it by itself: what an index finds without a search. */
export function usualForms(key: NumberKey, countryCode: string): readonly string[] {
  if (key.startsWith('name:')) return [key.slice('name:'.length)];
  if (tailOf(key) === undefined) return [key];
  const isOurs = key.startsWith(countryCode);
  const national = isOurs ? [`0${key.slice(countryCode.length)}`, key.slice(countryCode.length)] : [];
  return [`+${key}`, `00${key}`, key, ...national].filter((form) => numberKey(form, countryCode) === key);
}

/**
 * What finds it within a text, for PostgreSQL: with or without the country's code, with separators between the digits, in either script.
 *
 * @returns undefined of extensions and names, which would be found in what is none of theirs.
 */
export function numberPattern(key: NumberKey, countryCode: string): string | undefined {
  if (tailOf(key) === undefined) return undefined;
  const isOurs = key.startsWith(countryCode) && key.length >= countryCode.length + NATIONAL_DIGITS_MIN;
  const spread = (digits: string): string => [...digits].map(eitherScript).join('[ .-]?');
  const national = isOurs ? key.slice(countryCode.length) : key;
  const prefix = isOurs ? `(?:(?:(?:\\+|00)[ .-]?)?${spread(countryCode)}|${eitherScript('0')})` : '(?:\\+|00)';
  return `(?<![0-9٠-٩])${prefix}?[ .-]?${spread(national)}(?![0-9٠-٩])`;
}

const eitherScript = (digit: string): string =>
  `[${digit}${String.fromCodePoint(0x660 + Number(digit), 0x6f0 + Number(digit))}]`;
