import { isFiller, isWeak } from '../../../language/lexicon/lexicon.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent } from '../compiled-agent.ts';
import type { Heard } from './act.ts';
import { operationAt } from './operation.ts';
import { wishBefore } from './wish-before.ts';

/** Right before an imperative: `so just cancel it`, `خلاص الغوه`. Behind another word the verb tells: `you cancelled it`. */
const BEFORE_IMPERATIVE = new Set('just so then please go lets now ok okay بس خلاص يلا اجل طيب'.split(' '));
/** Between `I want` and the verb: `I want you to cancel`, `ابغاكم تلغون`. */
const MAX_TO_VERB = 3;
/** What was done already is told, by whomever: `cancelled`, `cancelling`, `الغيتوا`. */
const TOLD = /(?:ed|ing|ت|توا|تو|تم|نا)$/;

/**
 * The undertaking that a sentence tells to do by its own verb: behind `I want`, or at its end as an imperative.
 *
 * @param from - where the end begins.
 */
export function toldToDo(agent: CompiledAgent, { words, wanted, forbidden }: Heard, from: number): string | undefined {
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const word = words[at]!;
    const id = operationAt(agent, words, at);
    if (id === undefined || TOLD.test(word.text) || forbidden.has(id) || !wanted.includes(word)) continue;
    const isImperative = at >= from && BEFORE_IMPERATIVE.has(words[at - 1]?.text ?? '');
    if (isImperative || followsOpener(words, at)) return id;
  }
  return undefined;
}

function followsOpener(words: readonly Word[], verb: number): boolean {
  const opener = wishBefore(words, verb, MAX_TO_VERB + 2);
  return opener !== undefined && words.slice(opener.end, verb).every(({ text }) => isWeak(text) || isFiller(text));
}
