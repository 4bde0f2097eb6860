import type { FlowDefinition } from '../../../core/agent.ts';
import { listsOf } from '../../../language/lists.ts';
import { firstPhrase, phraseTable, type Span } from '../../../language/phrases/phrases-in.ts';
import { slotNamed } from '../../../language/values/slot-filling.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent } from '../compiled-agent.ts';
import { identifies } from '../values.ts';
import type { Forbidden } from './forbidden.ts';

const list = listsOf('engines/reply/acts/data/kept-part.tsv');

const KEEPS = phraseTable(list('keeps').join('|'));
const STAYS = phraseTable(list('stays').join('|'));
const MAX_NAME = 3;

/**
 * `keep the address, just give me another day`: what is kept as it is, is not to be changed, though it is named. Only of an
 * undertaking that changes nothing else.
 */
export function keptPartIn(agent: CompiledAgent, words: readonly Word[]): Forbidden[] {
  return (agent.definition.intents ?? []).flatMap((intent): Forbidden[] => {
    const flow = agent.flows.get(intent.flow ?? '');
    const span = flow && keptOf(agent, flow, words);
    return span ? [{ id: `intent:${intent.name}`, sure: false, span }] : [];
  });
}

function keptOf(agent: CompiledAgent, flow: FlowDefinition, words: readonly Word[]): Span | undefined {
  const changed = flow.slots.filter((slot) => !identifies(slot) && !agent.owned.has(slot));
  if (changed.length !== 1 || !flow.actions.some(({ type }) => type === 'lookup')) return undefined;
  const isNamed = (start: number, end: number): boolean =>
    slotNamed(words.slice(Math.max(0, start), end), { slots: changed }) !== undefined;
  const keeps = firstPhrase(words, KEEPS);
  const behind = keeps && [1, 2, MAX_NAME].find((count) => isNamed(keeps.end, keeps.end + count));
  if (keeps && behind) return { start: keeps.start, end: keeps.end + behind };
  const stays = firstPhrase(words, STAYS);
  const before = stays && [1, 2, MAX_NAME].find((count) => isNamed(stays.start - count, stays.start));
  return stays && before ? { start: stays.start - before, end: stays.end } : undefined;
}
