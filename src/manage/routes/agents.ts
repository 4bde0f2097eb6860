import { Type } from '@sinclair/typebox';
import { withinTime } from '../../api/request-signal.ts';
import type { Agent, AgentDefinition } from '../../core/agent.ts';
import { sentence } from '../../core/notice.ts';
import { isDuplicate } from '../../store/database.ts';
import type { ManageDeps } from '../deps.ts';
import { DIFFERENCES_MAX, differences } from '../json-diff.ts';
import { ManageError } from '../manage-error.ts';
import {
  idParam,
  known,
  type ManageOperation,
  operation,
  requireMatch,
  tag as setTag,
  versionTag,
} from '../operation.ts';
import { afterNumber, limitOf, numberOf, PAGE_QUERY, page, pageOf, pageOfAll } from '../pages.ts';
import { wholeInQuery } from '../schema-names.ts';
import * as shapes from '../schemas/agents.ts';

const tag = 'Agents';
const TRY_MS_MAX = 30_000;
const DefinitionBody = Type.Object({ definition: shapes.Definition });
const tagOf = (agent: Agent): string => versionTag(agent.version, agent.updatedAt);
/** What the audit log keeps: the definitions themselves are kept as versions. */
const noted = ({ version, status, definition }: Agent) => ({ version, status, name: definition.name });

