import { phraseWords } from './grammar.ts';
import { type Pattern, parsePattern } from './pattern.ts';
import { SLOT_RULES } from './slot-rules.ts';
import { DIGIT_WORDS, numberWord, spokenAs } from './spoken-tokens.ts';

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
/** So many digits in a row are a number, and any other could be in their place. */
const NUMBER_DIGITS = 3;

export function spokenLines(sentences: readonly string[]): string[][] {
  const draw = drawing();
  const known = sentences.map((sentence) => anyNumber(phraseWords(sentence), draw)).filter((words) => words.length > 0);
  return [...known, ...answers(draw)];
}

function answers(draw: Draw): string[][] {
  return Object.entries(ANSWERS).flatMap(([kind, lines]) => {
    const { lead, rule, definitions } = SLOT_RULES[kind as keyof typeof SLOT_RULES];
    const pattern = parsePattern(`[${lead}] ${rule}`, new Map(Object.entries(definitions)));
    return Array.from({ length: lines }, () => said(pattern, draw));
  });
}

function anyNumber(words: readonly string[], draw: Draw): string[] {
  const out = [...words];
  for (let at = 0; at < out.length; at += 1) {
    let end = at;
    while (end < out.length && DIGIT_WORDS.has(out[end] as string)) end += 1;
    if (end - at >= NUMBER_DIGITS) for (let n = at; n < end; n += 1) out[n] = numberWord(Math.floor(draw() * 10));
    at = Math.max(at, end - 1);
  }
  return out;
}

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
