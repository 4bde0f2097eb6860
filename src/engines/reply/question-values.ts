import type { SlotDefinition } from '../../core/agent.ts';
import { isFiller } from '../../language/lexicon/lexicon.ts';
import { CLAUSE_STARTS, CORRECTIONS } from '../../language/phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable } from '../../language/phrases/phrases-in.ts';
import { asksOutright } from '../../language/values/side-talk.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import type { CompiledAgent, Guess } from './compiled-agent.ts';
import { NEARNESS } from './understanding.ts';

const STARTS = phraseTable(CLAUSE_STARTS);
const TURNS = phraseTable(CORRECTIONS);
const MIN_QUESTION_WORDS = 2;

/**
 * Whether what sounds like a value is a word of a question: `how much is the cleaning`, `how late are you open today`. A choice
 * within it, or a day or hour that ends it; `tomorrow, how much is it` is an answer and a question.
 *
 * @param rest - the words beside the value.
 * @param top - what the whole sentence means.
 */
export function isOfQuestion(
  agent: CompiledAgent,
  slot: SlotDefinition,
  words: readonly Word[],
  rest: readonly Word[],
  top: Guess | undefined,
): boolean {
  if (top?.meaning.kind !== 'knowledge') return false;
  // `that depends, when would the refund come`: neither the new one nor the money back.
  if (slot.type === 'yesno' && slot.choices !== undefined)
    return top.score >= NEARNESS.clearQuestion && isBehindQuestion(words, rest);
  if (slot.type === 'choice')
    return top.score >= NEARNESS.questionToo && rest.some((word) => !isFiller(word.text) && !isNamed(word, slot));
  if (slot.type !== 'date' && slot.type !== 'time') return false;
  const isLast = rest.length < words.length && rest.every((word, at) => word === words[at]);
  if (!isLast || rest.length < MIN_QUESTION_WORDS || phraseAt(rest, rest.length - 1, STARTS)) return false;
  const [asked] = agent.guess(rest.map(({ text }) => text));
  return asked?.meaning.kind === 'knowledge' && asked.score >= NEARNESS.clearQuestion;
}

/** Whether the words of a value are all behind a question word: `a new one, what use is the refund to me` chooses. */
function isBehindQuestion(words: readonly Word[], rest: readonly Word[]): boolean {
  const asks = words.findIndex((_, at) => asksOutright(words, at));
  return asks >= 0 && words.findIndex((word) => !rest.includes(word)) > asks;
}

/** Whether new values at a read-back are only words of a clear question, and nothing is corrected. */
export function onlyAsks(
  agent: CompiledAgent,
  slots: readonly SlotDefinition[],
  words: readonly Word[],
  rest: readonly Word[],
  top: Guess | undefined,
): boolean {
  if ((top?.score ?? 0) < NEARNESS.clearQuestion || firstPhrase(words, TURNS)) return false;
  return slots.length > 0 && slots.every((slot) => isOfQuestion(agent, slot, words, rest, top));
}

/** A choice said twice over is still only the choice. */
function isNamed(word: Word, slot: SlotDefinition): boolean {
  const says = (slot.choices ?? []).flatMap((choice) => [...(choice.say.ar ?? []), ...(choice.say.en ?? [])]);
  return says.some((said) => wordsOf(said).some(({ text }) => text === word.text));
}
