import { OperatorError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Store } from '../store/store.ts';
import type { CommandContext } from './context.ts';
import { emit, facts, money, table } from './output.ts';

/** The account that was named by id or, where that is unique, by name; without a name the only one there is. */
export async function findAccount(store: Store, wanted: string | undefined): Promise<{ id: string; name: string }> {
  const all = await store.accounts.list();
  const matching = wanted === undefined ? all : all.filter(({ id, name }) => id === wanted || name === wanted);
  if (matching.length === 1) return matching[0]!;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
  throw new OperatorError(
    wanted === undefined
      ? `Name an account with --account: ${known}`
      : `No single account ${wanted}. There are: ${known}`,
  );
}

async function topup(store: Store, accountId: string, cents: number): Promise<void> {
  const outcome = await store.charges.topup(newId('chg'), accountId, cents, 'topup', 'command line');
  if (outcome !== 'done') throw new OperatorError(`The balance was not changed: ${outcome}`);
}

/** An account can be made before the gateway ran for the first time. */
const MAKES_ONE = { create: true };

/** A new account with credit and a first token. */
export function createAccount(context: CommandContext, options: { name: string; credit: number }): Promise<void> {
  return context.withStore(async (store) => {
    const account = await store.accounts.create(options.name);
    if (options.credit > 0) await topup(store, account.id, options.credit);
    const { secret } = await store.tokens.create(account.id, 'first token');
    emit(context.out, { account_id: account.id, token: secret }, () =>
      facts(context.out, [
        ['account', account.id],
        ['token', secret],
        ['note', 'The token is shown this once; only its hash is kept.'],
      ]),
    );
  }, MAKES_ONE);
}

export function topupAccount(context: CommandContext, account: string, cents: number): Promise<void> {
  return context.withStore(async (store) => {
    const { id } = await findAccount(store, account);
    await topup(store, id, cents);
    await printBalance(context, store, id);
  });
}

export function showBalance(context: CommandContext, account: string | undefined): Promise<void> {
  return context.withStore(async (store) => {
    if (account !== undefined) return printBalance(context, store, (await findAccount(store, account)).id);
    const all = await store.accounts.list();
    const json = all.map(({ id, name, balanceCents, reservedCents }) => ({
      ...{ account_id: id, name, balance_cents: balanceCents, reserved_cents: reservedCents },
    }));
    return emit(context.out, json, () =>
      table(
        context.out,
        ['account', 'name', 'balance', 'reserved'],
        all.map(({ id, name, balanceCents, reservedCents }) => [id, name, money(balanceCents), money(reservedCents)]),
      ),
    );
  });
}

async function printBalance(context: CommandContext, store: Store, id: string): Promise<void> {
  const balance = await store.charges.balance(id);
  const { balanceCents = 0, reservedCents = 0 } = balance ?? {};
  emit(context.out, { account_id: id, balance_cents: balanceCents, reserved_cents: reservedCents }, () =>
    facts(context.out, [
      ['account', id],
      ['balance', money(balanceCents)],
      ['reserved', money(reservedCents)],
    ]),
  );
}
