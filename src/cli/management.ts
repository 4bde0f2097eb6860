import { OperatorError } from '../core/errors.ts';
import { emailAddress, PASSWORD_LINK_HOURS, ROLE_SCOPES, type Role, type Scope } from '../core/management.ts';
import { accountIdOf, findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import type { Desk } from './desk/desk.ts';
import { emit, facts, table } from './output.ts';

export interface NewKeyOptions {
  readonly account?: string;
  readonly name: string;
  readonly scope: readonly Scope[];
}

const ONCE = 'Shown this once; only its hash is kept.';

export function createKey(context: CommandContext, { account, name, scope }: NewKeyOptions): Promise<void> {
  return context.withDesk(async (desk) => {
    const { id: accountId, name: accountName } = await findAccount(desk, account);
    const { view, secret } = await desk.keys.create(accountId, { name, scopes: [...new Set(scope)] });
    emit(context.out, { key_id: view.id, account_id: accountId, scopes: view.scopes, key: secret }, () =>
      facts(context.out, [
        ['key', secret],
        ['id', view.id],
        ['account', `${accountId} (${accountName})`],
        ['may', view.scopes.join(', ')],
        ['note', ONCE],
      ]),
    );
  });
}

export function listKeys(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const rows = await desk.keys.list(await accountIdOf(desk, options.account));
    const json = rows.map((row) => ({
      ...{ key_id: row.id, account_id: row.accountId, name: row.name, scopes: row.scopes },
      ...{ key: row.shown, created_at: row.createdAt },
      ...{ last_used_at: row.lastUsedAt, revoked_at: row.revokedAt },
    }));
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'key', 'name', 'may', 'account', 'last used', 'state'],
        rows.map((row) => [
          ...[row.id, row.shown.slice(row.shown.indexOf('...')), row.name, row.scopes.join(' '), row.accountId],
          ...[row.lastUsedAt ?? 'never', row.revokedAt ? 'revoked' : 'in force'],
        ]),
      ),
    );
  });
}

export function revokeKey(context: CommandContext, id: string): Promise<void> {
  return context.withDesk(async ({ keys }) => {
    if (!(await keys.revoke(id))) throw new OperatorError(`No key ${id} is in force. \`keys list\` shows them.`);
    emit(context.out, { key_id: id, revoked: true }, () => context.out.write(`revoked ${id}\n`));
  });
}

export interface InviteOptions {
  readonly account?: string;
  readonly role?: Role; // of somebody new; owner without it
}

/** A one-time link for somebody new, or for somebody known who has lost the password: the role stays then. */
export function invite(context: CommandContext, written: string, options: InviteOptions): Promise<void> {
  const email = emailAddress(written);
  if (email === undefined) throw new OperatorError(`${written} is no e-mail address.`);
  return context.withDesk(async (desk) => {
    const { person, link } = await invited(desk, email, options);
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

async function invited(desk: Desk, email: string, { account, role }: InviteOptions) {
  const person = await desk.people.byEmail(email);
  if (!person) return desk.people.invite((await findAccount(desk, account)).id, email, role ?? 'owner');
  if (role !== undefined && person.role !== role) {
    throw new OperatorError(`${email} is known as ${person.role}: somebody who manages people changes that.`);
  }
  return { person, link: await desk.people.link(person) };
}
