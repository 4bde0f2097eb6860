import { fold } from '../fold.ts';
import { digitRuns } from '../number-words.ts';

const CORRECTS = new Set(
  'no nope sorry wait mean actually rather correction oops لا قصدي اقصد اعني عفوا اسف اسفه غلط خطا'
    .split(' ')
    .map((word) => fold(word)),
);
const MIN_ALIKE = 2;

/** Digits with a slip of the tongue in them: what was said before it and after it. */
interface Slip {
  readonly before: string;
  readonly after: string;
  readonly start: number;
  readonly end: number;
}

/** The last `sorry`, `no` or `قصدي` between digits; undefined where nothing was taken back. */
export function slipOf(words: readonly string[]): Slip | undefined {
  const runs = digitRuns(words);
  for (let i = runs.length - 1; i > 0; i -= 1) {
    if (!words.slice(runs[i - 1]!.end, runs[i]!.start).some((word) => CORRECTS.has(word))) continue;
    const joined = (part: typeof runs): string => part.map(({ digits }) => digits).join('');
    return {
      before: joined(runs.slice(0, i)),
      after: joined(runs.slice(i)),
      start: runs[0]!.start,
      end: runs.at(-1)!.end,
    };
  }
  return undefined;
}

/**
 * `0537218 4, sorry, 85 69`: the digits before the slip without those that were said anew, then the digits after it.
 * Undefined unless the result has `length` digits and what was said anew is nearly what it replaces.
 */
export function mended({ before, after }: Slip, length: number): string | undefined {
  const again = before.length + after.length - length;
  if (again < 1 || again > before.length || again > after.length) return undefined;
  return isSlipOf(before.slice(-again), after.slice(0, again)) ? before.slice(0, -again) + after : undefined;
}

/** Two sayings of the same digits, at least one and at most half of them different. */
export function isSlipOf(first: string, second: string): boolean {
  const different = [...first].filter((digit, i) => digit !== second[i]).length;
  return first.length >= MIN_ALIKE && different >= 1 && different <= first.length / 2;
}
