import { Type } from '@sinclair/typebox';
import { doneText } from '../../agent-tests/text-dialogue.ts';
import type { Agent } from '../../core/agent.ts';
import { sentence } from '../../core/notice.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation, requireMatch, tag as setTag } from '../operation.ts';
import { afterMoment, limitOf, PAGE_QUERY, page, pageOf } from '../pages.ts';
import * as shapes from '../schemas/agent-tests.ts';

const tag = 'Agents';

/** Dialogues that an agent must hold, and what comes of holding them. */
export function agentTestOperations({ store, agentDesk, testDesk, clock }: ManageDeps): ManageOperation[] {
  const { agentTests: rows } = store;
  const params = idParam('agent');
  const agentOf = async (accountId: string, id: string): Promise<Agent> =>
    known(await store.agents.get(accountId, id), 'agent', id);
  const present = async (agent: Agent) => {
    const row = await rows.get(agent.accountId, agent.id);
    const { tests, problems } = testDesk.check(row?.yaml ?? '', agent.definition);
    return {
      row,
      shown: {
        ...{ yaml: row?.yaml ?? '', dialogues: shapes.presentDialogues(tests, doneText) },
        ...{ problems: shapes.presentProblems(problems), required: row?.required ?? false },
        updated_at: row?.updatedAt.toISOString() ?? null,
      },
    };
  };
  return [
    operation(
      {
        ...{ id: 'getAgentTests', method: 'GET', path: '/agents/{id}/tests', tag, scope: 'read', params, tagged: true },
        ...{ summary: 'Get the dialogues that an agent must hold', answer: shapes.TestsShape },
      },
      async ({ accountId, params: { id }, reply }) => {
        const { row, shown } = await present(await agentOf(accountId, id));
        setTag(reply, shapes.testsTag(row));
        return shown;
      },
    ),
    operation(
      {
        ...{
          id: 'putAgentTests',
          method: 'PUT',
          path: '/agents/{id}/tests',
          tag,
          scope: 'agents',
          params,
          tagged: true,
        },
        summary: 'Set the dialogues that an agent must hold, and whether publishing needs them to pass',
        description: 'What is left out stays as it is. They are kept with the agent, and are no part of its versions.',
        ...{ body: shapes.TestsBody, answer: shapes.TestsShape, errors: ['invalid_tests'] },
      },
      async ({ accountId, params: { id }, body, request, reply, changed }) => {
        const agent = await agentOf(accountId, id);
        const before = await rows.get(accountId, id);
        requireMatch(request, shapes.testsTag(before));
        if (body.yaml !== undefined) testDesk.read(body.yaml, agent.definition);
        const expected = request.headers['if-match'] === undefined ? undefined : (before?.revision ?? 0);
        const after = await rows.put(accountId, id, body, expected);
        if (after === 'stale') throw new ManageError('edited_meanwhile');
        const noted = ({ required, revision, yaml }: typeof after) => ({ required, revision, characters: yaml.length });
        changed({ kind: 'agent_tests', id, before: before && noted(before), after: noted(after) });
        setTag(reply, shapes.testsTag(after));
        return (await present(agent)).shown;
      },
    ),
    operation(
      {
        ...{ id: 'checkAgentTests', method: 'POST', path: '/agents/{id}/tests/check', tag, scope: 'agents', params },
        ...{ asksOnly: true, summary: 'Check dialogues: nothing is saved or run' },
        ...{ body: shapes.CheckBody, answer: shapes.CheckShape, errors: ['invalid_definition'] },
      },
      async ({ accountId, params: { id }, body }) => {
        const agent = await agentOf(accountId, id);
        const definition = body.definition ? agentDesk.read(body.definition) : agent.definition;
        const { tests, problems } = testDesk.check(body.yaml, definition);
        const dialogues = shapes.presentDialogues(tests, doneText);
        return { ok: problems.length === 0, problems: shapes.presentProblems(problems), dialogues };
      },
    ),
    operation(
      {
        ...{ id: 'runAgentTests', method: 'POST', path: '/agents/{id}/tests/run', tag, scope: 'agents', params },
        ...{ asksOnly: true, summary: 'Hold the dialogues of an agent with it' },
        description:
          'As text it is answered when it is over, after a few seconds at the latest; by voice at once. Where `state` is `running` it goes ' +
          'on: ask for the run again. With `definition` or `yaml` those are tested, and not saved. Texts cost nothing and call no HTTP tools.',
        ...{ body: shapes.RunBody, answer: shapes.RunShape },
        errors: ['invalid_definition', 'invalid_tests', 'not_possible'],
      },
      async ({ accountId, params: { id }, body }) => {
        const saved = await agentOf(accountId, id);
        const { mode = 'text', only } = body;
        if (mode === 'voice' && (body.definition || saved.status !== 'live')) {
          throw new ManageError('not_possible', sentence('refused.only-live-by-voice'));
        }
        const definition = body.definition ? agentDesk.read(body.definition) : saved.definition;
        const yaml = body.yaml ?? (await rows.get(accountId, id))?.yaml ?? '';
        const tests = testDesk.read(yaml, definition);
        const wish = { mode, yaml, tests, ...(only && { only }), trigger: 'asked' as const };
        const run = await testDesk.run({ ...saved, definition }, { ...wish, unsaved: body.definition !== undefined });
        return shapes.presentRun(run, clock.utc());
      },
    ),
    operation(
      {
        ...{ id: 'listAgentTestRuns', method: 'GET', path: '/agents/{id}/test-runs', tag, scope: 'read', params },
        ...{ summary: 'List the runs of the tests of an agent, newest first: the last 50' },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(shapes.RunHead) },
      },
      async ({ accountId, params: { id }, query }) => {
        await agentOf(accountId, id);
        const limit = limitOf(query);
        const before = afterMoment(query);
        const found = await rows.runs(accountId, id, { limit: limit + 1, ...(before && { before }) });
        const now = clock.utc();
        return page(
          found,
          limit,
          (row) => [row.startedAt.toISOString(), row.id],
          (row) => shapes.presentRunHead(row, now),
        );
      },
    ),
    operation(
      {
        ...{ id: 'getAgentTestRun', method: 'GET', path: '/agents/{id}/test-runs/{run}', tag, scope: 'read' },
        summary: 'Get a run: every dialogue, and every turn up to the first that differs',
        params: Type.Object({ id: Type.String({ maxLength: 300 }), run: Type.String({ maxLength: 100 }) }),
        answer: shapes.RunShape,
      },
      async ({ accountId, params: { id, run } }) => {
        await agentOf(accountId, id);
        return shapes.presentRun(known(await rows.run(accountId, id, run), 'run', run), clock.utc());
      },
    ),
  ];
}
