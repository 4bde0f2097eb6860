import type { SlotDefinition } from '../../core/agent.ts';
import { fold } from '../../language/fold.ts';
import { isFiller, isWeak, termsOf } from '../../language/lexicon/lexicon.ts';
import { QUESTION_OPENERS, WISH_OPENERS } from '../../language/phrases/cues.ts';
import { phraseTable, withoutPhrases } from '../../language/phrases/phrases-in.ts';
import { asksOutright } from '../../language/values/side-talk.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import type { Word } from '../../language/words.ts';
import type { TurnDraft } from './turn-draft.ts';
import { identifies } from './values.ts';

export function identifiersOf(draft: TurnDraft): readonly SlotDefinition[] {
  return draft.agent.slots.filter(identifies);
}

export function withoutIdentifiers(draft: TurnDraft, words: readonly Word[]): readonly Word[] {
  return readSlots(words, identifiersOf(draft), draft.setting.today).rest;
}

/** They point at what was named. */
const POINTS = new Set('that this it one now هو هي هذا هذي هذه ذا ذي الحين'.split(' ').map((word) => fold(word)));

/** `check his one too, 4521, where is that`: what is asked right behind a number is asked of it. */
export function asksOfNumber(draft: TurnDraft, words: readonly Word[]): boolean {
  const rest = withoutIdentifiers(draft, words);
  const asked = words.slice(words.findLastIndex((word) => !rest.includes(word)) + 1);
  const question = asked.findIndex((_, at) => asksOutright(asked, at));
  const says = ({ text }: Word): boolean => !isWeak(text) && !isFiller(text) && !POINTS.has(text);
  if (isAskedWhere(words, rest)) return true;
  const before = withoutPhrases(asked.slice(0, Math.max(0, question)), LOOKS);
  return asked.length < words.length && question >= 0 && ![...before, ...asked.slice(question + 1)].some(says);
}
/** `can you see where that is`, `tell me when he is reaching`: they ask for what follows. */
const LOOKS = phraseTable(`${QUESTION_OPENERS}|${WISH_OPENERS}|see|look|check|tell me|شوف|شوفي|شوفوا`);

/** `can you tell me where 4521 is`: the question word stands right before the number. */
function isAskedWhere(words: readonly Word[], rest: readonly Word[]): boolean {
  const number = words.findIndex((word) => !rest.includes(word));
  return number > 0 && termsOf([words[number - 1]!.text])[0]?.key === WHERE;
}
const WHERE = '=where';
