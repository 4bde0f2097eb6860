import type { Agent, AgentDefinition } from '../../core/agent.ts';
import type { AgentTool, ToolSource } from '../tools/contract.ts';

const known = new WeakMap<AgentDefinition, { readonly of: string; readonly agent: Agent }>();

/**
 * The same agent as the dialogue knows it while something is agreed on: what its tools change are flows, which only a model
 * begins. Undefined where nothing it may call changes anything.
 */
export function agreeingAgent(agent: Agent, tools: ToolSource): Agent | undefined {
  const { definition } = agent;
  if (definition.tools === undefined && definition.mcp === undefined) return undefined;
  const flows = tools.toolsOf(agent).flatMap(({ flow }: AgentTool) => flow ?? []);
  if (flows.length === 0) return undefined;
  const of = JSON.stringify([agent.id, agent.version, flows]);
  const before = known.get(definition);
  if (before?.of === of) return before.agent;
  const { intents: _, sentences: __, ...rest } = definition;
  const made = { ...agent, definition: { ...rest, flows } };
  known.set(definition, { of, agent: made });
  return made;
}
