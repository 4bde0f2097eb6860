import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { accountIdOf, findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import type { TokenView } from './desk/desk.ts';
import { emit, facts, table } from './output.ts';

export function createToken(context: CommandContext, options: { account?: string; name: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const account = await findAccount(desk, options.account);
    const { view, secret } = await desk.tokens.create(account.id, { name: options.name });
    emit(context.out, { token_id: view.id, account_id: account.id, token: secret }, () =>
      facts(context.out, [
        ['token', secret],
        ['id', view.id],
        ['account', `${account.id} (${account.name})`],
        ['note', 'Shown this once; only its hash is kept.'],
      ]),
    );
  });
}

export function listTokens(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const rows = await desk.tokens.list(await accountIdOf(desk, options.account));
    const json = rows.map((row) => ({
      ...{ token_id: row.id, account_id: row.accountId, name: row.name, token: row.shown },
      ...{ created_at: row.createdAt, last_used_at: row.lastUsedAt, revoked_at: row.revokedAt },
      expires_at: row.expiresAt,
    }));
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'token', 'name', 'account', 'last used', 'state'],
        rows.map((row) => [
          ...[row.id, row.shown.slice(row.shown.indexOf('...')), row.name, row.accountId, row.lastUsedAt ?? 'never'],
          stateOf(row),
        ]),
      ),
    );
  });
}

function stateOf({ revokedAt, expiresAt }: TokenView): string {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'in force';
  return new Date(expiresAt) > systemClock.utc() ? `until ${expiresAt}` : 'expired';
}

export function revokeToken(context: CommandContext, id: string): Promise<void> {
  return context.withDesk(async ({ tokens }) => {
    if (!(await tokens.revoke(id))) throw new OperatorError(`No token ${id} is in force. \`token list\` shows them.`);
    emit(context.out, { token_id: id, revoked: true }, () => context.out.write(`revoked ${id}\n`));
  });
}
