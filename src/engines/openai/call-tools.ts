import { type AgentAction, type AgentDefinition, personOf } from '../../core/agent.ts';
import { authored } from '../privacy/outbound.ts';
import type { CallAction } from '../reply/contract.ts';
import { parseObject } from './chat-chunks.ts';
import type { ChatTool } from './chat-client.ts';

/** The person a call goes to where the agent names only one. */
const OPERATOR = 'operator';
const TARGETS_MAX = 20;
const DIGITS_MAX = 64;
const DIGITS_DEFAULT = 20;
const COLLECT_TIMEOUT_MS = 5_000;

/** Where this agent may transfer a call to, by the names that a model is given. The numbers stay here. */
export function transferTargets(definition: AgentDefinition): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  const add = (name: string, target: string | undefined): void => {
    if (target !== undefined && targets.size < TARGETS_MAX) targets.set(name, target);
  };
  add(OPERATOR, personOf(definition));
  const transfersOf = (actions: readonly (AgentAction | undefined)[], name: string): void => {
    for (const action of actions) if (action?.type === 'transfer') add(name, action.target ?? personOf(definition));
  };
  for (const intent of definition.intents ?? []) transfersOf([intent.action], intent.name);
  for (const flow of definition.flows ?? []) transfersOf(flow.actions, flow.name);
  return targets;
}

/** The actions a model may ask for in a call with this agent. */
export function callTools(definition: AgentDefinition): readonly ChatTool[] {
  const targets = [...transferTargets(definition).keys()];
  const transfer: ChatTool = {
    name: 'transfer_call',
    description: authored('Connects the caller with a person. Say so first. Use it when the caller asks for one.'),
    parameters: objectSchema({ to: { type: 'string', enum: targets } }, ['to']),
  };
  return [
    ...(targets.length > 0 ? [transfer] : []),
    {
      name: 'end_call',
      description: authored('Hangs up after your words were spoken. Use it only when the caller has said goodbye.'),
      parameters: objectSchema({}, []),
    },
    {
      name: 'collect_keys',
      description: authored('Lets the caller enter digits on the telephone keys. Ask for them first.'),
      parameters: objectSchema({ max_digits: { type: 'integer', minimum: 1, maximum: DIGITS_MAX } }, []),
    },
  ];
}

/**
 * What a tool call comes to; undefined for a tool or a target that the agent does not have. The model names, the agent's
 * file decides: no number and no address is ever taken from it.
 */
export function actionOf(definition: AgentDefinition, name: string, args: string): CallAction | undefined {
  const given = args.trim() === '' ? {} : parseObject(args);
  if (!given) return undefined;
  switch (name) {
    case 'transfer_call': {
      const target = transferTargets(definition).get(String(given['to'] ?? OPERATOR));
      return target === undefined ? undefined : { type: 'transfer', target };
    }
    case 'end_call':
      return { type: 'hangup' };
    case 'collect_keys': {
      const wanted = given['max_digits'];
      const maxDigits = typeof wanted === 'number' && Number.isInteger(wanted) ? wanted : DIGITS_DEFAULT;
      if (maxDigits < 1 || maxDigits > DIGITS_MAX) return undefined;
      return { type: 'collect', maxDigits, terminator: '#', timeoutMs: COLLECT_TIMEOUT_MS };
    }
    default:
      return undefined;
  }
}

function objectSchema(properties: object, required: readonly string[]): ChatTool['parameters'] {
  return { type: 'object', properties, required, additionalProperties: false };
}
