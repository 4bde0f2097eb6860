import { OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import type { AccountRef, AgentView, Desk } from './desk/desk.ts';
import { emit, facts, money, table } from './output.ts';

/** The account that was named by id or, where that is unique, by name; without a name the only one there is. */
export async function findAccount(desk: Pick<Desk, 'accounts'>, wanted: string | undefined): Promise<AccountRef> {
  const all = await desk.accounts.list();
  const matching = wanted === undefined ? all : all.filter(({ id, name }) => id === wanted || name === wanted);
  if (matching.length === 1) return matching[0]!;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
  throw new OperatorError(
    wanted === undefined
      ? `Name an account with --account: ${known}`
      : `No single account ${wanted}. There are: ${known}`,
  );
}

/** The agent that was named by id or name, and its account. */
export async function findAgent(
  desk: Pick<Desk, 'accounts' | 'agents'>,
  wantedAccount: string | undefined,
  which: string,
): Promise<{ readonly account: AccountRef; readonly agent: AgentView }> {
  const account = await findAccount(desk, wantedAccount);
  const all = await desk.agents.list(account.id);
  const agent = all.find(({ id }) => id === which) ?? all.find(({ name }) => name === which);
  if (!agent) throw new OperatorError(`${account.name} has no agent ${which}.`);
  return { account, agent };
}

/** The id of the account that was named; undefined where none was. */
export const accountIdOf = async (desk: Pick<Desk, 'accounts'>, wanted: string | undefined) =>
  wanted === undefined ? undefined : (await findAccount(desk, wanted)).id;

/** An account can be made before the gateway ran for the first time. */
const MAKES_ONE = { create: true };

/** A new account with credit and a first token. */
export function createAccount(context: CommandContext, options: { name: string; credit: number }): Promise<void> {
  return context.withDesk(async ({ accounts }) => {
    const made = await accounts.create(options.name, options.credit);
    emit(context.out, made, () =>
      facts(context.out, [
        ['account', made.account_id],
        ['token', made.token],
        ['note', 'The token is shown this once; only its hash is kept.'],
      ]),
    );
  }, MAKES_ONE);
}

export function topupAccount(context: CommandContext, account: string, cents: number): Promise<void> {
  return context.withDesk(async (desk) => {
    const { id } = await findAccount(desk, account);
    await desk.accounts.topup(id, cents);
    await printBalance(context, desk, id);
  });
}

export function showBalance(context: CommandContext, account: string | undefined): Promise<void> {
  return context.withDesk(async (desk) => {
    if (account !== undefined) return printBalance(context, desk, (await findAccount(desk, account)).id);
    const all = await desk.accounts.balances();
    return emit(context.out, all, () =>
      table(
        context.out,
        ['account', 'name', 'balance', 'reserved'],
        all.map((one) => [one.account_id, one.name, money(one.balance_cents), money(one.reserved_cents)]),
      ),
    );
  });
}

async function printBalance(context: CommandContext, desk: Desk, id: string): Promise<void> {
  const balance = await desk.accounts.balance(id);
  emit(context.out, balance, () =>
    facts(context.out, [
      ['account', id],
      ['balance', money(balance.balance_cents)],
      ['reserved', money(balance.reserved_cents)],
    ]),
  );
}
