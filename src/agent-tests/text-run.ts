import type { Agent } from '../core/agent.ts';
import type { AgentTests, DialogueResult, TestDialogue } from '../core/agent-tests.ts';
import { type Clock, timeoutSignal } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { createMetrics } from '../core/metrics.ts';
import type { AgentDocuments } from '../engines/document/contract.ts';
import type { CompiledAgents } from '../engines/reply/compiled-agent.ts';
import type { TurnOutcome } from '../engines/reply/turn-draft.ts';
import { type ReplyChoice, ReplySet } from '../engines/reply-set.ts';
import { TestClock } from './test-clock.ts';
import { TestTools } from './test-tools.ts';
import { type TestSettings, TextDialogue, type TextTester } from './text-dialogue.ts';

/** Longest run of a file as text. */
export const TEXT_RUN_MS_MAX = 120_000;

/** Nobody waits on the line: a machine that does much else is no fault of the agent. `within_ms` tells what is too slow. */
const PATIENCE = 6;
const DOCUMENTS_MS = 5_000;

export interface TextRunDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly choice: ReplyChoice;
  readonly settings: TestSettings;
  /** Agents that are compiled already, and will be needed again. */
  readonly agents?: CompiledAgents;
  readonly documents?: AgentDocuments;
}

export interface RunWish {
  /** Names of dialogues; all without it. */
  readonly only?: readonly string[];
  readonly signal?: AbortSignal;
  readonly told?: (result: DialogueResult, index: number) => void;
}

export const chosen = ({ dialogues }: AgentTests, only: readonly string[] | undefined): readonly TestDialogue[] =>
  only ? dialogues.filter(({ name }) => only.includes(name)) : dialogues;

/**
 * Holds the dialogues one after another, by engines of their own, with a pause for everything else of this thread before every
 * turn. HTTP tools are not called: they answer as the dialogue says, else like one that fails. Never rejects.
 */
export async function runAsText(
  agent: Agent,
  tests: AgentTests,
  deps: TextRunDeps,
  { only, signal, told }: RunWish = {},
): Promise<readonly DialogueResult[]> {
  const opened = openTester(deps);
  const limit = timeoutSignal(deps.clock, TEXT_RUN_MS_MAX);
  const ends = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  const results: DialogueResult[] = [];
  try {
    await opened.prepare(agent);
    for (const dialogue of chosen(tests, only)) {
      opened.tools.answers = dialogue.tools;
      const result = await holdOne(agent, dialogue, opened.tester, ends);
      results.push(result);
      told?.(result, results.length - 1);
    }
    return results;
  } finally {
    limit.cancel();
    await opened.close();
  }
}

export interface OpenedTester {
  readonly tester: TextTester;
  readonly tools: TestTools;
  /** Compiles an agent in steps. Never rejects. */
  prepare(agent: Agent): Promise<void>;
  close(): Promise<void>;
}

/** Reply engines for nothing but tests. */
export function openTester({ clock: base, logger, choice, agents, settings, documents }: TextRunDeps): OpenedTester {
  const clock = new TestClock(base);
  const tools = new TestTools();
  const outcomes: TurnOutcome[] = [];
  const { firstResultMs, totalMs, ...limits } = choice.limits.reply;
  const patient = { ...limits, firstResultMs: firstResultMs * PATIENCE, totalMs: totalMs * PATIENCE };
  const replies = ReplySet.open(
    { ...choice, limits: { ...choice.limits, reply: patient } },
    {
      ...{ clock, logger, metrics: createMetrics(), fetcher: tools.fetcher },
      onTurn: (outcome) => outcomes.push(outcome),
      ...(agents && { agents }),
      ...(documents && { documents, documentsMs: DOCUMENTS_MS }),
    },
  );
  return {
    ...{ tools, tester: { engine: replies.engine, clock, settings, decided: () => outcomes.splice(0) } },
    prepare: (agent) => replies.prepare(agent),
    close: () => replies.close(),
  };
}

async function holdOne(
  agent: Agent,
  dialogue: TestDialogue,
  tester: TextTester,
  signal: AbortSignal,
): Promise<DialogueResult> {
  try {
    return await new TextDialogue(agent, dialogue, tester, signal).hold();
  } catch (error) {
    const { name, line } = dialogue; // an agent that no greeting can be had of
    return { name, line, outcome: 'failed', why: (error as Error).message, durationMs: 0, turns: [] };
  }
}
