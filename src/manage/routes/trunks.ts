import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { Type } from '@sinclair/typebox';
import { TrunkFileSchema } from '../../config/trunk-schema.ts';
import { parseTrunk, type TrunkFile } from '../../config/trunks.ts';
import { OperatorError, ServiceError } from '../../core/errors.ts';
import type { Trunk } from '../../core/trunk.ts';
import type { TrunkStatus } from '../../core/trunk-status.ts';
import { explainCall, sourceText } from '../../trunks/explain-call.ts';
import { storeTrunk } from '../../trunks/import-trunks.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation, requireMatch, tag as setTag } from '../operation.ts';
import { PAGE_QUERY, pageOf, pageOfAll } from '../pages.ts';
import { named, oneOf, orNull } from '../schema-names.ts';
import type { Who } from '../who.ts';

const tag = 'Trunks and phones';
const Text = Type.String();
const Definition = named('TrunkDefinition', Type.Unsafe<object>({ type: 'object' }), TrunkFileSchema);
const Password = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Kept sealed, and never shown.' }),
);
const TrunkBody = Type.Object({
  definition: Definition,
  password: Password,
  inbound_password: Password,
});
const TrunkShape = named(
  'Trunk',
  Type.Object({
    id: Text,
    name: Text,
    owner: oneOf(['account', 'operator'] as const, 'All accounts call by a trunk of the operator.'),
    definition: orNull(
      Type.Unsafe<object>({ type: 'object', description: 'Null of the trunks of operators to others.' }),
    ),
    status: Type.Array(Type.Unsafe<TrunkStatus>({ type: 'object' }), {
      description: 'As each running gateway sees it.',
    }),
  }),
);
const tagOf = ({ definition }: Trunk): string =>
  `"${createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 16)}"`;
const maySee = (who: Who, { accountId }: Trunk): boolean => accountId !== undefined || who.scopes.includes('operator');

