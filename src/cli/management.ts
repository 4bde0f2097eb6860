import { userInfo } from 'node:os';
import { OperatorError } from '../core/errors.ts';
import {
  emailAddress,
  PASSWORD_LINK_HOURS,
  passwordLink,
  ROLE_SCOPES,
  type Role,
  type Scope,
} from '../core/management.ts';
import type { NewAuditEntry } from '../store/audit.ts';
import type { Person } from '../store/people.ts';
import type { Store } from '../store/store.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { emit, facts, table } from './output.ts';

export interface NewKeyOptions {
  readonly account?: string;
  readonly name: string;
  readonly scope: readonly Scope[];
}

const ONCE = 'Shown this once; only its hash is kept.';

export function createKey(context: CommandContext, { account, name, scope }: NewKeyOptions): Promise<void> {
  return context.withStore(async (store) => {
    const { id: accountId, name: accountName } = await findAccount(store, account);
    const { key, secret } = await store.managementKeys.create(accountId, name, scope);
    await note(store, accountId, 'createKey', { kind: 'key', id: key.id }, { name, scopes: key.scopes });
    emit(context.out, { key_id: key.id, account_id: accountId, scopes: key.scopes, key: secret }, () =>
      facts(context.out, [
        ['key', secret],
        ['id', key.id],
        ['account', `${accountId} (${accountName})`],
        ['may', key.scopes.join(', ')],
        ['note', ONCE],
      ]),
    );
  });
}

export function listKeys(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withStore(async (store) => {
    const accountId = options.account === undefined ? undefined : (await findAccount(store, options.account)).id;
    const rows = await store.managementKeys.list(accountId);
    const json = rows.map((row) => ({
      ...{ key_id: row.id, account_id: row.accountId, name: row.name, scopes: row.scopes },
      ...{ key: `${row.prefix}...${row.last4}`, created_at: row.createdAt },
      ...{ last_used_at: row.lastUsedAt, revoked_at: row.revokedAt },
    }));
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'key', 'name', 'may', 'account', 'last used', 'state'],
        rows.map((row) => [
          ...[row.id, `...${row.last4}`, row.name, row.scopes.join(' '), row.accountId],
          ...[row.lastUsedAt?.toISOString() ?? 'never', row.revokedAt ? 'revoked' : 'in force'],
        ]),
      ),
    );
  });
}

export function revokeKey(context: CommandContext, id: string): Promise<void> {
  return context.withStore(async (store) => {
    const key = await store.managementKeys.revoke(id);
    if (!key) throw new OperatorError(`No key ${id} is in force. \`keys list\` shows them.`);
    await note(store, key.accountId, 'revokeKey', { kind: 'key', id }, { revoked: true });
    emit(context.out, { key_id: id, revoked: true }, () => context.out.write(`revoked ${id}\n`));
  });
}

export interface InviteOptions {
  readonly account?: string;
  readonly role?: Role;
}

/** A one-time link for somebody new, or for somebody known who has lost the password: the role stays then. */
export function invite(context: CommandContext, written: string, options: InviteOptions): Promise<void> {
  const email = emailAddress(written);
  if (email === undefined) throw new OperatorError(`${written} is no e-mail address.`);
  const { host, port } = context.config.http;
  return context.withStore(async (store) => {
    const person = (await store.people.byEmail(email))?.person ?? (await newPerson(store, email, options));
    if (options.role !== undefined && person.role !== options.role) {
      throw new OperatorError(`${email} is known as ${person.role}: somebody who manages people changes that.`);
    }
    const secret = await store.personAccess.createLink(person.accountId, person.id);
    await note(store, person.accountId, 'createPersonLink', { kind: 'person', id: person.id }, { role: person.role });
    const link = passwordLink(`http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`, secret);
    const { id, role, accountId } = person;
    emit(context.out, { person_id: id, account_id: accountId, email, role, may: ROLE_SCOPES[role], link }, () =>
      facts(context.out, [
        ['link', link],
        ['for', `${email} (${role} of ${accountId})`],
        ['note', `Good for ${PASSWORD_LINK_HOURS} hours and one use: it sets the password.`],
      ]),
    );
  });
}

async function newPerson(store: Store, email: string, { account, role = 'owner' }: InviteOptions): Promise<Person> {
  const made = await store.people.create((await findAccount(store, account)).id, email, role);
  if (typeof made === 'object') return made;
  throw new OperatorError(
    made === 'full' ? 'The account has as many people as there may be.' : `${email} was taken meanwhile.`,
  );
}

/** The audit log has what was done at the shell too. */
export function note(
  store: Store,
  accountId: string,
  action: string,
  target: NewAuditEntry['target'],
  after: unknown,
): Promise<void> {
  const { username } = userInfo();
  const actor = { kind: 'shell', id: 'shell', name: username } as const;
  return store.audit.add([{ accountId, actor, action, target, after, requestId: '' }]);
}
