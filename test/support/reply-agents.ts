import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Agent, AgentDefinition } from '../../src/core/agent.ts';

/** An agent file of `config/agents/` as the engine sees it. */
export function agentFromConfig(file: 'clinic-ar' | 'delivery-en'): Agent {
  const text = readFileSync(new URL(`../../config/agents/${file}.yaml`, import.meta.url), 'utf8');
  const { number: _, ...definition } = parse(text) as AgentDefinition & { number: string };
  return agentOf(definition);
}

export function agentOf(definition: AgentDefinition): Agent {
  return { id: 'agt_test', accountId: 'acc_test', version: 1, status: 'live', definition, updatedAt: new Date(0) };
}
