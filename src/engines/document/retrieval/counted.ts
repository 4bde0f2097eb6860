import { isNumberWord } from './answer-kinds.ts';
import { anyOf } from './scan.ts';
import type { SentenceReading } from './sentence-reading.ts';

const COUNTED_WITHIN = 3; // words between a number and what it counts
const COUNT_SAID = /\b(?:number|total|are|is)\b|عدد|بلغ|يقدر|[:=\t,]| {2}/i;
export const HOW_MANY = /\bhow many\b|(?<!\p{L})(?:كم|عدد)(?!\p{L})/iu;

/**
 * `how many branches`: whether a number stands beside the branches; `alike` where it stands beside a word that is only
 * like them. `term` is what is counted, -1 for nothing; `named`: what stands above says so already.
 */
export function countedIn(
  reading: SentenceReading,
  text: string,
  term: number,
  named: boolean,
): 'yes' | 'alike' | 'no' {
  if (term < 0) return 'yes';
  const { words } = reading;
  const isNumber = (at: number): boolean => isNumberWord(words[at]?.raw ?? '');
  const between = (from: number, to: number): boolean =>
    words.slice(Math.max(0, from), to).some(({ raw }) => isNumberWord(raw));
  const said = COUNT_SAID.test(text);
  let found: 'yes' | 'alike' | 'no' = named ? 'yes' : 'no';
  for (const [at, { mask }] of words.entries()) {
    if (((anyOf(mask) >> term) & 1) === 0) continue;
    const before = between(at - COUNTED_WITHIN, at);
    const behind = said && between(at + 1, at + COUNTED_WITHIN + 2);
    const next = isNumber(at + 1) || isNumber(at + 2);
    if (!before && !behind) found = found !== 'no' || next ? 'alike' : 'no';
    else if (((mask.same | mask.concept) >> term) & 1) return 'yes';
    else if (isNumber(at - 1) || isNumber(at - 2) || next) return 'alike';
  }
  return found;
}
