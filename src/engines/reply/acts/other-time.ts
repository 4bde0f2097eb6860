import { ACCOUNTS, OTHER_TIMES } from '../../../language/phrases/cues.ts';
import { kinIn } from '../../../language/phrases/kin.ts';
import { firstPhrase, phraseTable } from '../../../language/phrases/phrases-in.ts';
import { negationsIn } from '../../../language/phrases/scope.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent } from '../compiled-agent.ts';
import { operationOf } from './operation.ts';

const OTHER_TIME = phraseTable(OTHER_TIMES);
/** `تقول تعالي وقت ثاني`: said by somebody else. */
const TOLD = phraseTable(`${ACCOUNTS}|تقول|يقول|قالت|قال`);
const NEAR = 2;

/**
 * `I'd like my order to come on a later day`: another day or hour is wished for, of what there is. The one undertaking that gives a
 * record another day; undefined where there are more, where another is named by its verb, and where it is denied.
 */
export function otherTimeIn(agent: CompiledAgent, words: readonly Word[]): string | undefined {
  const span = firstPhrase(words, OTHER_TIME);
  if (!span || kinIn(words).length > 0 || firstPhrase(words.slice(Math.max(0, span.start - NEAR), span.start), TOLD))
    return undefined;
  if (negationsIn(words).some(({ start, end }) => start < span.start && end > span.start)) return undefined;
  const moving = (agent.definition.intents ?? []).filter(({ flow }) => {
    const { slots = [], actions = [] } = agent.flows.get(flow ?? '') ?? {};
    return slots.some(({ type }) => type === 'date') && actions.some(({ type }) => type === 'lookup');
  });
  const id = `intent:${moving[0]?.name}`;
  const isOther = words.some(({ text }) => (operationOf(agent, text) ?? id) !== id);
  return moving.length === 1 && !isOther ? id : undefined;
}