/** Agents, their versions, and what becomes of a change before it is saved. */
export function agentOperations({ store, agentDesk, testDesk, clock }: ManageDeps): ManageOperation[] {
  const agentOf = async (accountId: string, id: string): Promise<Agent> =>
    known(await store.agents.get(accountId, id), 'agent', id);
  const numbersOf = async (accountId: string, id: string): Promise<string[]> =>
    (await store.numbers.list(accountId)).filter(({ agentId }) => agentId === id).map(({ number }) => number);
  const writtenOf = async ({ accountId, id, version }: Agent): Promise<string | undefined> =>
    (await store.agents.version(accountId, id, version))?.yaml;
  const present = async (agent: Agent) => {
    const [numbers, yaml] = await Promise.all([numbersOf(agent.accountId, agent.id), writtenOf(agent)]);
    return shapes.presentAgent(agent, numbers, agentDesk.written(agent.definition, yaml));
  };
  const unlessTaken = async <T>(definition: AgentDefinition, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isDuplicate(error)) throw new ManageError('taken', `an agent ${definition.name}`);
      throw error;
    }
  };
  const params = idParam('agent');
  return [
    operation(
      {
        ...{
          id: 'listAgents',
          method: 'GET',
          path: '/agents',
          tag,
          scope: 'read',
          summary: 'List agents, latest changed first',
        },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(shapes.AgentHead) },
      },
      async ({ accountId, query }) => {
        const [all, numbers] = await Promise.all([store.agents.list(accountId), store.numbers.list(accountId)]);
        const of = (id: string): string[] =>
          numbers.filter(({ agentId }) => agentId === id).map(({ number }) => number);
        return pageOfAll(
          all,
          query,
          ({ id }) => id,
          (agent) => shapes.presentAgentHead(agent, of(agent.id)),
        );
      },
    ),
    operation(
      {
        ...{ id: 'createAgent', method: 'POST', path: '/agents', tag, scope: 'agents', status: 201, tagged: true },
        summary: 'Make an agent: a draft, unless it is to be live at once',
        body: shapes.SavedBody,
        answer: shapes.AgentShape,
        errors: ['invalid_definition', 'taken', 'full'],
      },
      async ({ accountId, body, reply, changed }) => {
        const { definition, yaml } = agentDesk.readWritten(body);
        if (await store.agents.areFull(accountId)) throw new ManageError('full', 'agents');
        const agent = await unlessTaken(definition, () =>
          store.agents.create(accountId, definition, body.live ? 'live' : 'draft', yaml),
        );
        changed({ kind: 'agent', id: agent.id, after: noted(agent) });
        setTag(reply, tagOf(agent));
        return present(agent);
      },
    ),
    operation(
      {
        ...{ id: 'listAgentTemplates', method: 'GET', path: '/agent-templates', tag, scope: 'read' },
        summary:
          'List what new agents are begun with: a small one in each language, and those that came with the gateway',
        answer: Type.Object({ items: Type.Array(shapes.TemplateShape) }),
      },
      async () => ({ items: agentDesk.templates.map(shapes.presentTemplate) }),
    ),
    operation(
      {
        ...{ id: 'getAgent', method: 'GET', path: '/agents/{id}', tag, scope: 'read', summary: 'Get an agent' },
        ...{ params, answer: shapes.AgentShape, tagged: true },
      },
      async ({ accountId, params: { id }, reply }) => {
        const agent = await agentOf(accountId, id);
        setTag(reply, tagOf(agent));
        return present(agent);
      },
    ),
    operation(
      {
        ...{ id: 'changeAgent', method: 'PUT', path: '/agents/{id}', tag, scope: 'agents', tagged: true, params },
        summary: 'Change an agent: its definition becomes a new version',
        description:
          'A draft stays a draft, unless it is to be `live`. A live agent speaks by the new version from the next call on.',
        body: shapes.SavedBody,
        answer: shapes.AgentShape,
        errors: ['invalid_definition', 'taken', 'tests_failed'],
      },
      async ({ accountId, params: { id }, body, request, reply, changed }) => {
        const before = await agentOf(accountId, id);
        requireMatch(request, tagOf(before));
        const { definition, yaml } = agentDesk.readWritten(body, await writtenOf(before));
        if (body.live || before.status === 'live') await testDesk.requirePassing({ ...before, definition });
        const expected = request.headers['if-match'] === undefined ? undefined : before.version;
        const after = await unlessTaken(definition, () =>
          store.agents.change(accountId, id, definition, { expected, live: body.live, yaml }),
        );
        if (after === 'stale') throw new ManageError('edited_meanwhile');
        const agent = known(after, 'agent', id);
        changed({ kind: 'agent', id, before: noted(before), after: noted(agent) });
        setTag(reply, tagOf(agent));
        return present(agent);
      },
    ),
    operation(
      {
        ...{
          id: 'publishAgent',
          method: 'POST',
          path: '/agents/{id}/publish',
          tag,
          scope: 'agents',
          tagged: true,
          params,
        },
        summary: 'Let an agent answer calls: a draft, or one that was paused',
        answer: shapes.AgentShape,
        errors: ['tests_failed'],
      },
      async ({ accountId, params: { id }, request, reply, changed }) => {
        const before = await agentOf(accountId, id);
        requireMatch(request, tagOf(before));
        await testDesk.requirePassing(before);
        const published =
          before.status === 'draft'
            ? store.agents.publish(accountId, id)
            : store.agents.setStatus(accountId, id, 'live');
        const agent = known(await published, 'agent', id);
        changed({ kind: 'agent', id, before: noted(before), after: noted(agent) });
        setTag(reply, tagOf(agent));
        return present(agent);
      },
    ),
    operation(
      {
        ...{ id: 'pauseAgent', method: 'POST', path: '/agents/{id}/pause', tag, scope: 'agents', tagged: true, params },
        summary: 'Have an agent take no more calls; those that it is in go on',
        answer: shapes.AgentShape,
        errors: ['not_possible'],
      },
      async ({ accountId, params: { id }, request, reply, changed }) => {
        const before = await agentOf(accountId, id);
        requireMatch(request, tagOf(before));
        if (before.status === 'draft') throw new ManageError('not_possible', sentence('refused.draft'));
        const agent = known(await store.agents.setStatus(accountId, id, 'paused'), 'agent', id);
        changed({ kind: 'agent', id, before: noted(before), after: noted(agent) });
        setTag(reply, tagOf(agent));
        return present(agent);
      },
    ),
    operation(
      {
        ...{ id: 'deleteAgent', method: 'DELETE', path: '/agents/{id}', tag, scope: 'agents', tagged: true, params },
        ...{ summary: 'Delete an agent', description: 'Calls keep their records; numbers that it had answer nobody.' },
      },
      async ({ accountId, params: { id }, request, changed }) => {
        const before = await agentOf(accountId, id);
        requireMatch(request, tagOf(before));
        known((await store.agents.remove(accountId, id)) || undefined, 'agent', id);
        changed({ kind: 'agent', id, before: noted(before) });
        return undefined;
      },
    ),
    operation(
      {
        ...{ id: 'listAgentVersions', method: 'GET', path: '/agents/{id}/versions', tag, scope: 'read', params },
        ...{ summary: 'List the versions of an agent, newest first', query: Type.Object(PAGE_QUERY) },
        answer: pageOf(shapes.VersionHead),
      },
      async ({ accountId, params: { id }, query }) => {
        await agentOf(accountId, id);
        const limit = limitOf(query);
        const before = afterNumber(query);
        const rows = await store.agents.versionList(accountId, id, {
          limit: limit + 1,
          ...(before !== undefined && { before }),
        });
        return page(
          rows,
          limit,
          ({ version }) => [version],
          ({ version, createdAt }) => ({ version, created_at: createdAt.toISOString() }),
        );
      },
    ),
    operation(
      {
        ...{ id: 'getAgentVersion', method: 'GET', path: '/agents/{id}/versions/{version}', tag, scope: 'read' },
        summary: 'Get a version of an agent',
        params: Type.Object({ id: Type.String({ maxLength: 300 }), version: Type.String({ pattern: '^[0-9]{1,9}$' }) }),
        answer: shapes.VersionShape,
      },
      async ({ accountId, params: { id, version } }) => {
        await agentOf(accountId, id);
        const found = known(await store.agents.version(accountId, id, Number(version)), 'version', version);
        const { createdAt, definition, yaml } = found;
        return {
          ...{ version: found.version, created_at: createdAt.toISOString(), definition },
          yaml: agentDesk.written(definition, yaml),
        };
      },
    ),
    operation(
      {
        ...{ id: 'compareAgentVersions', method: 'GET', path: '/agents/{id}/diff', tag, scope: 'read', params },
        summary: 'What differs between two versions of an agent',
        query: Type.Object({
          from: wholeInQuery(1, 999_999_999, 'A version; the one before `to` without it.'),
          to: wholeInQuery(1, 999_999_999, 'A version; the one in force without it.'),
        }),
        answer: Type.Object({
          from: Type.Integer(),
          to: Type.Integer(),
          differences: Type.Array(shapes.DifferenceShape),
          truncated: Type.Boolean({ description: `There are more than ${DIFFERENCES_MAX}.` }),
        }),
      },
      async ({ accountId, params: { id }, query }) => {
        const agent = await agentOf(accountId, id);
        const to = numberOf(query.to) ?? agent.version;
        const from = numberOf(query.from) ?? to - 1;
        const [before, after] = await Promise.all([from, to].map((one) => store.agents.version(accountId, id, one)));
        const all = differences(
          known(before, 'version', String(from)).definition,
          known(after, 'version', String(to)).definition,
        );
        return { from, to, differences: [...all], truncated: all.length >= DIFFERENCES_MAX };
      },
    ),
    operation(
      {
        ...{
          id: 'restoreAgentVersion',
          method: 'POST',
          path: '/agents/{id}/restore',
          tag,
          scope: 'agents',
          tagged: true,
          params,
        },
        summary: 'Put an older version in force again, as a new one, and let the agent answer calls',
        body: Type.Object({ version: Type.Integer({ minimum: 1 }) }),
        answer: shapes.AgentShape,
        errors: ['taken', 'tests_failed'],
      },
      async ({ accountId, params: { id }, body, request, reply, changed }) => {
        const before = await agentOf(accountId, id);
        requireMatch(request, tagOf(before));
        const old = known(await store.agents.version(accountId, id, body.version), 'version', String(body.version));
        await testDesk.requirePassing({ ...before, definition: old.definition });
        const restored = await unlessTaken(old.definition, () =>
          store.agents.publish(accountId, id, { version: body.version }),
        );
        const agent = known(restored, 'agent', id);
        changed({ kind: 'agent', id, before: noted(before), after: { ...noted(agent), restored: body.version } });
        setTag(reply, tagOf(agent));
        return present(agent);
      },
    ),
    operation(
      {
        ...{ id: 'checkAgent', method: 'POST', path: '/agent-checks', tag, scope: 'agents', asksOnly: true },
        summary: 'Check a definition: nothing is saved',
        description:
          'Its shape, its meaning, whether it can be made ready for calls, and what a voice may mispronounce.',
        body: DefinitionBody,
        answer: shapes.ReportShape,
      },
      async ({ body }) => {
        const { findings, pronunciation } = await agentDesk.check(body.definition);
        return {
          ok: findings.every(({ severity }) => severity !== 'error'),
          findings: findings.map(shapes.presentFinding),
          pronunciation: pronunciation
            ? {
                ...pronunciation,
                flagged: pronunciation.flagged.map(({ path, language, sentence, token, reason, hint }) => ({
                  ...{ path: [...path], language, sentence, token, reason, hint },
                })),
              }
            : null,
        };
      },
    ),
    operation(
      {
        ...{ id: 'tryAgent', method: 'POST', path: '/agents/{id}/try', tag, scope: 'agents', asksOnly: true, params },
        summary: 'What an agent answers to a text, and why; free of charge',
        description:
          'Drafts too. With `definition` the answer is by that one, which is not saved. Tools of the agent are really called.',
        body: shapes.TryBody,
        answer: shapes.TriedShape,
        errors: ['invalid_definition', 'reply_failed', 'timeout'],
      },
      async ({ accountId, params: { id }, body, request, reply }) => {
        const saved = await agentOf(accountId, id);
        const changedAgent = body.definition && {
          ...saved,
          id: 'agt_tried',
          definition: agentDesk.read(body.definition),
        };
        const agent = changedAgent ?? saved;
        const variables = { ...agent.definition.variables, ...body.variables };
        const input = body.text.trim() === '' ? 'silence' : (body.input ?? 'speech');
        const asked = { agent, text: body.text.trim(), input, mode: 'voice', confidence: 1 } as const;
        const turn = await withinTime(request, reply, clock, TRY_MS_MAX, (signal) =>
          agentDesk.try({ ...asked, history: body.history ?? [], variables }, signal),
        );
        const action = turn.events.find((event) => event.type === 'action')?.action ?? null;
        const { state, trace = [], meant = [] } = turn.why ?? {};
        const { pending, flow, slots = {} } = state ?? {};
        return {
          greeting: agentDesk.greeting(agent, variables),
          reply: turn.events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(' '),
          ...{ action, meant: [...meant], flow: flow ?? null },
          steps: trace.map(({ rule, why, acts }) => ({ rule, why, acts: [...acts] })),
          waits_for:
            pending === undefined ? 'open' : 'slot' in pending ? `${pending.kind} ${pending.slot}` : pending.kind,
          values: Object.fromEntries(Object.entries(slots).map(([name, { value }]) => [name, String(value)])),
          timings: { first_text_ms: turn.firstTextMs ?? null, total_ms: turn.totalMs },
          cost_cents: 0 as const,
        };
      },
    ),
  ];
}
