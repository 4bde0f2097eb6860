import type { AgentDefinition, FieldDefinition, SlotDefinition } from '../core/agent.ts';
import { type Refuse, unique, unknown } from './references.ts';
import type { YamlPath } from './yaml-file.ts';

/** Wishes that every agent knows without an intent. */
const KNOWN_WISHES = ['complaint', 'emergency', 'human'];

/** The sense of `afterCall`: what it refers to exists. */
export function checkAfterCall({ afterCall, flows = [], intents = [] }: AgentDefinition, refuse: Refuse): void {
  const { outcomes = [], fields = [] } = afterCall ?? {};
  const flowNames = flows.map(({ name }) => name);
  const wishes = [...new Set([...intents.map(({ name }) => name), ...KNOWN_WISHES])];
  unique(outcomes, ['afterCall', 'outcomes'], refuse);
  outcomes.forEach(({ done = [], meant = [] }, index) => {
    const path = ['afterCall', 'outcomes', index];
    refer(done, flowNames, 'a flow', [...path, 'done'], refuse);
    refer(meant, wishes, 'an intent', [...path, 'meant'], refuse);
  });
  unique(fields, ['afterCall', 'fields'], refuse);
  const slots = flows.flatMap((flow) => flow.slots);
  fields.forEach((field, index) => {
    checkField(field, slots, ['afterCall', 'fields', index], refuse);
  });
}

function checkField(field: FieldDefinition, slots: readonly SlotDefinition[], path: YamlPath, refuse: Refuse): void {
  const { name, from, type, means, choices } = field;
  const own = slots.filter((slot) => slot.name === (from ?? name));
  const names = [...new Set(slots.map((slot) => slot.name))];
  if (from !== undefined && own.length === 0) return refuse([...path, 'from'], unknown('a slot', from, names));
  if (own.length === 0 && means === undefined) {
    return refuse([...path, 'name'], `${unknown('a slot', name, names)}; or say what it means, for a model`);
  }
  if (own.length > 0 && !own.some((slot) => slot.type === type)) {
    refuse([...path, 'type'], `expected ${own[0]!.type}, the type of the slot ${own[0]!.name}, got ${type}`);
  }
  if (choices && (type !== 'choice' || own.length > 0)) {
    refuse(
      [...path, 'choices'],
      `expected no choices ${own.length > 0 ? 'beside those of the slot' : `for type ${type}`}`,
    );
  }
  if (type === 'choice' && own.length === 0 && !choices) {
    refuse(path, 'expected choices for a field of type choice, got none');
  }
}

function refer(names: readonly string[], known: readonly string[], what: string, path: YamlPath, refuse: Refuse): void {
  names.forEach((name, at) => {
    if (!known.includes(name)) refuse([...path, at], unknown(what, name, known));
  });
}
