import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import type { LabelMatch, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/dialogue.tsv');

/** What an answer begins with: who speaks, and words that only introduce the value. */
const OPENINGS = foldedSet(...list('openings'));
/** How far back the question may begin, characters. */
const REACH_CHARS = 110;
const OPENING_TOKENS_MAX = 9;
const LABELS_MAX = 4;

/**
 * The labels of the sentence before, nearest first, when token `index` answers it: `And the code? - It's 4821.`,
 * `asked for my OTP. I told him 661 204`. A number in the words before it is another answer.
 */
export function askedLabels(reading: Reading, index: number): readonly LabelMatch[] {
  const { tokens } = reading;
  const own = tokens[index]!.sentence;
  if (own === 0) return [];
  let at = index - 1;
  for (; at >= 0 && tokens[at]!.sentence === own; at -= 1) {
    if (index - at > OPENING_TOKENS_MAX || !OPENINGS.has(tokens[at]!.text)) return [];
  }
  const lines = !/[.?!]/.test(reading.lower.slice(tokens[at]?.end ?? 0, tokens[at + 1]!.start));
  if (lines && at + 1 === index) return []; // a row of a table
  if (at < 0 || tokens[index]!.start - tokens[at]!.end > REACH_CHARS) return [];
  const asked = tokens[at]!.sentence;
  return reading
    .labelsBefore(at + 1, LABELS_MAX)
    .filter(({ first, last }) => tokens[first]!.sentence === asked && reading.noValueBetween(last, at + 1));
}

/** Nothing that a number of the sentence would count follows: `661 204 and then`, not `1500 seconds`. */
export function endsAnswer(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1];
  if (next === undefined || next.sentence !== reading.tokens[last]!.sentence) return true;
  return !/^ ?$/.test(reading.gapBefore(last + 1)) || CLOSINGS.has(next.text) || next.text.startsWith('و');
}

const CLOSINGS = foldedSet(
  'شكرا بس تمام صح طيب لو ثم بعدها',
  'and then please thanks thank but so is right that you ok okay',
);
