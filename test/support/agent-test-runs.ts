import { runAsText, type TextRunDeps } from '../../src/agent-tests/text-run.ts';
import { readAgentTests } from '../../src/config/agent-tests.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { AgentTests, DialogueResult } from '../../src/core/agent-tests.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { compiledAgents } from './reply-agents.ts';

const { conversation, engines } = loadConfig({ env: {} });
const { noInputMs, maxNoInputs, backchannels } = conversation;

/** Runs of text as they are configured, by agents that are compiled once a file. */
export const TEXT_RUN: TextRunDeps = {
  ...{ clock: systemClock, logger: silentLogger, choice: engines, agents: compiledAgents },
  settings: { noInputMs, maxNoInputs, backchannels: [...backchannels.ar, ...backchannels.en] },
};

export function testsOf(yaml: string, { definition }: Agent): AgentTests {
  const read = readAgentTests(yaml, definition);
  if ('tests' in read) return read.tests;
  throw new Error(JSON.stringify(read.problems));
}

/** One dialogue of these steps. */
export async function holdSteps(agent: Agent, steps: readonly string[], more = ''): Promise<DialogueResult> {
  const lines = steps.map((step) => `      - ${step}\n`).join('');
  const yaml = `dialogues:\n  - name: one\n${more}    steps:\n${lines}`;
  const [result] = await runAsText(agent, testsOf(yaml, agent), TEXT_RUN);
  return result!;
}
