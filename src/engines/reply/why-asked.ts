import { GIVINGS, NEEDS_WHY } from '../../language/phrases/cues.ts';
import { firstPhrase, firstPhraseJoined, phraseTable, type Span } from '../../language/phrases/phrases-in.ts';
import { NEGATES, scopeOf } from '../../language/phrases/scope.ts';
import { asksAt } from '../../language/values/side-talk.ts';
import type { Word } from '../../language/words.ts';
import type { Heard } from './acts/act.ts';
import { labelOf } from './compiled-agent.ts';
import { fits } from './fitting.ts';
import { notUnderstood } from './misunderstood.ts';
import { questionOf } from './questions.ts';
import { namedUntil } from './slot-names.ts';
import type { TurnDraft } from './turn-draft.ts';

const ASKS_WHY = phraseTable(NEEDS_WHY);
const GIVES = phraseTable(GIVINGS);
const RATHER_NOT = phraseTable('rather not|prefer not to|not comfortable|not happy');
const MAX_WORDS = 10;
/** Written on to the article: `بالرقم`, `والاسم`, `للعنوان`. */
const ON_ARTICLE = /^(?:[بوف](?=ال..)|ل(?=ل..))/;

/**
 * `why do you need my number`, `ليش الاسم`, `I'd rather not give my number`: told what the value is for, and asked again. A prompt
 * for an owner's fact says so itself.
 */
export function whyAsked(draft: TurnDraft, { words }: Heard): boolean {
  const { agent, slot, state } = draft;
  if (state.pending.kind !== 'slot' || !slot || words.length > MAX_WORDS) return false;
  const cue = firstPhraseJoined(words, ASKS_WHY) ?? willNotGive(words);
  const asksWhich = words.slice(0, cue?.start ?? 0).some((_, at) => asksAt(words, at)); // `which number do you need`
  if (
    !cue ||
    asksWhich ||
    !isNamed(draft, words) ||
    (slot.type !== 'name' && slot.type !== 'text' && fits(draft, { words }))
  )
    return false;
  const intent = agent.definition.intents?.find(({ flow }) => flow === state.flow);
  if (agent.owned.has(slot) || !intent) {
    notUnderstood(draft);
    draft.understood = true; // and told more
    return true;
  }
  draft.stock('neededFor', { a: labelOf({ kind: 'intent', intent }, draft.language) });
  questionOf(draft);
  return true;
}

/** A negation that reaches a verb of telling. */
function willNotGive(words: readonly Word[]): Span | undefined {
  const negation = firstPhrase(words, RATHER_NOT) ?? firstPhrase(words, NEGATES);
  return negation && firstPhrase(words.slice(0, scopeOf(words, negation).end), GIVES, negation.end);
}

/** The value that is asked for is called by its name: `بالرقم`, `my name`. */
function isNamed({ slot }: TurnDraft, words: readonly Word[]): boolean {
  const bare = words.map((word) => ({ ...word, text: word.text.replace(ON_ARTICLE, '') }));
  return slot !== undefined && bare.some((_, at) => namedUntil(bare, at, slot) !== undefined);
}
