import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readSentences } from '../../src/config/agent-sentences.ts';
import type { Agent, AgentDefinition } from '../../src/core/agent.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { CompiledAgents } from '../../src/engines/reply/compiled-agent.ts';
import { LearntFiles } from '../../src/engines/reply/learnt-files.ts';
import type { LearntKeep } from '../../src/engines/reply/learnt-keep.ts';
import { LEARNT_FOLDER } from './learnt.ts';

/** What a shipped agent learns from is longer; what an agent of a test learns from is a tenth of it. */
const SHIPPED_CHARS_MIN = 50_000;
const files = new LearntFiles({ folder: LEARNT_FOLDER, clock: systemClock, logger: silentLogger });
/** Most agents of tests differ in what nothing is learnt from: each would learn the same for a tenth of a second. */
const ofTests = new Map<string, unknown>();
const OF_TESTS_MAX = 64;
/** What the shipped agents learnt, by the same build: a second of processor each, in each of a dozen processes of a run. */
export const learntBefore: LearntKeep = {
  find: (from) => (from.length < SHIPPED_CHARS_MIN ? ofTests.get(from) : files.find(from)),
  keep: (from, learnt) => {
    if (from.length >= SHIPPED_CHARS_MIN) return files.keep(from, learnt);
    if (ofTests.size >= OF_TESTS_MAX) ofTests.clear();
    ofTests.set(from, learnt);
  },
};
/** For engines whose compiling is not what is tested. */
export const compiledAgents = new CompiledAgents(learntBefore);

/** An agent file of `config/agents/` as the engine sees it. */
export function agentFromConfig(file: ShippedAgent): Agent {
  const read = definitions.get(file) ?? definitionFrom(file);
  definitions.set(file, read);
  return agentOf(structuredClone(read));
}

/**
 * The same without the sentences of callers, for what rests on the dialogue and not on how well wishes are told apart: it is made
 * ready in half the time, and a guess costs a third.
 */
export function plainAgent(file: ShippedAgent): Agent {
  const { definition } = agentFromConfig(file);
  const { sentences: _, ...plain } = definition;
  return agentOf(plain);
}

type ShippedAgent = 'clinic-ar' | 'delivery-en';
/** The files are long, and many tests begin with one. */
const definitions = new Map<ShippedAgent, AgentDefinition>();

function definitionFrom(file: ShippedAgent): AgentDefinition {
  const textOf = (name: string): string =>
    readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8');
  const { number: _, sentencesFile, ...definition } = parse(textOf(`${file}.yaml`)) as WrittenAgent;
  const sentences = readSentences(textOf(sentencesFile), (line, message) => {
    throw new Error(`${sentencesFile}:${line} ${message}`);
  });
  return { ...definition, sentences };
}
type WrittenAgent = AgentDefinition & { readonly number: string; readonly sentencesFile: string };

export function agentOf(definition: AgentDefinition): Agent {
  return { id: 'agt_test', accountId: 'acc_test', version: 1, status: 'live', definition, updatedAt: new Date(0) };
}

/** The same agent with records that are everybody's, for dialogues about something else than whose they are. */
export function openRecords({ definition, ...agent }: Agent): Agent {
  const { belongsTo: _, ...open } = definition;
  return { ...agent, definition: open };
}

/** The same agent without opening days, hours and owners, for dialogues about something else: the test's day is a Thursday. */
export function unruled(agent: Agent): Agent {
  const { definition, ...rest } = openRecords(agent);
  const flows = (definition.flows ?? []).map((flow) => ({
    ...flow,
    slots: flow.slots.map(({ constraints: _, ...slot }) => slot),
  }));
  return { ...rest, definition: { ...definition, flows } };
}
