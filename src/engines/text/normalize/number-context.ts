import { BETWEEN_WORDS, LABEL_BEFORE } from '../lexicon/context-words.ts';
import { type Scan, SPACE } from './scan.ts';

const EQUALS = 0x3d;

/** Whether the number at `at` names the thing before it (الغرفة 12) and so counts nothing after it. */
export function isLabelled(scan: Scan, at: number): boolean {
  return scan.leftIn(at, LABEL_BEFORE, 1);
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
