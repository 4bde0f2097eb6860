import { expect, it } from 'vitest';
import { type AgentPreparation, compileAgents, prepareAgents } from '../../src/compose/prepare-agents.ts';
import type { Agent } from '../../src/core/agent.ts';
import { silentLogger } from '../../src/core/logger.ts';
import type { ReplyExpectation } from '../../src/engines/reply/contract.ts';
import type { SttHints, SttStream } from '../../src/engines/stt/contract.ts';
import { testAgent } from '../support/api-rig.ts';

const agents: Record<string, Agent> = { 1000: testAgent('agt_one'), 2000: testAgent('agt_two') };
const numbers = {
  list: async () => ['1000', '1999', '2000'].map((number) => ({ number })),
  resolve: async (number: string) => agents[number],
} as unknown as AgentPreparation['numbers'];

const prepared: string[] = [];
const others = {
  ...{ numbers, logger: silentLogger },
  openStt: (agent: Agent, { phrases }: SttHints): SttStream => ({
    ...{ write: () => undefined, flush: () => undefined, hint: () => undefined },
    end: () => void prepared.push(`${agent.id} hears ${phrases.join()}`),
    async *[Symbol.asyncIterator]() {},
  }),
};

it('compiles every agent that has a number, and has its words known to the recogniser', async () => {
  const expected: string[] = [];
  const reply = {
    expects: (agent: Agent) => {
      expected.push(agent.id);
      return { hints: { phrases: [`order of ${agent.id}`], expect: [] } } as unknown as ReplyExpectation;
    },
  };
  await prepareAgents({ ...others, reply });
  expect(expected).toEqual(['agt_one', 'agt_two']);
  expect(prepared).toEqual(['agt_one hears order of agt_one', 'agt_two hears order of agt_two']);
});

it('compiles every agent that has a number', async () => {
  const compiled: string[] = [];
  await compileAgents({ ...others, compile: async (agent) => void compiled.push(agent.id) });
  expect(compiled).toEqual(['agt_one', 'agt_two']);
});

it('never keeps the gateway from starting', async () => {
  const cannot = (): never => {
    throw new Error('cannot');
  };
  await expect(prepareAgents({ ...others, reply: { expects: cannot } })).resolves.toBeUndefined();
  await expect(compileAgents({ ...others, compile: async () => cannot() })).resolves.toBeUndefined();
});
