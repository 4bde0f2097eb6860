import type { AgentDefinition, IntentDefinition } from '../../core/agent.ts';
import { STOCK } from './stock-phrases.ts';

const NAME = 'complaint';
/** Id of what it means. */
export const COMPLAINT = `intent:${NAME}`;

/**
 * The wish of a caller in trouble, where an agent has sentences for it and no wish of that name: what its route says, and a
 * person. Words that name anger or a wrong are found without it (`acts/cues.ts`); a story that tells of one is not.
 */
export function withComplaint(definition: AgentDefinition): AgentDefinition {
  const intents = definition.intents ?? [];
  if (!Object.hasOwn(definition.sentences ?? {}, NAME) || intents.some(({ name }) => name === NAME)) return definition;
  const route = definition.routes?.complaint;
  const regret = { en: STOCK.sorryToHear.en[0]!, ar: STOCK.sorryToHear.ar[0]! };
  const complaint: IntentDefinition = {
    name: NAME,
    label: { en: 'a complaint', ar: 'شكوى' },
    examples: {},
    answer: route?.text ?? regret,
    action: route?.action ?? { type: 'transfer' },
  };
  return { ...definition, intents: [...intents, complaint] };
}
