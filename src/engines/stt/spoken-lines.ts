import { phraseWords } from './grammar.ts';
import { type Pattern, parsePattern } from './pattern.ts';
import { SLOT_RULES } from './slot-rules.ts';
import { DIGIT_WORDS, spokenAs } from './spoken-tokens.ts';

/**
 * What a language model for the callers of an agent learns from: the sentences that are known of them, with any numbers in them,
 * and answers of every kind, made of the rules of the grammars. The same sentences give the same lines.
 */

/** Of each kind of answer: enough for all its words, and few beside some hundred sentences. */
const ANSWERS: Readonly<Partial<Record<keyof typeof SLOT_RULES, number>>> = {
  digits: 150,
  phone: 50,
  number: 50,
  date: 150,
  time: 100,
  yesno: 60,
};
const REPEATS = { least: 1, most: 9 };
/** So many words of digits in a row are a number, and any other could be in their place. */
const NUMBER_WORDS = 3;
const OH = 'oh';
const DIGITS = [...DIGIT_WORDS, OH];
/** Beside digits, of two: `double five`. */
const DOUBLE = 'double';
/** Digits before so many others of their number are as those: the library takes 128 classes. */
const PLACES_MAX = 15;
/** `[2]`: any digit that is the last but one of a number. `four~2`: the four among them. */
const CLASS = /^\[(\d+)\]$/;
const PLACE = /~\d+$/;

/**
 * A digit of a number is any digit, `[2]` where two are left with it: who has begun a number of four goes on with three more, and what
 * sounds like one there ("for", "to", "a day") is one. A model of three words would not know that otherwise.
 */
export function spokenLines(sentences: readonly string[]): string[][] {
  const known = sentences.map(phraseWords).filter((words) => words.length > 0);
  const lengths = known.flatMap((words) => numbersIn(words).map(({ start, end }) => end - start));
  const draw = drawing();
  const made = answers(draw).map((words) => anyNumber(words, () => lengths[Math.floor(draw() * lengths.length)]));
  return [...known.map((words) => anyNumber(words)), ...made];
}

/** What is heard as a word of the lines: itself, or each digit that may be in that place. */
export function heardAs(word: string): readonly string[] {
  const place = CLASS.exec(word)?.[1];
  return place === undefined ? [word] : DIGITS.map((digit) => `${digit}~${place}`);
}

/** The word of a dictionary for one that is heard. */
export const withoutPlace = (word: string): string => word.replace(PLACE, '');

function answers(draw: Draw): string[][] {
  return Object.entries(ANSWERS).flatMap(([kind, lines]) => {
    const { lead, rule, definitions } = SLOT_RULES[kind as keyof typeof SLOT_RULES];
    const pattern = parsePattern(`[${lead}] ${rule}`, new Map(Object.entries(definitions)));
    return Array.from({ length: lines }, () => said(pattern, draw));
  });
}

/** @param lengthOf - in words, where the agent's numbers are known and this one is made up. */
function anyNumber(words: readonly string[], lengthOf: () => number | undefined = () => undefined): string[] {
  const out: string[] = [];
  let from = 0;
  for (const { start, end } of numbersIn(words)) {
    const number = words.slice(start, end);
    const length = lengthOf();
    const digits = length === undefined ? number : Array<string>(length).fill(OH);
    out.push(
      ...words.slice(from, start),
      ...digits.map((word, at) => (word === DOUBLE ? word : `[${Math.min(digits.length - at, PLACES_MAX)}]`)),
    );
    from = end;
  }
  return [...out, ...words.slice(from)];
}

function numbersIn(words: readonly string[]): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let start = 0; start < words.length; start += 1) {
    let end = start;
    while (end < words.length && isDigit(words[end] as string)) end += 1;
    if (end - start >= NUMBER_WORDS) found.push({ start, end });
    start = Math.max(start, end);
  }
  return found;
}

const isDigit = (word: string): boolean => DIGIT_WORDS.has(word) || word === OH || word === DOUBLE;

/** One of the ways to say it, the likely ones more often. */
function said(pattern: Pattern, draw: Draw): string[] {
  switch (pattern.type) {
    case 'token':
      return wordsOf(pattern.token);
    case 'sequence':
      return pattern.parts.flatMap((part) => said(part, draw));
    case 'repeat': {
      const times = Math.max(pattern.min, REPEATS.least + Math.floor(draw() * REPEATS.most));
      return Array.from({ length: times }, () => said(pattern.pattern, draw)).flat();
    }
    default: {
      let left = draw() * pattern.options.reduce((sum, option) => sum + weightOf(option), 0);
      const chosen = pattern.options.find((option) => {
        left -= weightOf(option);
        return left < 0;
      });
      return chosen ? said(chosen.pattern, draw) : [];
    }
  }
}

/** An option that is nothing but something weighted weighs as much as that. */
function weightOf({ weight, pattern }: { readonly weight: number; readonly pattern: Pattern }): number {
  const first = pattern.type === 'sequence' ? pattern.parts[0] : pattern;
  const [only, ...more] = first?.type === 'choice' ? first.options : [];
  return only && more.length === 0 ? weight * only.weight : weight;
}

function wordsOf(token: string): string[] {
  const word = spokenAs(token) ?? (token.startsWith('~') ? '' : token);
  return word === '' ? [] : [word];
}

type Draw = () => number;

/** 0..1, the same numbers every time. */
function drawing(): Draw {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
