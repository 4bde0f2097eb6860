import { fold } from '../fold.ts';
import { digitRuns, type ReadDigits } from '../number-words.ts';
import { JUDGES } from '../phrases/judging.ts';
import { isRefusedAt } from './refused-words.ts';

const CORRECTS = new Set(
  'no nope sorry wait mean actually rather correction oops لا قصدي اقصد اعني عفوا اسف اسفه غلط خطا'
    .split(' ')
    .map((word) => fold(word)),
);
/** Say that the last digits are meant: `eight seven at the end`, `اخره ثمانية ثمانية`. */
const AT_THE_END = new Set(
  'end ends ending last اخر اخره اخرها الاخير بالاخير النهايه بالنهايه'.split(' ').map((word) => fold(word)),
);
/** Lead to the same digits in more of them: `zero at the end, so seven zero`. */
const RESTATES = new Set('so meaning mean ie يعني اعني اقصد قصدي'.split(' ').map((word) => fold(word)));
const MIN_ALIKE = 2;

/** Digits with a slip of the tongue in them: what was said before it and after it, without what was taken back by name. */
interface Slip {
  readonly before: string;
  readonly after: string;
  /** The last digits are said to be other ones. */
  readonly atEnd: boolean;
  /** `not six`: digits that are not meant were named, and are gone. */
  readonly named: boolean;
  readonly start: number;
  readonly end: number;
  /** Where what was said after it begins. */
  readonly from: number;
}

/** The last `sorry`, `no` or `قصدي` between digits; undefined where nothing was taken back. */
export function slipOf(words: readonly string[]): Slip | undefined {
  const runs = digitRuns(words);
  for (let i = runs.length - 1; i > 0; i -= 1) {
    const between = words.slice(runs[i - 1]!.end, runs[i]!.start);
    const takesBack = between.some((word) => CORRECTS.has(word)) || JUDGES.test(between.join(' '));
    if (i > 1 && isRestated(words, runs[i - 1]!, runs[i]!)) continue; // the slip is before both
    if (!takesBack || runs.slice(0, i).every((run) => isRefusedAt(words, run.start))) continue;
    const { before, after, named } = withoutRefused(words, runs, i);
    if (after === '') continue;
    const around = words.slice(runs[i - 1]!.end).filter((word) => AT_THE_END.has(word));
    const place = { start: runs[0]!.start, end: runs.at(-1)!.end, from: runs[i]!.start };
    return { before, after, named, atEnd: around.length > 0, ...place };
  }
  return undefined;
}

/** `zero, meaning seven zero`, `nine, it ends in nine`: what was said last is said once more, with the digits before it or alone. */
function isRestated(words: readonly string[], said: ReadDigits, anew: ReadDigits): boolean {
  if (!anew.digits.endsWith(said.digits)) return false;
  const leads = anew.digits.length > said.digits.length ? RESTATES : AT_THE_END;
  return words.slice(said.end, anew.start).some((word) => leads.has(word));
}

/** `5 5 6, no, not 6, 7`: the digits that are refused by name fall away where they end what was said before. */
function withoutRefused(
  words: readonly string[],
  runs: readonly ReadDigits[],
  slip: number,
): Pick<Slip, 'before' | 'after' | 'named'> {
  let before = '';
  let after = '';
  let named = false;
  runs.forEach(({ digits, start }, at) => {
    if (at < slip) {
      before += digits;
      return;
    }
    let refused = isRefusedAt(words, start) ? digits.length : 0;
    while (refused > 0 && !before.endsWith(digits.slice(0, refused))) refused -= 1;
    before = before.slice(0, before.length - refused);
    const isAgain = at > slip && isRestated(words, runs[at - 1]!, runs[at]!);
    after = isAgain ? after.slice(0, -runs[at - 1]!.digits.length) + digits : after + digits.slice(refused);
    named ||= refused > 0;
  });
  return { before, after, named };
}

/**
 * `0537218 4, sorry, 85 69`: the digits before the slip without those that were said anew, then the digits after it.
 * Undefined unless the result has `length` digits and what was said anew is nearly what it replaces, or is said to end it.
 */
export function mended({ before, after, atEnd, named }: Slip, length: number): string | undefined {
  const last = after.slice(-length);
  if (after.length > length) return isSlipOf(before.slice(-length), last) ? last : undefined; // begun anew, and anew
  const again = before.length + after.length - length;
  if (again === 0 && named) return before + after;
  if (again < 1 || again > before.length || again > after.length) return undefined;
  const ends = atEnd && again === after.length;
  return ends || isSlipOf(before.slice(-again), after.slice(0, again)) ? before.slice(0, -again) + after : undefined;
}

/** Two sayings of the same digits, at least one and at most half of them different. */
export function isSlipOf(first: string, second: string): boolean {
  const different = [...first].filter((digit, i) => digit !== second[i]).length;
  return first.length >= MIN_ALIKE && different >= 1 && different <= first.length / 2;
}

/** `eight nine, not eight seven`: `number` with the digits that are refused by name, at its end, replaced by those said instead. */
export function digitsInstead(words: readonly string[], number: string): string | undefined {
  const runs = digitRuns(words);
  const refused = runs.filter(({ start }) => isRefusedAt(words, start));
  const meant = runs.filter(({ start }) => !isRefusedAt(words, start));
  const [not, instead] = [refused[0]?.digits ?? '', meant[0]?.digits ?? ''];
  if (refused.length !== 1 || meant.length !== 1 || not.length < MIN_ALIKE || not.length !== instead.length)
    return undefined;
  return number.endsWith(not) ? number.slice(0, -not.length) + instead : undefined;
}

/** The digits that are said to end a number, where nothing else is said of it: `the last two are six seven`. */
export function digitsAtEnd(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => AT_THE_END.has(word));
  if (at < 0) return undefined;
  const runs = digitRuns(words.slice(at)).filter(({ start }) => !isRefusedAt(words, at + start));
  const counted = runs.length > 1 && words[at + runs[0]!.end]?.startsWith('digit') ? runs.slice(1) : runs;
  const last = counted.at(-1)?.digits;
  return last === undefined || last.length > MAX_AT_END ? undefined : last;
}

const MAX_AT_END = 5;
