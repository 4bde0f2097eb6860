import type { SttExpectation } from '../engines/stt/contract.ts';

export interface EndpointingInput {
  readonly text: string; // what was recognised of the turn so far
  readonly expect: readonly SttExpectation[];
  /** Digits still missing of an expected number, when known. */
  readonly minMs: number;
  readonly maxMs: number;
}

// A turn that stops on one of these is going on: "I want to ..." / "أبغى ...". Compared without diacritics, lower case.
const OPEN_ENDINGS = new Set(
  (
    'and or but so to the a an of for with my your is are was at on in from because then that i it um uh er well number ' +
    'و أو او ثم بس لكن في من على الى إلى عن مع رقم رقمي اسمي يعني عشان لأن اللي أبغى ابغى ابي أبي ودي'
  ).split(' '),
);

const CLOSED_ENDING = /[.!?؟]\s*$/;
const SHORT_ANSWERS =
  /^(?:yes|yeah|yep|no|nope|okay|correct|right|sure|نعم|ايوه|أيوه|ايه|إيه|لا|صح|تمام|طيب|اوكي|أوكي)$/i;

/**
 * How long a pause must last before the caller's turn counts as over.
 *
 * @returns milliseconds of silence, between `minMs` (the text reads complete) and `maxMs` (it plainly goes on).
 */
export function endpointDelayMs({ text, expect, minMs, maxMs }: EndpointingInput): number {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const middleMs = Math.min(maxMs, minMs + (maxMs - minMs) / 4);
  if (words.length === 0) return middleMs; // Sound that was not recognised: give it a chance to go on.
  const last = words[words.length - 1]!.toLowerCase().replace(/[.,!?؟،]+$/, '');
  if (OPEN_ENDINGS.has(last) && !SHORT_ANSWERS.test(text.trim())) return maxMs;
  if (expect.includes('yesno') && SHORT_ANSWERS.test(text.trim())) return minMs;
  // People pause between groups of digits; half a number is worse than a moment's wait.
  if (/\d$/.test(text.trim()) && (expect.includes('digits') || expect.includes('phone'))) return middleMs;
  if (CLOSED_ENDING.test(text)) return minMs;
  return minMs;
}
