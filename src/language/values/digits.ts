import { digitRuns } from '../number-words.ts';
import { isSlipOf, mended, slipOf } from './corrected-digits.ts';
import { type Found, type SlotContext, type SlotParser, type SlotValue, same } from './slot.ts';

/** Digits as they are said: one by one, in groups that a listener can follow. */
export function digitsValue(digits: string): SlotValue {
  const groups = digits.length > 6 ? (digits.match(/.{3}(?=.{3})|.{4,5}$|.{1,3}/g) ?? []) : [digits];
  return { value: digits, say: same(groups.map((group) => [...group].join(' ')).join(', ')) };
}

/** What digits sound like to a recogniser; taken for digits only where a number was asked for and none was found. */
const SOUNDS_LIKE: Readonly<Record<string, string>> = {
  for: 'four',
  fore: 'four',
  to: 'two',
  too: 'two',
  won: 'one',
  ate: 'eight',
  sex: 'six',
  sicks: 'six',
  free: 'three',
  nein: 'nine',
  hero: 'zero',
};

/**
 * An identifier said or keyed digit by digit: `4521`, `four five double two`, `خمسة وأربعين واحد وعشرين`. Where the
 * definition bounds the length, only a run (or all runs joined) of that length is taken.
 */
export const parseDigits: SlotParser = (words, context): Found | undefined => {
  const plain = withoutPronouns(words.map((word) => word.text));
  const found = fromWords(plain, context) ?? fromWords(withoutCry(plain), context);
  if (found || !context.asked) return found;
  return fromWords(
    plain.map((word) => SOUNDS_LIKE[word] ?? word),
    context,
  );
};

/** `the other one, six one zero four`: that `one` is no digit. */
const BEFORE_PRONOUN = new Set('other this that which first last second new old wrong right'.split(' '));

function withoutPronouns(plain: readonly string[]): string[] {
  return plain.map((word, at) => (word === 'one' && BEFORE_PRONOUN.has(plain[at - 1] ?? '') ? '' : word));
}

const AFTER_CRY = new Set(['and', 'but', 'wait', 'no', 'i', 'what', 'how', 'can', 'by', 'do']);

/** `oh, three zero nine zero`, `4522, oh and how much`: a cry beside a number is no digit of it. */
export function withoutCry(plain: readonly string[]): string[] {
  const isCry = (word: string, at: number): boolean =>
    (word === 'oh' || word === 'o') && (at === 0 || AFTER_CRY.has(plain[at + 1] ?? ''));
  return plain.map((word, at) => (isCry(word, at) ? '' : word));
}

function fromWords(plain: readonly string[], { definition, asked }: SlotContext): Found | undefined {
  const runs = digitRuns(plain);
  if (runs.length === 0) return undefined;
  const min = definition.minDigits ?? (asked ? 1 : 3);
  const max = definition.maxDigits ?? 20;
  const again = min === max ? saidAgain(plain, min) : undefined;
  if (again) return again;
  const fits = runs.filter((run) => run.digits.length >= min && run.digits.length <= max);
  const best = fits.at(-1); // `no, four five two two`: the last one said counts
  if (best) return { value: digitsValue(best.digits), start: best.start, end: best.end };
  const group = runs
    .flatMap((run) => run.groups.map((digits) => ({ ...run, digits })))
    .filter(({ digits }) => digits.length >= Math.max(min, 2) && digits.length <= max);
  const last = group.at(-1); // `4521, 4522`: two numbers in one breath
  if (last) return { value: digitsValue(last.digits), start: last.start, end: last.end };
  const joined = runs.map((run) => run.digits).join('');
  if (!asked || runs.length < 2 || joined.length < min || joined.length > max) return undefined;
  return { value: digitsValue(joined), start: runs[0]!.start, end: runs.at(-1)!.end };
}

/** `not 7788, 7789`, `45 21, sorry, 45 22`, `61, 61 04`: a number of known length that was said anew, whole or in part. */
function saidAgain(plain: readonly string[], length: number): Found | undefined {
  const slip = slipOf(plain);
  const whole = slip && (slip.after.length === length ? slip.after : mended(slip, length));
  if (slip && whole) return { value: digitsValue(whole), start: slip.start, end: slip.end };
  for (const { digits, start, end } of digitRuns(plain)) {
    const [begun, last] = [digits.slice(0, -length), digits.slice(-length)];
    if (begun.length < MIN_BEGUN || begun.length > length) continue;
    const isSlip = begun.length === length && isSlipOf(begun, last);
    if (isSlip || last.startsWith(begun)) return { value: digitsValue(last), start, end };
  }
  return undefined;
}
/** Of a number that is begun anew: `six one, six one zero four`. */
const MIN_BEGUN = 2;