/** Carriers and exchanges, and what becomes of a call that comes in. */
export function trunkOperations({ store, sip, clock, refreshTrunks }: ManageDeps): ManageOperation[] {
  const params = idParam('trunk');
  const trunkOf = async (accountId: string, id: string): Promise<Trunk> =>
    known(
      (await store.trunks.listFor(accountId)).find((trunk) => trunk.id === id),
      'trunk',
      id,
    );
  const present = (who: Who, trunk: Trunk, states: ReadonlyMap<string, readonly TrunkStatus[]>) => ({
    ...({
      id: trunk.id,
      name: trunk.definition.name,
      owner: trunk.accountId === undefined ? 'operator' : 'account',
    } as const),
    ...{ definition: maySee(who, trunk) ? trunk.definition : null, status: [...(states.get(trunk.id) ?? [])] },
  });
  const noted = ({ definition }: Trunk) => definition;
  const put = async (
    file: TrunkFile,
    accountId: string | undefined,
    body: { password?: string; inbound_password?: string },
  ) => {
    try {
      const secrets = { password: body.password, inboundPassword: body.inbound_password };
      return await storeTrunk(store, { ...file, ...secrets, account: accountId }, sip.realm);
    } catch (error) {
      if (error instanceof OperatorError) throw new ManageError('not_possible', error.message.replace(/\.$/, ''));
      throw error;
    } finally {
      await refreshTrunks();
    }
  };
  return [
    operation(
      {
        ...{ id: 'listTrunks', method: 'GET', path: '/trunks', tag, scope: 'read', query: Type.Object(PAGE_QUERY) },
        ...{ summary: 'List the trunks that the account may call by, with their state', answer: pageOf(TrunkShape) },
      },
      async ({ who, accountId, query }) => {
        const [trunks, states] = await Promise.all([store.trunks.listFor(accountId), store.trunkStates.list()]);
        return pageOfAll(
          trunks,
          query,
          ({ id }) => id,
          (trunk) => present(who, trunk, states),
        );
      },
    ),
    operation(
      {
        ...{
          id: 'createTrunk',
          method: 'POST',
          path: '/trunks',
          tag,
          scope: 'operator',
          status: 201,
          showsSecret: true,
        },
        summary: 'Make a trunk of the account',
        description: 'As a file of `config/trunks/` has it, but for its passwords, which stand beside it.',
        ...{ body: TrunkBody, answer: TrunkShape, errors: ['invalid_definition', 'taken', 'not_possible'] },
      },
      async ({ who, accountId, body, changed }) => {
        const file = readTrunk(body.definition);
        if (await store.trunks.get(file.definition.name, accountId))
          throw new ManageError('taken', `a trunk ${file.definition.name}`);
        const trunk = await put(file, accountId, body);
        changed({ kind: 'trunk', id: trunk.id, after: noted(trunk) });
        return present(who, trunk, new Map());
      },
    ),
    operation(
      {
        ...{
          id: 'getTrunk',
          method: 'GET',
          path: '/trunks/{id}',
          tag,
          scope: 'read',
          params,
          answer: TrunkShape,
          tagged: true,
        },
        summary: 'Get a trunk, with its state',
      },
      async ({ who, accountId, params: { id }, reply }) => {
        const trunk = await trunkOf(accountId, id);
        setTag(reply, tagOf(trunk));
        return present(who, trunk, await store.trunkStates.list());
      },
    ),
    operation(
      {
        ...{ id: 'changeTrunk', method: 'PUT', path: '/trunks/{id}', tag, scope: 'operator', params, tagged: true },
        summary: 'Give a trunk another definition; passwords that are not given stay',
        ...{ body: TrunkBody, answer: TrunkShape, errors: ['invalid_definition', 'not_possible'] },
      },
      async ({ who, accountId, params: { id }, body, request, reply, changed }) => {
        const before = await trunkOf(accountId, id);
        requireMatch(request, tagOf(before));
        const file = readTrunk(body.definition);
        if (file.definition.name !== before.definition.name)
          throw new ManageError('not_possible', 'a trunk keeps its name');
        const trunk = await put(file, before.accountId, body);
        changed({ kind: 'trunk', id, before: noted(before), after: noted(trunk) });
        setTag(reply, tagOf(trunk));
        return present(who, trunk, await store.trunkStates.list());
      },
    ),
    operation(
      {
        ...{ id: 'deleteTrunk', method: 'DELETE', path: '/trunks/{id}', tag, scope: 'operator', params, tagged: true },
        summary: 'Delete a trunk: its calls in are refused, and none go out by it',
      },
      async ({ accountId, params: { id }, request, changed }) => {
        const before = await trunkOf(accountId, id);
        requireMatch(request, tagOf(before));
        await store.trunks.remove(id);
        await refreshTrunks();
        changed({ kind: 'trunk', id, before: noted(before) });
        return undefined;
      },
    ),
    operation(
      {
        ...{ id: 'explainCall', method: 'GET', path: '/routing/in', tag, scope: 'operator' },
        summary: 'What happens when a number is called from an address, and what would let the call in',
        description: 'By the rules as they are stored; where phones are registered does not count.',
        query: Type.Object({
          number: Type.String({ minLength: 1, maxLength: 100 }),
          address: Type.String({ maxLength: 64, description: 'IPv4 or IPv6, that the call comes from.' }),
          caller: Type.Optional(Type.String({ maxLength: 100, description: 'The calling number.' })),
          digest: Type.Optional(
            Type.String({ maxLength: 100, description: 'The user whose password the call proves.' }),
          ),
        }),
        answer: Type.Object({
          taken: Type.Boolean(),
          sender: oneOf(
            ['admitted', 'challenge', 'refused'] as const,
            'challenge: nobody known, who may prove who it is.',
          ),
          source: orNull(Text),
          ...{ called: Text, caller: Text, agent_id: orNull(Text), agent: orNull(Text), account_id: orNull(Text) },
          ...{ reason: orNull(Text), detail: Text, remedy: Text },
        }),
      },
      async ({ query }) => {
        const { number, address, caller = '', digest } = query;
        if (isIP(address) === 0) throw new ServiceError('invalid_request', 'address is no IP address');
        const call = { number, address, caller, ...(digest !== undefined && { digest }) };
        const { sender, seen, agent, end, remedy = '' } = await explainCall(store, sip, clock, call);
        return {
          ...{ taken: end === undefined, sender, source: sender === 'admitted' ? sourceText(seen.source) : null },
          ...{
            called: seen.called,
            caller: seen.from,
            agent_id: agent?.id ?? null,
            agent: agent?.definition.name ?? null,
          },
          ...{ account_id: agent?.accountId ?? null, reason: end?.reason ?? null, detail: end?.detail ?? '', remedy },
        };
      },
    ),
  ];
}

/** @throws ManageError `invalid_definition` with the first problem. */
function readTrunk(definition: object): TrunkFile {
  try {
    return parseTrunk(JSON.stringify(definition), 'definition', {});
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const [, first = '', ...more] = error.message.split('\n');
    const others = more.length > 0 ? ` (and ${more.length} more)` : '';
    throw new ManageError('invalid_definition', `${first.trim().replace(/^definition:\d+ /, '')}${others}`);
  }
}
