/** How well words were heard: alignment, word error rate, digits, percentiles. Pure: no file, no clock, no engine. */
import { fold } from '../../../dist/language/fold.js';
import { digitRuns } from '../../../dist/language/number-words.js';

/** Words of one utterance that are compared; what is longer is cut, so that the table of the alignment stays small. */
export const WORDS_MAX = 1_000;

/**
 * The words of a text as they are compared, in both languages by the folding by which agents compare: lower case, no punctuation
 * and apostrophes; one spelling for every alef, ya and ta marbuta, no hamza, no diacritics and tatweel, Persian letters as Arabic
 * ones. Numbers are their digits one by one, said or written, so `4521`, `four five two one` and `forty five twenty one` are alike.
 * Nothing else is forgiven: an article, a joined particle and a word of dialect count as they are written.
 */
export function comparedWords(text) {
  const words = fold(text).split(' ').filter(Boolean);
  const compared = [];
  let from = 0;
  for (const { digits, start, end } of digitRuns(words)) {
    compared.push(...words.slice(from, start), ...digits);
    from = end;
  }
  return [...compared, ...words.slice(from)].slice(0, WORDS_MAX);
}

/** Every digit in a text, said or written. */
export function digitsIn(text) {
  return digitRuns(fold(text).split(' ').filter(Boolean))
    .map(({ digits }) => digits)
    .join('');
}

/**
 * The cheapest way from `said` to `heard`, every insertion, deletion and substitution at 1 (Levenshtein by words). Of several the
 * one with more substitutions is counted.
 *
 * @returns `{ words, substitutions, deletions, insertions }`; `words` are those that were said.
 */
export function align(said, heard) {
  const row = (at) => ({ substitutions: 0, deletions: at, insertions: 0 });
  const cost = (edits) => edits.substitutions + edits.deletions + edits.insertions;
  let above = Array.from({ length: said.length + 1 }, (_, at) => row(at));
  for (const word of heard) {
    const current = [{ ...above[0], insertions: above[0].insertions + 1 }];
    for (let at = 1; at <= said.length; at += 1) {
      const diagonal = above[at - 1];
      const isSame = said[at - 1] === word;
      const candidates = [
        isSame ? diagonal : { ...diagonal, substitutions: diagonal.substitutions + 1 },
        { ...current[at - 1], deletions: current[at - 1].deletions + 1 },
        { ...above[at], insertions: above[at].insertions + 1 },
      ];
      current.push(candidates.reduce((best, each) => (cost(each) < cost(best) ? each : best)));
    }
    above = current;
  }
  return { words: said.length, ...above[said.length] };
}

/** @returns the sums of several alignments, and `rate`: errors for each word that was said, undefined where none was. May be above 1. */
export function wordErrors(alignments) {
  const sum = { words: 0, substitutions: 0, deletions: 0, insertions: 0 };
  for (const each of alignments) for (const key of Object.keys(sum)) sum[key] += each[key];
  const errors = sum.substitutions + sum.deletions + sum.insertions;
  return { ...sum, ...(sum.words > 0 && { rate: errors / sum.words }) };
}

/** The nearest rank: the smallest value that `share` (0..1) of all do not exceed; undefined of none. */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
