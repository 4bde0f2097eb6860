import { Type } from '@sinclair/typebox';
import { ROLES, SCOPES } from '../../core/management.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { ManagementKey } from '../../store/management-keys.ts';
import type { Person } from '../../store/people.ts';
import type { PersonSession } from '../../store/person-access.ts';
import type { Token } from '../../store/tokens.ts';
import { named, oneOf, orNull, timestamp } from '../schema-names.ts';
import type { Who } from '../who.ts';

export const ScopeList = Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true });
export const RoleWord = oneOf(
  ROLES,
  'viewer looks, editor changes agents and makes calls, owner keeps the account, operator everything.',
);
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'An e-mail address; case does not matter.',
});

export const WhoShape = named(
  'Who',
  Type.Object({
    kind: oneOf(['key', 'person'] as const),
    id: Type.String(),
    name: Type.String({ description: 'Of the key, or the e-mail address of the person.' }),
    account_id: Type.String(),
    role: orNull(RoleWord),
    scopes: ScopeList,
  }),
);
export const presentWho = ({ kind, id, name, accountId, role, scopes }: Who) => ({
  ...{ kind, id, name, account_id: accountId, role: role ?? null, scopes: [...scopes] },
});

export const SessionShape = named(
  'Session',
  Type.Object({
    id: Type.String(),
    current: Type.Boolean({ description: 'The one that asks.' }),
    address: Type.String(),
    user_agent: Type.String(),
    created_at: timestamp(),
    last_used_at: timestamp(),
    expires_at: timestamp('Moves on with every use.'),
  }),
);
export const presentSession = (session: PersonSession, current: string | undefined) => ({
  ...{ id: session.id, current: session.id === current, address: session.address, user_agent: session.userAgent },
  ...{ created_at: session.createdAt.toISOString(), last_used_at: session.lastUsedAt.toISOString() },
  expires_at: session.expiresAt.toISOString(),
});

export const PersonShape = named(
  'Person',
  Type.Object({
    id: Type.String(),
    email: Type.String(),
    role: RoleWord,
    state: oneOf(['invited', 'active'] as const, 'invited: has not set a password yet.'),
    created_at: timestamp(),
    updated_at: timestamp(),
    signed_in_at: orNull(timestamp()),
  }),
);
export const presentPerson = ({ id, email, role, state, createdAt, updatedAt, signedInAt }: Person) => ({
  ...{ id, email, role, state, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
  signed_in_at: signedInAt?.toISOString() ?? null,
});

export const InvitationShape = named(
  'Invitation',
  Type.Object({
    person: PersonShape,
    link_secret: Type.String({
      description:
        'What stands behind `/console/welcome#` in the link that sets the password. Shown this once; good for 24 hours and one use.',
    }),
  }),
);

export const KeyShape = named(
  'ManagementKey',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    scopes: ScopeList,
    key: Type.String({ description: 'Its beginning and its end.' }),
    created_at: timestamp(),
    last_used_at: orNull(timestamp('To the minute.')),
    revoked_at: orNull(timestamp()),
  }),
);
export const presentKey = (key: ManagementKey) => ({
  ...{ id: key.id, name: key.name, scopes: [...key.scopes], key: `${key.prefix}...${key.last4}` },
  ...{ created_at: key.createdAt.toISOString(), last_used_at: key.lastUsedAt?.toISOString() ?? null },
  revoked_at: key.revokedAt?.toISOString() ?? null,
});

export const TokenShape = named(
  'Token',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    token: Type.String({ description: 'Its beginning and its end.' }),
    created_at: timestamp(),
    last_used_at: orNull(timestamp('To the minute.')),
    revoked_at: orNull(timestamp()),
    kind: oneOf(['program', 'playground'] as const, 'playground: of a person who tries things in the console.'),
    expires_at: orNull(timestamp('When it ends by itself.')),
  }),
);
export const presentToken = (token: Token) => ({
  kind: token.personId === null ? ('program' as const) : ('playground' as const),
  expires_at: token.expiresAt?.toISOString() ?? null,
  ...{ id: token.id, name: token.name, token: `${token.prefix}...${token.last4}` },
  ...{ created_at: token.createdAt.toISOString(), last_used_at: token.lastUsedAt?.toISOString() ?? null },
  revoked_at: token.revokedAt?.toISOString() ?? null,
});

export const AuditShape = named(
  'AuditEntry',
  Type.Object({
    seq: Type.Integer(),
    at: timestamp(),
    actor: Type.Object({
      kind: oneOf(['person', 'key', 'link', 'shell', 'gateway'] as const),
      id: Type.String(),
      name: Type.String(),
    }),
    action: Type.String({ description: 'The operation.' }),
    target: Type.Object({ kind: Type.String(), id: Type.String() }),
    before: Type.Unknown(),
    after: Type.Unknown(),
    request_id: Type.String(),
  }),
);
export const presentAudit = (entry: AuditEntry) => ({
  ...{ seq: entry.seq, at: entry.at.toISOString() },
  actor: { kind: entry.actorKind, id: entry.actorId, name: entry.actorName },
  ...{ action: entry.action, target: { kind: entry.targetKind, id: entry.targetId } },
  ...{ before: entry.before ?? null, after: entry.after ?? null, request_id: entry.requestId },
});
