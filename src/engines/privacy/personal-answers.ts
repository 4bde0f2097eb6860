import { wordsOf } from '../reply/fold.ts';
import { digitRuns } from '../reply/number-words.ts';

/** Shorter numbers are amounts, ages, choices of a menu. */
const DICTATED_DIGITS_MIN = 3;
const NAME_WORDS_MAX = 4;
const ASKS_NAME =
  /\b(?:your|the|full|first|last|family)\s+name\b|\bwho\s+(?:am\s+i|is)\s+(?:speaking|talking|this|calling)|اسمك|الاسم|اسم\s+(?:المريض|العميل|صاحب)|باسم\s+(?:مين|من)|(?:مين|من)\s+معي/iu;
/** Words of an answer that gives no name. */
const NO_NAME = new Set(
  [
    'yes yeah no not nope sure okay ok why what do does you i we it is a the my need want mean that this for to hello hi wait',
    'please again sorry moment one second one order help name',
    'نعم ايوه لا لأ ليش ليه وش ايش ايه طيب لحظه تمام ابغي ابي اسمي اسم هو هي انا من في علي ما عندي الو مرحبا السلام عليكم',
  ]
    .join(' ')
    .split(' '),
);

/**
 * Whether a caller's turn is a number that was dictated, said or written: no recogniser can tell what an identifier in
 * pieces is ("one zero one two"), and it is one all the same.
 */
export function isDictated(text: string): boolean {
  const words = wordsOf(text).map((word) => word.text);
  const runs = digitRuns(words);
  const digits = runs.reduce((sum, run) => sum + run.digits.length, 0);
  const covered = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  return digits >= DICTATED_DIGITS_MIN && covered * 2 >= words.length;
}

/** Whether `text` is the name that `question` asked for: the answer needs no word that marks it as one. */
export function isNameGiven(question: string, text: string): boolean {
  if (!ASKS_NAME.test(question)) return false;
  const words = wordsOf(text).map((word) => word.text);
  return words.length <= NAME_WORDS_MAX && words.some((word) => !NO_NAME.has(word));
}
