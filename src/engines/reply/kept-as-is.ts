import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import { fold } from '../../language/fold.ts';
import { isFiller, isWeak, termsOf } from '../../language/lexicon/lexicon.ts';
import { listsOf } from '../../language/lists.ts';
import { KEPT, PLEASANT } from '../../language/phrases/cues.ts';
import { JUDGES } from '../../language/phrases/judging.ts';
import { firstPhrase, phrasesIn, phraseTable, without, withoutPhrases } from '../../language/phrases/phrases-in.ts';
import { isPlace } from '../../language/values/text.ts';
import { readYesNo } from '../../language/values/yesno.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import { actOf, type Heard } from './acts/act.ts';
import { opensWish, wishFrom } from './acts/leaving.ts';
import { operationOf } from './acts/operation.ts';
import { withoutHesitations } from './acts/read-acts.ts';
import type { CompiledAgent, Guess } from './compiled-agent.ts';
import { hangUp, leaveFlow } from './flow-runner.ts';
import { choose } from './open-question.ts';
import { perform } from './perform.ts';
import type { TurnDraft } from './turn-draft.ts';
import { NEARNESS } from './understanding.ts';
import { keysOf } from './value-words.ts';

const list = listsOf('engines/reply/data/kept-as-is.tsv');

const KEEPS = phraseTable(KEPT);
const AS_IT_IS = phraseTable(list('as-it-is').join('|'));
const LEAVES = phraseTable(list('leaves').join('|'));
const POLITE = phraseTable(PLEASANT);
const GIVES_UP = phraseTable(list('gives-up').join('|'));
/** What is kept, and that it is to be brought there. */
const OF_PLACES = new Set([
  '=address',
  '=home',
  '=place',
  '=deliver',
  '=order',
  '=package',
  '=item',
  '=goods',
  '=change',
  '=not',
]);
const HOME = '=home';
/** Said around it. */
const BESIDE = new Set(list('beside').map((word) => fold(word)));

/**
 * Rule: `what is the new address?` `keep the one you have`. Who wants the place as it is, or names only the home that it is, does not
 * want it changed: what else the first sentence may have meant is asked about.
 */
export function keptAsIs(draft: TurnDraft, heard: Heard): boolean {
  const { flow } = draft;
  const words = withoutHesitations(heard.words);
  if (!flow && draft.state.pending.kind === 'open' && leavesAsIs(draft, words)) {
    if (draft.state.served && actOf(heard, 'deny')) {
      hangUp(draft); // `anything else?` `no, just keep it where it is`
      return true;
    }
    draft.set({ served: true });
    draft.stock('leftAsIs');
    draft.stock('anythingElse');
    return true;
  }
  const wish = wishBehind(words);
  if (!flow || placeOf(draft, heard) === undefined) return false;
  if (wish.length > 0 && saysOnlyPlace(words.slice(0, -wish.length)) && keptButWishes(draft, words, wish)) return true;
  if (!saysOnlyPlace(words)) return false;
  const other = otherUndertaking(draft, flow);
  const { begunBy, pending } = draft.state;
  const isKept = firstPhrase(words, KEEPS) !== undefined;
  if (!isKept && (other === undefined || pending.kind !== 'slot')) return false; // `to my home`: it is known where that is
  leaveFlow(draft);
  draft.set({ served: true });
  draft.stock('leftAsIs');
  if (other) choose(draft, [other], begunBy);
  else draft.stock('anythingElse');
  return true;
}

/** `keep the old one | I only want another day`: what is wished for behind what is kept; nothing where there is no such wish. */
function wishBehind(words: readonly Word[]): readonly Word[] {
  const wish = words.slice(Math.max(0, wishFrom(words)));
  const asks = withoutPhrases(wish, POLITE).some(({ text }) => !isWeak(text) && !isFiller(text));
  return asks && wish.length < words.length ? wish : [];
}

/** The place stays, and what is said behind that is done. @returns whether it is understood. */
function keptButWishes(draft: TurnDraft, words: readonly Word[], wish: readonly Word[]): boolean {
  const [top] = draft.agent.guess(wish.map(({ text }) => text));
  if (!firstPhrase(words, KEEPS) || top?.meaning.kind !== 'intent' || top.score < NEARNESS.accept) return false;
  leaveFlow(draft);
  perform(draft, top, wish);
  return true;
}

/** `keep my appointment where it is`, `هونت عن الالغاء خلي موعدي زي ما هو`: nothing is being done, and nothing is to be. */
function leavesAsIs(draft: TurnDraft, words: readonly Word[]): boolean {
  const rest = withoutPhrases(withoutGivenUp(draft.agent, words), POLITE);
  if (!firstPhrase(rest, AS_IT_IS) || !firstPhrase(rest, LEAVES) || opensWish(rest)) return false;
  return !termsOf(rest.map(({ text }) => text)).some(({ key }) => draft.agent.operations.has(key));
}

/** `changed my mind about cancelling`, `هونت عن الالغاء`: the undertaking that is given up goes with the words that say so. */
function withoutGivenUp(agent: CompiledAgent, words: readonly Word[]): readonly Word[] {
  const given = phrasesIn(words, GIVES_UP).filter(({ end }) => operationOf(agent, words[end]?.text) !== undefined);
  return without(
    words,
    given.map(({ start, end }) => ({ start, end: end + 1 })),
  );
}

/** What else is to be done that the first sentence may have meant. */
function otherUndertaking({ agent, state }: TurnDraft, flow: FlowDefinition): Guess | undefined {
  const own = agent.definition.intents?.find((intent) => intent.flow === flow.name);
  const meant = agent.guess(
    wordsOf(state.begunBy).map(({ text }) => text),
    own && `intent:${own.name}`,
  );
  return meant.find(({ meaning, score }) => {
    const other = meaning.kind === 'intent' ? agent.flows.get(meaning.intent.flow ?? '') : undefined;
    return other?.confirm !== undefined && score >= NEARNESS.least;
  });
}

/** The place that is asked for, or that was read back and is not agreed to. */
function placeOf(draft: TurnDraft, heard: Heard): SlotDefinition | undefined {
  const { pending, slots } = draft.state;
  if (pending.kind === 'slot') return draft.slot && isPlace(draft.slot) ? draft.slot : undefined;
  const isReadBack = pending.kind === 'change' || (pending.kind === 'confirm-flow' && !actOf(heard, 'affirm'));
  return isReadBack ? draft.flow?.slots.find((slot) => isPlace(slot) && slots[slot.name]) : undefined;
}

/** That it is to be kept, or the home that it is, and nothing else. */
function saysOnlyPlace(words: readonly Word[]): boolean {
  const rest = withoutPhrases(words, KEEPS).filter(
    (word) => !isWeak(word.text) && !isFiller(word.text) && !BESIDE.has(word.text) && !readYesNo([word]),
  );
  const keys = rest.length > 0 ? keysOf(rest) : [];
  if (JUDGES.test(words.map(({ text }) => text).join(' '))) return false; // `you got the address wrong`
  return keys.every((key) => OF_PLACES.has(key)) && (keys.includes(HOME) || firstPhrase(words, KEEPS) !== undefined);
}
