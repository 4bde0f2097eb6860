import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { TokenBuckets } from '../../api/token-bucket.ts';
import { TrunkFileSchema } from '../../config/trunk-schema.ts';
import { readTrunkDefinition, type TrunkFile } from '../../config/trunks.ts';
import { OperatorError } from '../../core/errors.ts';
import { sentence, textOf } from '../../core/notice.ts';
import { isOn, type Trunk, type TrunkHost } from '../../core/trunk.ts';
import type { TrunkStatus } from '../../core/trunk-status.ts';
import { storeTrunk } from '../../trunks/import-trunks.ts';
import { hopOf } from '../../trunks/trunk-router.ts';
import type { ManageDeps } from '../deps.ts';
import { invalidDefinition, ManageError } from '../manage-error.ts';
import {
  idParam,
  known,
  type ManageOperation,
  operation,
  requireMatch,
  requireScope,
  tag as setTag,
} from '../operation.ts';
import { OWN_TRUNKS_MAX, ownTrunkProblem } from '../own-trunk.ts';
import { PAGE_QUERY, pageOf, pageOfAll } from '../pages.ts';
import { requireAllowance } from '../rates.ts';
import { NoticeShape, named, oneOf, orNull } from '../schema-names.ts';
import type { Who } from '../who.ts';

const tag = 'Trunks and phones';
const Text = Type.String();
const Definition = named('TrunkDefinition', Type.Unsafe<object>({ type: 'object' }), TrunkFileSchema);
const Password = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Kept sealed, and never shown.' }),
);
const Owner = oneOf(['account', 'operator'] as const, 'All accounts call by a trunk of the operator.');
const BODY = { definition: Definition, password: Password, inbound_password: Password };
const TrunkBody = Type.Object(BODY);
const TRUNK = {
  id: Text,
  name: Text,
  enabled: Type.Boolean({ description: 'One that is not takes no calls, sends none, and is not registered.' }),
  owner: Owner,
  definition: orNull(
    Type.Unsafe<object>({ type: 'object', description: 'Null of the trunks of operators to others.' }),
  ),
  status: Type.Array(Type.Unsafe<TrunkStatus>({ type: 'object' }), {
    description: 'As each running gateway sees it.',
  }),
};
export const TrunkShape = named('Trunk', Type.Object(TRUNK));
export const WholeTrunk = Type.Object({
  ...TRUNK,
  has_password: orNull(Type.Boolean({ description: 'For calls out; null of the trunks of operators to others.' })),
});
const OWN_RULES =
  'Without the scope `operator`: public addresses, networks of nobody else, and the limits of a trunk by default.';
const TAKEN = sentence('refused.trunk-taken');
/** Of one account; each asks every host of a trunk. */
const PINGS = { perMinute: 20, burst: 5 } as const;
const PINGED_MAX = 8;
/** A trunk of the operator is not an account's to change. @throws ManageError `missing_scope`. */
function requireOwn(who: Who, trunk: Trunk, accountId: string): void {
  if (trunk.accountId !== accountId) requireScope(who, 'operator');
}
const tagOf = ({ definition }: Trunk): string =>
  `"${createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 16)}"`;
const maySee = (who: Who, { accountId }: Trunk): boolean => accountId !== undefined || who.scopes.includes('operator');

