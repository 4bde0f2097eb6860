import { editDistance } from './similarity.ts';

/**
 * English words as Arabic speakers write and say them: `كلينينق` is cleaning, `بريسز` is braces. Vowels are heard differently by
 * everyone, and g, j, k, gh and q stand for one another: what is left are the consonants, in classes.
 */
const ARABIC: readonly (readonly [RegExp, string])[] = [
  [/تش|ش/g, 'c'],
  [/[قكغجگ]/g, 'k'],
  [/[تطثدضذ]/g, 't'],
  [/[سصزظ]/g, 's'],
  [/[بپ]/g, 'b'],
  [/[فڤ]/g, 'f'],
  [/[خ]/g, 'k'],
  [/ر/g, 'r'],
  [/ل/g, 'l'],
  [/م/g, 'm'],
  [/ن/g, 'n'],
  [/[^cktsbfrlmn]/g, ''],
];
const ENGLISH: readonly (readonly [RegExp, string])[] = [
  [/(.)\1/g, '$1'],
  [/tch|[cs]h/g, '1'],
  [/ph|v/g, 'f'],
  [/th|d/g, 't'],
  [/ck/g, 'k'],
  [/c(?=[eiy])|z/g, 's'],
  [/x/g, 'ks'],
  [/[cgjq]/g, 'k'],
  [/p/g, 'b'],
  [/1/g, 'c'],
  [/[^cktsbfrlmn]/g, ''],
];
/** Fewer consonants are in too many words. */
const CONSONANTS_MIN = 4;
/** From so many on one may be another; a `clinic` with one less is no cleaning. */
const CONSONANTS_LONG = 5;

const classes = (word: string, rules: typeof ARABIC): string =>
  rules.reduce((text, [sign, its]) => text.replace(sign, its), word);

/** @param arabic - folded. @param english - lower case. @returns whether the one is the other in Arabic letters. */
export function isLoanOf(arabic: string, english: string): boolean {
  if (!/^[\u0621-\u06ff]+$/.test(arabic) || !/^[a-z]+$/.test(english)) return false;
  const [heard, wanted] = [classes(arabic, ARABIC), classes(english, ENGLISH)];
  if (wanted.length < CONSONANTS_MIN || heard[0] !== wanted[0]) return false;
  if (heard.length !== wanted.length) return false;
  return heard === wanted || (wanted.length >= CONSONANTS_LONG && editDistance(heard, wanted) <= 1);
}
