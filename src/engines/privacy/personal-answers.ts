import { digitRuns } from '../../language/number-words.ts';
import { pattern } from '../../language/pattern.ts';
import { wordsOf } from '../../language/words.ts';

/** Shorter numbers are amounts, ages, choices of a menu. */
const DICTATED_DIGITS_MIN = 3;
const DIGIT = /[0-9٠-٩۰-۹]/g;
const ONLY_KEYS = /^[\s0-9٠-٩۰-۹*#+().-]+$/;
const NAME_WORDS_MAX = 4;
const ASKS_NAME = pattern('iu')`
  \b(?:your|the|full|first|last|family)\s+name\b|\bwho\s+(?:am\s+i|is)\s+(?:speaking|talking|this|calling)|اسمك|الاسم|اسم\s+(?:المريض|
  العميل|صاحب)|باسم\s+(?:مين|من)|(?:مين|من)\s+معي
`;
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

/** A turn as far as it was not recognised: what the boundary took out is cut out of `text`. */
export interface LeftOver {
  readonly role: 'caller' | 'agent';
  readonly text: string;
}

/**
 * Which turns of the caller are pieces of a number that was keyed or dictated, by index. No recogniser can tell what "one
 * zero", "one two", "three" are, and together they are an identifier: turns that hold little but digits, one after the
 * other, count together. With `menus` the agent offers numbered choices, and its words between two of them end a number.
 */
export function dictatedTurns(turns: readonly LeftOver[], menus: boolean): ReadonlySet<number> {
  const found = new Set<number>();
  let open: number[] = [];
  let digits = 0;
  const settle = (): void => {
    if (digits >= DICTATED_DIGITS_MIN) for (const index of open) found.add(index);
    open = [];
    digits = 0;
  };
  turns.forEach(({ role, text }, index) => {
    const count = role === 'caller' ? digitsIn(text) : undefined;
    if (count !== undefined) {
      open.push(index);
      digits += count;
    } else if (role === 'caller' || menus) settle();
  });
  settle();
  return found;
}

/** How many digits a text holds that is little else; undefined for any other text. */
function digitsIn(text: string): number | undefined {
  if (ONLY_KEYS.test(text)) return text.match(DIGIT)?.length ?? 0;
  const words = wordsOf(text).map((word) => word.text);
  const runs = digitRuns(words);
  const covered = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  if (covered === 0 || covered * 2 < words.length) return undefined;
  return runs.reduce((sum, run) => sum + run.digits.length, 0);
}

/** Whether `text` is the name that `question` asked for: the answer needs no word that marks it as one. */
export function isNameGiven(question: string, text: string): boolean {
  if (!ASKS_NAME.test(question)) return false;
  const words = wordsOf(text).map((word) => word.text);
  return words.length <= NAME_WORDS_MAX && words.some((word) => !NO_NAME.has(word));
}
