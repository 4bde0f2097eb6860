import { expect, it } from 'vitest';
import { prepareAgents } from '../../src/compose/prepare-agents.ts';
import type { Agent } from '../../src/core/agent.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { testAgent } from '../support/api-rig.ts';

const agents: Record<string, Agent> = { 1000: testAgent('agt_one'), 2000: testAgent('agt_two') };
const numbers = {
  list: async () => ['1000', '1999', '2000'].map((number) => ({ number })),
  resolve: async (number: string) => agents[number],
} as unknown as Parameters<typeof prepareAgents>[0]['numbers'];

it('prepares every agent that has a number', async () => {
  const seen: string[] = [];
  const reply = {
    greeting: (agent: Agent) => {
      seen.push(`greeting ${agent.id}`);
      return '';
    },
    expects: (agent: Agent) => {
      seen.push(`expects ${agent.id}`);
      return undefined as never;
    },
  };
  await prepareAgents({ numbers }, reply, silentLogger);
  expect(seen).toEqual(['greeting agt_one', 'expects agt_one', 'greeting agt_two', 'expects agt_two']);
});

it('never keeps the gateway from starting', async () => {
  const reply = {
    greeting: () => {
      throw new Error('cannot');
    },
    expects: () => undefined as never,
  };
  await expect(prepareAgents({ numbers }, reply, silentLogger)).resolves.toBeUndefined();
});
