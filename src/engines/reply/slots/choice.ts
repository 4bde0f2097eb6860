import { wordsOf } from '../fold.ts';
import { term } from '../lexicon.ts';
import { readCardinal, readOrdinal } from '../number-words.ts';
import { similarity } from '../similarity.ts';
import type { Found, SlotContext, SlotParser, SlotValue } from './slot.ts';

type Choice = NonNullable<SlotContext['definition']['choices']>[number];
const FUZZY_ENOUGH = 0.7;
/** Words of one concept are not yet the same choice. */
const SAME_CONCEPT = 0.95;
const CLEAR_LEAD = 0.02;

export function choiceValue(choice: Choice): SlotValue {
  const ar = choice.say.ar?.[0] ?? choice.say.en?.[0] ?? choice.value;
  const en = choice.say.en?.[0] ?? choice.say.ar?.[0] ?? choice.value;
  return { value: choice.value, say: { ar, en } };
}

/** One of the listed choices: by its words, nearly so (`cleening`), or by its place (`the second one`, `الأول`). */
export const parseChoice: SlotParser = (words, { definition, asked }): Found | undefined => {
  const choices = definition.choices ?? [];
  const plain = words.map((word) => word.text);
  const terms = plain.map(term);
  let best: { found: Found; score: number; choice: Choice } | undefined;
  let rival = 0;
  for (const choice of choices) {
    for (const said of [...(choice.say.ar ?? []), ...(choice.say.en ?? [])]) {
      const wanted = wordsOf(said).map((word) => word.text);
      if (wanted.length === 0) continue;
      for (let at = 0; at + wanted.length <= plain.length; at += 1) {
        const score = windowScore(plain, terms, wanted, at) + wanted.length / 1_000; // the longer phrase wins
        if (score < (asked ? FUZZY_ENOUGH : 0.9)) continue;
        if (best && best.choice !== choice) rival = Math.max(rival, Math.min(score, best.score));
        if (best && best.score >= score) continue;
        best = { score, choice, found: { value: choiceValue(choice), start: at, end: at + wanted.length } };
      }
    }
  }
  if (best && best.score < 1 && best.score - rival < CLEAR_LEAD) return undefined; // a filling is no crown
  if (best || !asked) return best?.found;
  for (let at = 0; at < plain.length; at += 1) {
    const place = readOrdinal(plain, at) ?? (plain.length <= 3 ? readCardinal(plain, at) : undefined);
    const choice = place && choices[place.value - 1];
    if (place && choice) return { value: choiceValue(choice), start: at, end: place.end };
  }
  return undefined;
};

function windowScore(
  plain: readonly string[],
  terms: readonly string[],
  wanted: readonly string[],
  at: number,
): number {
  let sum = 0;
  for (let i = 0; i < wanted.length; i += 1) {
    const word = wanted[i]!;
    const said = plain[at + i]!;
    const alike = terms[at + i] === term(word) ? SAME_CONCEPT : 0;
    sum += said === word ? 1 : Math.max(alike, similarity(said, word));
  }
  return sum / wanted.length;
}