/** Carriers and exchanges. */
export function trunkOperations({ store, sip, clock, refreshTrunks, askHost }: ManageDeps): ManageOperation[] {
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
      enabled: isOn(trunk),
      owner: trunk.accountId === undefined ? 'operator' : 'account',
    } as const),
    ...{ definition: maySee(who, trunk) ? trunk.definition : null, status: [...(states.get(trunk.id) ?? [])] },
  });
  const whole = async (who: Who, trunk: Trunk) => ({
    ...present(who, trunk, await store.trunkStates.list()),
    // Sealed with a key that is gone, it can be used no more than none.
    has_password: maySee(who, trunk)
      ? await store.trunks.secretsOf(trunk.id).then(
          ({ password }) => password !== undefined,
          () => false,
        )
      : null,
  });
  const noted = ({ definition }: Trunk) => definition;
  /** What only operators may: everything of all accounts' trunks, and of their own account what lies inside the network. */
  const requireAllowed = async (who: Who, { definition }: TrunkFile, accountId: string): Promise<void> => {
    if (who.scopes.includes('operator')) return;
    const all = await store.trunks.list();
    const isSame = (one: Trunk): boolean => one.accountId === accountId && one.definition.name === definition.name;
    const own = all.filter((one) => one.accountId === accountId);
    if (!own.some(isSame) && own.length >= OWN_TRUNKS_MAX) throw new ManageError('full', 'trunks');
    const problem = ownTrunkProblem(
      definition,
      all.filter((one) => !isSame(one)),
    );
    if (problem !== undefined) throw new ManageError('not_possible', problem);
  };
  const pings = new TokenBuckets(PINGS);
  const ping = async (trunk: Trunk, host: TrunkHost) => {
    const startedMs = clock.nowMs();
    const answer = await askHost(hopOf(trunk, host));
    const ms = Math.round((clock.nowMs() - startedMs) * 10) / 10;
    if ('failed' in answer) {
      const why = { reason: textOf(answer.failed), reason_notice: answer.failed };
      return { uri: host.uri, ok: false, status: null, ...why, answer_ms: null };
    }
    const { status, reason } = answer;
    return { uri: host.uri, ok: true, status, reason, reason_notice: null, answer_ms: ms };
  };
  const put = async (
    who: Who,
    file: TrunkFile,
    accountId: string | undefined,
    body: { password?: string; inbound_password?: string },
  ) => {
    const byOperator = who.scopes.includes('operator'); // who may read of other accounts' trunks, too
    try {
      const secrets = { password: body.password, inboundPassword: body.inbound_password };
      return await storeTrunk(store, { ...file, ...secrets, account: accountId, byOperator }, sip.realm);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      throw new ManageError('not_possible', byOperator ? error.message.replace(/\.$/, '') : TAKEN);
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
          scope: 'account',
          status: 201,
          showsSecret: true,
        },
        summary: 'Make a trunk of the account, or for operators one that all accounts call by',
        description: `As a file of \`config/trunks/\` has it, but for its passwords, which stand beside it. ${OWN_RULES}`,
        body: Type.Object({ ...BODY, owner: Type.Optional(Owner) }),
        ...{ answer: TrunkShape, errors: ['invalid_definition', 'taken', 'full', 'not_possible'] },
      },
      async ({ who, accountId, body, changed }) => {
        if (body.owner === 'operator') requireScope(who, 'operator');
        const owner = body.owner === 'operator' ? undefined : accountId;
        const file = readTrunk(body.definition);
        if (await store.trunks.get(file.definition.name, owner))
          throw new ManageError('taken', `a trunk ${file.definition.name}`);
        await requireAllowed(who, file, accountId);
        const trunk = await put(who, file, owner, body);
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
          answer: WholeTrunk,
          tagged: true,
        },
        summary: 'Get a trunk, with its state',
      },
      async ({ who, accountId, params: { id }, reply }) => {
        const trunk = await trunkOf(accountId, id);
        setTag(reply, tagOf(trunk));
        return whole(who, trunk);
      },
    ),
    operation(
      {
        ...{ id: 'changeTrunk', method: 'PUT', path: '/trunks/{id}', tag, scope: 'account', params, tagged: true },
        summary: 'Give a trunk another definition; passwords that are not given stay',
        ...{ body: TrunkBody, answer: TrunkShape, errors: ['invalid_definition', 'not_possible'] },
      },
      async ({ who, accountId, params: { id }, body, request, reply, changed }) => {
        const before = await trunkOf(accountId, id);
        requireOwn(who, before, accountId);
        requireMatch(request, tagOf(before));
        const file = readTrunk(body.definition);
        if (file.definition.name !== before.definition.name)
          throw new ManageError('not_possible', sentence('refused.trunk-name-stays'));
        await requireAllowed(who, file, accountId);
        const trunk = await put(who, file, before.accountId, body);
        changed({ kind: 'trunk', id, before: noted(before), after: noted(trunk) });
        setTag(reply, tagOf(trunk));
        return present(who, trunk, await store.trunkStates.list());
      },
    ),
    operation(
      {
        ...{ id: 'switchTrunk', method: 'PUT', path: '/trunks/{id}/enabled', tag, scope: 'account', params },
        summary: 'Switch a trunk off, or on again',
        description:
          'One that is off keeps its definition and passwords; its calls in are refused, none go out by it, and it is unregistered, on every ' +
          'gateway within seconds. Calls that go on are not touched.',
        ...{ body: Type.Object({ enabled: Type.Boolean() }), answer: TrunkShape },
      },
      async ({ who, accountId, params: { id }, body: { enabled }, changed }) => {
        const before = await trunkOf(accountId, id);
        requireOwn(who, before, accountId);
        await store.trunks.setEnabled(id, enabled);
        await refreshTrunks();
        changed({ kind: 'trunk', id, before: { enabled: isOn(before) }, after: { enabled } });
        return present(who, { ...before, enabled }, await store.trunkStates.list());
      },
    ),
    operation(
      {
        ...{ id: 'deleteTrunk', method: 'DELETE', path: '/trunks/{id}', tag, scope: 'account', params, tagged: true },
        summary: 'Delete a trunk: its calls in are refused, and none go out by it',
      },
      async ({ who, accountId, params: { id }, request, changed }) => {
        const before = await trunkOf(accountId, id);
        requireOwn(who, before, accountId);
        requireMatch(request, tagOf(before));
        await store.trunks.remove(id);
        await refreshTrunks();
        changed({ kind: 'trunk', id, before: noted(before) });
        return undefined;
      },
    ),
    operation(
      {
        ...{
          id: 'pingTrunk',
          method: 'POST',
          path: '/trunks/{id}/ping',
          tag,
          scope: 'account',
          params,
          asksOnly: true,
        },
        summary:
          'Ask every host of a trunk now whether it is there, as the gateway asks: OPTIONS from where its calls go out',
        answer: Type.Object({
          items: Type.Array(
            Type.Object({
              uri: Text,
              ok: Type.Boolean({ description: 'It has answered, whatever it said.' }),
              status: orNull(Type.Integer({ description: 'Of its answer.' })),
              reason: Type.String({ description: 'Of its answer, or why there is none.' }),
              reason_notice: orNull(NoticeShape), // of the latter
              answer_ms: orNull(Type.Number()),
            }),
          ),
        }),
      },
      async ({ who, accountId, params: { id }, reply }) => {
        const trunk = await trunkOf(accountId, id);
        requireOwn(who, trunk, accountId);
        requireAllowance(pings.take(accountId, clock.nowMs()), reply);
        return {
          items: await Promise.all(trunk.definition.hosts.slice(0, PINGED_MAX).map((host) => ping(trunk, host))),
        };
      },
    ),
  ];
}

/** @throws ManageError `invalid_definition` with the first problem. */
function readTrunk(definition: object): TrunkFile {
  const read = readTrunkDefinition(definition);
  if ('file' in read) return read.file;
  throw invalidDefinition(read.problems);
}
