import { Type } from '@sinclair/typebox';
import { mayGive } from '../../core/management.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { afterNumber, limitOf, PAGE_QUERY, page, pageOf, pageOfAll } from '../pages.ts';
import {
  AuditShape,
  KeyShape,
  presentAudit,
  presentKey,
  presentToken,
  ScopeList,
  TokenShape,
} from '../schemas/people.ts';

const tag = 'Tokens and keys';
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'What it is for.' });
const idOf = ({ id }: { readonly id: string }): string => id;

/** API tokens, management keys, and what was changed by whom. */
export function keyOperations({ store }: ManageDeps): ManageOperation[] {
  return [
    operation(
      {
        ...{
          id: 'listTokens',
          method: 'GET',
          path: '/tokens',
          tag,
          scope: 'read',
          summary: 'List API tokens, newest first',
        },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(TokenShape) },
      },
      async ({ accountId, query }) => pageOfAll(await store.tokens.list(accountId), query, idOf, presentToken),
    ),
    operation(
      {
        ...{
          id: 'createToken',
          method: 'POST',
          path: '/tokens',
          tag,
          scope: 'account',
          status: 201,
          showsSecret: true,
        },
        summary: 'Make an API token',
        description: 'For the public API `/v1`; it manages nothing. Its secret is shown this once.',
        body: Type.Object({ name: Name }),
        answer: Type.Object({ token: TokenShape, secret: Type.String() }),
      },
      async ({ accountId, body, changed }) => {
        const { token, secret } = await store.tokens.create(accountId, body.name);
        changed({ kind: 'token', id: token.id, after: presentToken(token) });
        return { token: presentToken(token), secret };
      },
    ),
    operation(
      {
        ...{ id: 'revokeToken', method: 'DELETE', path: '/tokens/{id}', tag, scope: 'account' },
        ...{ summary: 'Make an API token worthless, for good', params: idParam('token') },
      },
      async ({ accountId, params, changed }) => {
        known((await store.tokens.revoke(params.id, accountId)) || undefined, 'token', params.id);
        changed({ kind: 'token', id: params.id, after: { revoked: true } });
        return undefined;
      },
    ),
    operation(
      {
        ...{
          id: 'listKeys',
          method: 'GET',
          path: '/keys',
          tag,
          scope: 'read',
          summary: 'List management keys, newest first',
        },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(KeyShape) },
      },
      async ({ accountId, query }) => pageOfAll(await store.managementKeys.list(accountId), query, idOf, presentKey),
    ),
    operation(
      {
        ...{ id: 'createKey', method: 'POST', path: '/keys', tag, scope: 'account', status: 201, showsSecret: true },
        summary: 'Make a management key',
        description: 'Its secret is shown this once. Nobody gives a key a scope that they do not have.',
        body: Type.Object({ name: Name, scopes: ScopeList }),
        answer: Type.Object({ key: KeyShape, secret: Type.String() }),
        errors: ['too_mighty'],
      },
      async ({ who, accountId, body, changed }) => {
        if (!mayGive(who.scopes, body.scopes)) {
          throw new ManageError(
            'too_mighty',
            `the scopes ${body.scopes.filter((one) => !who.scopes.includes(one)).join(', ')}`,
          );
        }
        const { key, secret } = await store.managementKeys.create(accountId, body.name, body.scopes);
        changed({ kind: 'key', id: key.id, after: presentKey(key) });
        return { key: presentKey(key), secret };
      },
    ),
    operation(
      {
        ...{ id: 'revokeKey', method: 'DELETE', path: '/keys/{id}', tag, scope: 'account' },
        ...{ summary: 'Make a management key worthless, for good', params: idParam('key') },
      },
      async ({ accountId, params, changed }) => {
        const key = known(await store.managementKeys.revoke(params.id, accountId), 'key', params.id);
        changed({ kind: 'key', id: params.id, after: presentKey(key) });
        return undefined;
      },
    ),
    operation(
      {
        ...{ id: 'listAudit', method: 'GET', path: '/audit', tag: 'People', scope: 'account' },
        summary: 'List what was changed, newest first',
        query: Type.Object({
          ...PAGE_QUERY,
          action: Type.Optional(Type.String({ maxLength: 100, description: 'Only this operation.' })),
          actor_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only what this person or key did.' })),
          target_id: Type.Optional(Type.String({ maxLength: 300, description: 'Only what was done to this.' })),
          target_kind: Type.Optional(
            Type.String({ maxLength: 100, description: 'Only things such as this: `agent`.' }),
          ),
          from: Type.Optional(Type.String({ format: 'date-time' })),
          to: Type.Optional(Type.String({ format: 'date-time', description: 'Not part of it.' })),
        }),
        answer: pageOf(AuditShape),
      },
      async ({ accountId, query }) => {
        const limit = limitOf(query);
        const before = afterNumber(query);
        const rows = await store.audit.list(accountId, {
          limit: limit + 1,
          ...(before !== undefined && { before }),
          ...(query.action !== undefined && { action: query.action }),
          ...(query.actor_id !== undefined && { actorId: query.actor_id }),
          ...(query.target_id !== undefined && { targetId: query.target_id }),
          ...(query.target_kind !== undefined && { targetKind: query.target_kind }),
          ...(query.from !== undefined && { from: new Date(query.from) }),
          ...(query.to !== undefined && { to: new Date(query.to) }),
        });
        return page(rows, limit, ({ seq }) => [seq], presentAudit);
      },
    ),
  ];
}
