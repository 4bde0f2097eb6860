import { termsOf } from '../../../language/lexicon/lexicon.ts';
import type { CompiledAgent } from '../compiled-agent.ts';

/** The wish of the agent that is named by a word, as its verb: `cancelling`, `الغي`. */
export function operationOf(agent: CompiledAgent, word: string | undefined): string | undefined {
  return agent.operations.get(termsOf([word ?? ''])[0]?.key ?? '');
}
