import type { Static } from '@sinclair/typebox';
import { newText } from '../../config/agent-text/agent-text.ts';
import type { AgentDefinition } from '../../core/agent.ts';
import type { DialogueResult } from '../../core/agent-tests.ts';
import { delay, systemClock } from '../../core/clock.ts';
import { OperatorError } from '../../core/errors.ts';
import type { RunShape } from '../../manage/schemas/agent-tests.ts';
import type { AgentHead, AgentShape } from '../../manage/schemas/agents.ts';
import type { AgentsDesk, AgentToImport, AgentView, ImportedAgent, TestsToHold } from '../desk/desk.ts';
import { ifKnown, type ManageClient, part, type Refusal, unless } from './manage-client.ts';
import type { Reach } from './reach.ts';

type Head = Static<typeof AgentHead>;
type Run = Static<typeof RunShape>;

const gone = (name: string): OperatorError => new OperatorError(`Agent ${name} was removed meanwhile`);
const POLL_MS = 1_000;
/** The gateway itself gives up before: dialogues by telephone are held one after the other. */
const RUN_MS_MAX = 4 * 3_600_000;

export function farAgents(client: ManageClient): AgentsDesk {
  const list = async (accountId: string): Promise<AgentView[]> =>
    (await client.all<Head>({ path: '/agents', accountId })).map(viewOf);
  return {
    list,
    publish: async ({ id: accountId }, { id, name: wanted }) => {
      const asked = client.ask<Head>({ method: 'POST', path: `/agents/${id}/publish`, accountId });
      const agent = await ifKnown(unless('tests_failed', asked, failedOf(wanted)));
      if (!agent) throw gone(wanted);
      return { id, name: agent.name, version: agent.version, status: agent.status };
    },
    written: async (accountId, { id, name }) => {
      const agent = await ifKnown(client.ask<Static<typeof AgentShape>>({ path: `/agents/${id}`, accountId }));
      if (!agent) throw gone(name);
      return { version: agent.version, yaml: agent.yaml ?? newText(agent.definition) };
    },
    setNumberEnabled: async (accountId, number, enabled) => {
      const path = `/numbers/${part(number)}/enabled`;
      return (await ifKnown(client.ask<object>({ method: 'PUT', path, accountId, body: { enabled } }))) !== undefined;
    },
    numbersElsewhere: async (accountId, numbers) => {
      const taken: string[] = [];
      for (const number of [...numbers].sort()) {
        const asked = ifKnown(client.ask<object>({ path: `/numbers/${part(number)}`, accountId }));
        if ((await unless('taken', asked, () => 'taken' as const)) === 'taken') taken.push(number);
      }
      return taken;
    },
    import: async (accountId, agent) => {
      const known = (await list(accountId)).find(({ name }) => name === agent.definition.name);
      return importInto(client, accountId, known, agent);
    },
  };
}

const viewOf = ({ id, name, language, voice, model, status, version, numbers, updated_at }: Head): AgentView => ({
  ...{ id, name, language, voice, model, status, version, numbers, updated_at },
});
const failedOf =
  (name: string) =>
  (refusal: Refusal): never => {
    throw new OperatorError(`${name}: ${refusal.message}`, { cause: refusal });
  };

async function importInto(
  client: ManageClient,
  accountId: string,
  known: AgentView | undefined,
  { definition, text: yaml, number, tests, take }: AgentToImport,
): Promise<ImportedAgent | 'number-taken'> {
  const { name } = definition;
  const put = async (path: string, body: object) => client.ask<Head>({ method: 'PUT', path, accountId, body });
  const putTests = async (id: string): Promise<void> => {
    if (tests !== undefined) await put(`/agents/${id}/tests`, { yaml: tests });
  };
  const body = { ...(yaml === undefined ? { definition } : { yaml }), live: true };
  if (known) await putTests(known.id);
  const saved = known
    ? put(`/agents/${known.id}`, body)
    : client.ask<Head>({ method: 'POST', path: '/agents', accountId, body });
  const agent = await unless('tests_failed', saved, failedOf(name));
  if (!known) await putTests(agent.id);
  const wish = { agent_id: agent.id, ...(take && { take }) };
  const assigned = put(`/numbers/${part(number)}`, wish);
  if ((await unless('taken', assigned, () => 'taken' as const)) === 'taken') return 'number-taken';
  return { id: agent.id, name, version: agent.version, number };
}

/**
 * Holds dialogues at the gateway: as text with the agent of the file, which is not saved; by telephone with the version that is live.
 *
 * @throws OperatorError where the gateway has no such agent, or the run breaks off.
 */
export async function holdFromAfar(client: ManageClient, reach: Reach, held: TestsToHold): Promise<DialogueResult[]> {
  const { definition, yaml, voice, only } = held;
  const found = await reach.each(undefined, async (accountId) =>
    (await client.all<Head>({ path: '/agents', accountId }))
      .filter(({ name }) => name === definition.name)
      .map(({ id }) => ({ id, accountId })),
  );
  const agent = found[0];
  if (!agent)
    throw new OperatorError(`The gateway has no agent ${definition.name}: \`agents import\` brings it there.`);
  const { id, accountId } = agent;
  const sent: { yaml: string; mode: string; only?: readonly string[]; definition?: AgentDefinition } = {
    ...{ yaml, mode: voice ? 'voice' : 'text' },
    ...(only && { only }),
    ...(!voice && { definition }),
  };
  const startMs = systemClock.nowMs();
  let run = await client.ask<Run>({ method: 'POST', path: `/agents/${id}/tests/run`, accountId, body: sent });
  while (run.state === 'running') {
    if (systemClock.nowMs() - startMs > RUN_MS_MAX) throw new OperatorError(`Run ${run.id} does not end.`);
    await delay(systemClock, POLL_MS);
    run = await client.ask<Run>({ path: `/agents/${id}/test-runs/${run.id}`, accountId });
  }
  if (run.state === 'broken' && run.skipped < run.dialogues.length)
    throw new OperatorError(run.why ?? 'The run broke off.');
  return run.dialogues.map(resultOf);
}

function resultOf({ name, line, outcome, why, duration_ms, turns }: Run['dialogues'][number]): DialogueResult {
  return {
    ...{ name, line, outcome, ...(why !== null && { why }), durationMs: duration_ms },
    turns: turns.map(({ caller, intent, expected, ms, heard, ...turn }) => ({
      ...{ ...turn, did: caller, intents: intent },
      ...(expected && { expected: { line: turn.line, ...expectationOf(expected) } }),
      ...(ms !== null && { ms }),
      ...(heard !== null && { heard }),
    })),
  };
}

type Expected = NonNullable<Run['dialogues'][number]['turns'][number]['expected']>;

const expectationOf = ({ contains, not_contains, matches, intent, slot, action, within_ms }: Expected) => ({
  ...{ contains, notContains: not_contains, matches, slots: slot },
  ...(intent !== null && { intent }),
  ...(action !== null && { action }),
  ...(within_ms !== null && { withinMs: within_ms }),
});
