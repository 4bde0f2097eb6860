import type { AgentDefinition } from '../core/agent.ts';
import type { TurnOutcome } from '../engines/reply/turn-draft.ts';

/**
 * Ids of what was meant as authors name it: `intent:track` is `track`, `knowledge:2` the first wording of that question; a document
 * is `document:` and the name of its file.
 */
export function namedIntents(meant: readonly string[], { knowledge = [] }: AgentDefinition): readonly string[] {
  const names = meant.flatMap((id) => {
    const [kind = '', name = ''] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)];
    if (kind === 'document') return [id];
    if (kind !== 'knowledge') return [name];
    const question = knowledge[Number(name)]?.question;
    return [question?.en?.[0], question?.ar?.[0]].filter((one) => one !== undefined);
  });
  return [...new Set(names)];
}

/** The values that are held after a turn; of a flow that was done in it, those that it was done with. */
export function valuesOf({ state, done }: Pick<TurnOutcome, 'state' | 'done'>): Readonly<Record<string, string>> {
  const all = Object.assign({}, ...done.map(({ slots }) => slots), state.slots) as TurnOutcome['state']['slots'];
  return Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value]));
}
