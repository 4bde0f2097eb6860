import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import type { Token } from '../store/tokens.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { emit, facts, table } from './output.ts';

export function createToken(context: CommandContext, options: { account?: string; name: string }): Promise<void> {
  return context.withStore(async (store) => {
    const account = await findAccount(store, options.account);
    const { token, secret } = await store.tokens.create(account.id, options.name);
    emit(context.out, { token_id: token.id, account_id: account.id, token: secret }, () =>
      facts(context.out, [
        ['token', secret],
        ['id', token.id],
        ['account', `${account.id} (${account.name})`],
        ['note', 'Shown this once; only its hash is kept.'],
      ]),
    );
  });
}

export function listTokens(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withStore(async (store) => {
    const accountId = options.account === undefined ? undefined : (await findAccount(store, options.account)).id;
    const rows = await store.tokens.list(accountId);
    const json = rows.map((row) => ({
      ...{ token_id: row.id, account_id: row.accountId, name: row.name, token: `${row.prefix}...${row.last4}` },
      ...{ created_at: row.createdAt, last_used_at: row.lastUsedAt, revoked_at: row.revokedAt },
      expires_at: row.expiresAt,
    }));
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'token', 'name', 'account', 'last used', 'state'],
        rows.map((row) => [
          ...[row.id, `...${row.last4}`, row.name, row.accountId, row.lastUsedAt?.toISOString() ?? 'never'],
          stateOf(row),
        ]),
      ),
    );
  });
}

function stateOf({ revokedAt, expiresAt }: Token): string {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'in force';
  return expiresAt > systemClock.utc() ? `until ${expiresAt.toISOString()}` : 'expired';
}

export function revokeToken(context: CommandContext, id: string): Promise<void> {
  return context.withStore(async (store) => {
    if (!(await store.tokens.revoke(id)))
      throw new OperatorError(`No token ${id} is in force. \`token list\` shows them.`);
    emit(context.out, { token_id: id, revoked: true }, () => context.out.write(`revoked ${id}\n`));
  });
}
