import { BETWEEN_WORDS, LABEL_BEFORE } from '../lexicon/context-words.ts';
import { type Scan, SPACE } from './scan.ts';

const EQUALS = 0x3d;

/** Whether the number at `at` names the thing before it (الغرفة 12) and so counts nothing after it. */
export function isLabelled(scan: Scan, at: number): boolean {
  return scan.leftIn(at, LABEL_BEFORE, 1);
}

const COMMAS = /[،,;؛]|[.؟!](?=\s)/u;
const WINDOW = 64;

/** The text before `at`, `chars` at most, from the last comma on; a comma between numbers (6-4، 3-6) divides nothing. */
export function clauseBefore({ text }: Scan, at: number, chars: number): string {
  const before = text.slice(Math.max(0, at - chars), at);
  const clause = before.split(COMMAS).at(-1)!;
  return /\p{L}/u.test(clause) ? clause : before;
}

/** Whether one of the `reach` words before `at` is in `words` and belongs to its clause: the clause is only cut for those few. */
export function isInClause(scan: Scan, at: number, words: ReadonlySet<string>, reach: number): boolean {
  return scan.leftIn(at, words, reach) && scan.leftIn(at, words, clauseReach(scan, at, reach));
}

/** How many of the `reach` words before `at` belong to its clause. */
function clauseReach(scan: Scan, at: number, reach: number): number {
  const words = clauseBefore(scan, at, WINDOW).match(/\p{L}[\p{L}\p{M}]*/gu);
  return Math.min(reach, words?.length ?? 0);
}

/** Whether the nearest word before `at` stands next to it: no number and no comma in between. */
export function adjoins({ text }: Scan, at: number): boolean {
  return /[\p{L}\p{M}ـ][^\p{L}\d،,;؛]{0,4}$/u.test(text.slice(Math.max(0, at - 8), at));
}

/** Whether `=` follows: the numbers before it are a sum, no range, size or fraction. */
export function isEqualled({ text }: Scan, at: number): boolean {
  return text.charCodeAt(text.charCodeAt(at) === SPACE ? at + 1 : at) === EQUALS;
}

/** Whether `من` or `between` already stands before a range. */
export function rangeWord(scan: Scan, at: number): 'from' | 'between' | undefined {
  if (!scan.leftIn(at, BETWEEN_WORDS, 1)) return undefined;
  return /^(?:بين|between)$/u.test(scan.left(at)) ? 'between' : 'from';
}
