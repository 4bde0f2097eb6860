import { fold } from '../fold.ts';
import type { Word } from '../words.ts';
import type { Refused } from './impossible-day.ts';

const WEEKENDS =
  'weekend|week end|end of the week|الويكند|ويكند|الويك اند|ويك اند|نهاية الاسبوع|نهاية هالاسبوع|اخر الاسبوع'
    .split('|')
    .map((phrase) => fold(phrase).split(' '));

/** `the weekend`: two days, of which one has to be named. */
export function weekendIn(words: readonly Word[]): Refused | undefined {
  for (let start = 0; start < words.length; start += 1) {
    const said = WEEKENDS.find((phrase) => phrase.every((word, i) => words[start + i]?.text === word));
    if (said) return { refusal: { kind: 'several-days', say: {} }, start, end: start + said.length };
  }
  return undefined;
}
