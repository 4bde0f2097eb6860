import { digitRuns } from '../number-words.ts';
import { mended, slipOf } from './corrected-digits.ts';
import { digitsValue } from './digits.ts';
import type { Found, SlotParser } from './slot.ts';

/** Saudi numbers in national form (`05…`, `01…`, `9200…`, `800…`); others as said, 7 to 15 digits; else undefined. */
export function nationalNumber(digits: string): string | undefined {
  const bare = digits.replace(/^(?:00966|966)(?=[15])/, '0').replace(/^00966(?=0)/, '');
  if (/^0?5\d{8}$/.test(bare)) return bare.startsWith('0') ? bare : `0${bare}`;
  if (/^01[1-7]\d{7}$/.test(bare) || /^9200\d{5}$/.test(bare) || /^800\d{7}$/.test(bare)) return bare;
  if (/^05/.test(bare)) return undefined; // a mobile number with a digit too few or too many
  return /^\d{7,15}$/.test(bare) ? bare : undefined;
}

/** A telephone number said or keyed: `05…`, `+966 5…`, `zero five double five …`, `صفر خمسة …`. */
export const parsePhone: SlotParser = (words): Found | undefined => {
  const plain = words.map((word) => word.text);
  const slip = slipOf(plain);
  if (slip) {
    const number = mendedNumber(slip);
    return number === undefined ? undefined : { value: digitsValue(number), start: slip.start, end: slip.end };
  }
  const runs = digitRuns(plain);
  for (const run of [...runs].reverse()) {
    const number = nationalNumber(run.digits);
    if (number) return { value: digitsValue(number), start: run.start, end: run.end };
  }
  if (runs.length < 2) return undefined;
  const joined = nationalNumber(runs.map((run) => run.digits).join(''));
  return joined === undefined
    ? undefined
    : { value: digitsValue(joined), start: runs[0]!.start, end: runs.at(-1)!.end };
};

const MOBILE_DIGITS = 10;
/** Shorter ones said after a slip are the end of the number before it. */
const WHOLE_DIGITS = 9;

/** The number meant where some of it was taken back: said anew as a whole, or mended. Never a part of one. */
function mendedNumber(slip: NonNullable<ReturnType<typeof slipOf>>): string | undefined {
  const anew = slip.after.length >= WHOLE_DIGITS ? nationalNumber(slip.after) : undefined;
  if (anew !== undefined) return anew;
  const whole = slip.before.startsWith('05') ? mended(slip, MOBILE_DIGITS) : undefined;
  return whole === undefined ? undefined : nationalNumber(whole);
}
