import type { AgentDefinition, FieldDefinition, SlotDefinition } from '../core/agent.ts';
import { notice } from '../core/notice.ts';
import { type Refuse, unique, unknown } from './references.ts';
import type { YamlPath } from './yaml-file.ts';

/** Wishes that every agent knows without an intent. */
const KNOWN_WISHES = ['complaint', 'emergency', 'human'];

/** The sense of `afterCall`: what it refers to exists. */
export function checkAfterCall(agent: AgentDefinition, refuse: Refuse): void {
  const { afterCall, flows = [], intents = [], tools = [], mcp = [] } = agent;
  const { outcomes = [], fields = [] } = afterCall ?? {};
  // What a tool changes is done as a flow of its name is.
  const agreed = tools.filter(({ changes, method }) => changes ?? method !== 'GET');
  const flowNames = [...flows, ...agreed].map(({ name }) => name);
  const isOfServer = (name: string): boolean => mcp.some((server) => name.startsWith(`${server}_`));
  const wishes = [...new Set([...intents.map(({ name }) => name), ...KNOWN_WISHES])];
  unique(outcomes, ['afterCall', 'outcomes'], refuse);
  outcomes.forEach(({ done = [], meant = [] }, index) => {
    const path = ['afterCall', 'outcomes', index];
    refer(done, [...flowNames, ...done.filter(isOfServer)], 'wanted.flow', [...path, 'done'], refuse);
    refer(meant, wishes, 'wanted.intent', [...path, 'meant'], refuse);
  });
  unique(fields, ['afterCall', 'fields'], refuse);
  const values = agreed.flatMap(({ parameters = [] }) => parameters);
  const slots = [...flows.flatMap((flow) => flow.slots), ...values.map((value) => ({ prompts: {}, ...value }))];
  fields.forEach((field, index) => {
    checkField(field, slots, ['afterCall', 'fields', index], refuse);
  });
}

function checkField(field: FieldDefinition, slots: readonly SlotDefinition[], path: YamlPath, refuse: Refuse): void {
  const { name, from, type, means, choices } = field;
  const own = slots.filter((slot) => slot.name === (from ?? name));
  const names = [...new Set(slots.map((slot) => slot.name))];
  if (from !== undefined && own.length === 0) return refuse([...path, 'from'], unknown('wanted.slot', from, names));
  if (own.length === 0 && means === undefined) {
    return refuse(
      [...path, 'name'],
      notice('agent.field-without-slot', { problem: unknown('wanted.slot', name, names) }),
    );
  }
  if (own.length > 0 && !own.some((slot) => slot.type === type)) {
    const { name: slot, type: wanted } = own[0]!;
    refuse([...path, 'type'], notice('agent.field-type', { type: wanted, slot, got: type }));
  }
  if (choices && (type !== 'choice' || own.length > 0)) {
    const isDouble = own.length > 0;
    refuse(
      [...path, 'choices'],
      isDouble ? notice('agent.field-choices') : notice('agent.not-for-type', { field: 'choices', type }),
    );
  }
  if (type === 'choice' && own.length === 0 && !choices) {
    refuse(path, notice('agent.field-no-choices'));
  }
}

function refer(
  names: readonly string[],
  known: readonly string[],
  what: 'wanted.flow' | 'wanted.intent',
  path: YamlPath,
  refuse: Refuse,
): void {
  names.forEach((name, at) => {
    if (!known.includes(name)) refuse([...path, at], unknown(what, name, known));
  });
}
