import {
  type CountryCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';
import { digitRuns } from '../number-words.ts';
import type { Word } from '../words.ts';
import { mended, slipOf } from './corrected-digits.ts';
import { digitsValue, withoutCry } from './digits.ts';
import type { Refused } from './impossible-day.ts';
import type { Found, SlotContext, SlotParser } from './slot.ts';

/** Whose rules numbers without a country code follow, where the agent names no country. */
const DEFAULT_COUNTRY = 'SA';
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
/** A number with fewer digits may still go on, whatever the country allows. */
const USUAL_DIGITS = 10;

/**
 * A telephone number as it is dialled in its own country (`0551234567`, `920012345`), by the numbering plans of
 * libphonenumber; one of another country as it was said, with its country code. Undefined where nobody can be called on it.
 *
 * @param digits - said or keyed, `00` or nothing before a country code.
 */
export function nationalNumber(digits: string, country = DEFAULT_COUNTRY): string | undefined {
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS + 2) return undefined;
  const said = parsePhoneNumberFromString(international(digits), country as CountryCode);
  const own = ofCountry(said, country);
  if (own) return own;
  const isForeign = said?.isValid() || parsePhoneNumberFromString(`+${digits}`)?.isValid();
  return isForeign && !digits.startsWith('0'.repeat(3)) ? digits : undefined;
}

/** A number as it is dialled in the country it is of; undefined where it is none of that country. */
function ofCountry(number: PhoneNumber | undefined, country: string): string | undefined {
  return number?.isValid() && number.country === country ? number.formatNational().replace(/\D/g, '') : undefined;
}

function international(digits: string): string {
  return digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
}

/** Whether more digits may make a number of these. */
export function isPartOfNumber(digits: string, country = DEFAULT_COUNTRY): boolean {
  if (digits.length < USUAL_DIGITS) return true;
  return validatePhoneNumberLength(international(digits), country as CountryCode) === 'TOO_SHORT';
}

/** A telephone number said or keyed: `05…`, `+966 5…`, `zero five double five …`, `صفر خمسة …`. */
export const parsePhone: SlotParser = (words, context): Found | undefined => {
  const plain = words.map((word) => word.text);
  return phoneIn(plain, context) ?? phoneIn(withoutCry(plain), context);
};

/** `eight 055 391 7264`, the eight being what is not meant: the whole number of the country that other digits end with. */
function wholeAtEnd(digits: string, country = DEFAULT_COUNTRY): string | undefined {
  const whole = digits.slice(-USUAL_DIGITS);
  if (digits.length === whole.length || digits.startsWith('00') || !whole.startsWith('0')) return undefined;
  return ofCountry(parsePhoneNumberFromString(whole, country as CountryCode), country);
}

function phoneIn(plain: readonly string[], { definition }: SlotContext): Found | undefined {
  const slip = slipOf(plain);
  const runs = digitRuns(plain);
  const numberOf = (digits: string): string | undefined => nationalNumber(digits, definition.country);
  for (const run of [...runs].reverse()) {
    // Where something was taken back, only a number said anew as a whole counts, never a part of one.
    if (slip && (run.start < slip.from || run.digits.length < USUAL_DIGITS - 1)) continue;
    const number = wholeAtEnd(run.digits, definition.country) ?? numberOf(run.digits);
    if (number) return { value: digitsValue(number), start: run.start, end: run.end };
  }
  if (slip) {
    const whole = [slip.after, mended(slip, USUAL_DIGITS)].find((digits) => (digits?.length ?? 0) >= USUAL_DIGITS - 1);
    const number = whole === undefined ? undefined : numberOf(whole);
    return number === undefined ? undefined : { value: digitsValue(number), start: slip.start, end: slip.end };
  }
  if (runs.length < 2) return undefined;
  const joined = numberOf(runs.map((run) => run.digits).join(''));
  return joined === undefined
    ? undefined
    : { value: digitsValue(joined), start: runs[0]!.start, end: runs.at(-1)!.end };
}

/** As many digits as a number has, and none that anybody can be called on. */
export function noSuchNumber(words: readonly Word[], { definition }: SlotContext): Refused | undefined {
  const runs = digitRuns(words.map((word) => word.text));
  const digits = runs.map((run) => run.digits).join('');
  if (digits.length < USUAL_DIGITS || isPartOfNumber(digits, definition.country)) return undefined;
  return { refusal: { kind: 'no-such-number', say: {} }, start: runs[0]!.start, end: runs.at(-1)!.end };
}
