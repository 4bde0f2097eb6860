import { termsOf } from '../../../language/lexicon/lexicon.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent } from '../compiled-agent.ts';

/** The wish of the agent that is named by a word, as its verb: `cancelling`, `الغي`. */
export function operationOf(agent: CompiledAgent, word: string | undefined): string | undefined {
  return agent.operations.get(termsOf([word ?? ''])[0]?.key ?? '');
}

/** The same by several words that are one verb: `call the whole thing off`. */
export function operationAt(agent: CompiledAgent, words: readonly Word[], at: number): string | undefined {
  const [first] = termsOf(words.slice(at, at + MAX_VERB_WORDS).map(({ text }) => text));
  const isPhrase = first?.word === '';
  return operationOf(agent, words[at]?.text) ?? (isPhrase ? agent.operations.get(first.key) : undefined);
}
const MAX_VERB_WORDS = 5;
