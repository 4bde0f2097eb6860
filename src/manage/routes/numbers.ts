import { Type } from '@sinclair/typebox';
import { sentence } from '../../core/notice.ts';
import type { NumberEntry } from '../../store/numbers.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { known, type ManageOperation, operation, requireScope } from '../operation.ts';
import { PAGE_QUERY, pageOf, pageOfAll } from '../pages.ts';
import { named } from '../schema-names.ts';

const tag = 'Numbers';
const NumberText = Type.String({
  ...{ pattern: '^[A-Za-z0-9+*#._-]{1,64}$', description: 'As it is dialled: `1000`, `+966112345678`, `sales`.' },
});
const params = Type.Object({ number: NumberText });
const ELSEWHERE = sentence('refused.that-number');
export const NumberShape = named(
  'Number',
  Type.Object({ number: Type.String(), agent_id: Type.String(), agent_name: Type.String(), enabled: Type.Boolean() }),
);
const present = ({ number, agentId, agentName, enabled }: NumberEntry) => ({
  ...{ number, agent_id: agentId, agent_name: agentName, enabled },
});

/** Which agent answers which number. */
export function numberOperations({ store }: ManageDeps): ManageOperation[] {
  const find = async (accountId: string, number: string): Promise<NumberEntry | undefined> =>
    (await store.numbers.list(accountId)).find((one) => one.number === number);
  return [
    operation(
      {
        ...{ id: 'listNumbers', method: 'GET', path: '/numbers', tag, scope: 'read', summary: 'List numbers' },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(NumberShape) },
      },
      async ({ accountId, query }) =>
        pageOfAll(await store.numbers.list(accountId), query, ({ number }) => number, present),
    ),
    operation(
      {
        ...{ id: 'getNumber', method: 'GET', path: '/numbers/{number}', tag, scope: 'read', params },
        summary: 'Get a number: which agent answers it',
        description: 'Numbers are of the whole gateway: one that another account has is told apart from a free one.',
        ...{ answer: NumberShape, errors: ['taken'] },
      },
      async ({ accountId, params: { number } }) => {
        const found = await find(accountId, number);
        const others = found ? [] : await store.numbers.takenByOthers(accountId, [number]);
        if (others.length > 0) throw new ManageError('taken', ELSEWHERE);
        return present(known(found, 'number', number));
      },
    ),
    operation(
      {
        ...{ id: 'assignNumber', method: 'PUT', path: '/numbers/{number}', tag, scope: 'agents', params },
        summary: 'Have an agent answer a number: one that is free, or of the account',
        description: 'Numbers are of the whole gateway: one that another account has is told apart from a free one.',
        body: Type.Object({
          agent_id: Type.String({ minLength: 1, maxLength: 100 }),
          take: Type.Optional(Type.Boolean({ description: 'For operators: also from the account that has it.' })),
        }),
        answer: NumberShape,
        errors: ['taken'],
      },
      async ({ who, accountId, params: { number }, body, changed }) => {
        const { take = false } = body;
        if (take) requireScope(who, 'operator');
        const before = await find(accountId, number);
        const outcome = await store.numbers.assign(number, accountId, body.agent_id, { take });
        if (outcome === 'no-agent') throw new ManageError('unknown_resource', `agent ${body.agent_id}`);
        if (outcome === 'taken') throw new ManageError('taken', ELSEWHERE);
        const after = known(await find(accountId, number), 'number', number);
        changed({ kind: 'number', id: number, before: before && present(before), after: present(after) });
        return present(after);
      },
    ),
    operation(
      {
        ...{ id: 'switchNumber', method: 'PUT', path: '/numbers/{number}/enabled', tag, scope: 'agents', params },
        summary: 'Switch a number off, or on again',
        description:
          'One that is off keeps its agent; calls to it are refused, and none are placed from it. Calls that go on are not touched.',
        ...{ body: Type.Object({ enabled: Type.Boolean() }), answer: NumberShape },
      },
      async ({ accountId, params: { number }, body: { enabled }, changed }) => {
        const before = known(await find(accountId, number), 'number', number);
        await store.numbers.setEnabled(number, accountId, enabled);
        changed({ kind: 'number', id: number, before: { enabled: before.enabled }, after: { enabled } });
        return present({ ...before, enabled });
      },
    ),
    operation(
      {
        ...{ id: 'removeNumber', method: 'DELETE', path: '/numbers/{number}', tag, scope: 'agents', params },
        summary: 'Have nobody answer a number',
      },
      async ({ accountId, params: { number }, changed }) => {
        const before = await find(accountId, number);
        known((await store.numbers.remove(number, accountId)) || undefined, 'number', number);
        changed({ kind: 'number', id: number, before: before && present(before) });
        return undefined;
      },
    ),
  ];
}
