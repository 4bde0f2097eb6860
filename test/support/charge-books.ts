import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { ChargeClient, type Order } from './charge-clients.ts';
import { moneyFaults } from './postgres-store.ts';

/** Clients of one account, and what they saw. */
export interface Party {
  readonly name: string;
  readonly keyed: boolean;
  readonly accountId: string;
  readonly token: string;
  readonly clients: readonly ChargeClient[];
}
export interface NewParty {
  readonly name: string;
  readonly keyed: boolean;
  readonly clients: number;
  readonly cents: number;
  readonly pauseMs?: number; // of each client between two requests
}

/** An account with credit, a token, an agent, and clients that spend it. */
export async function openParty(store: Store, party: NewParty, onAnswer: () => void = () => {}): Promise<Party> {
  const { name, keyed, clients: count, cents, pauseMs = 0 } = party;
  const { id: accountId } = await store.accounts.create(name);
  const greeting = { en: 'Hello.' };
  const definition = { name: 'Payer', language: 'en-US', voice: 'emma', model: 'sada-1', greeting } as const;
  const { id: agentId } = await store.agents.create(accountId, definition, 'live');
  const { secret: token } = await store.tokens.create(accountId, 'test');
  if (cents > 0) await topup(store, accountId, cents);
  const clients = Array.from({ length: count }, () => new ChargeClient({ token, agentId, keyed, onAnswer, pauseMs }));
  return { name, keyed, accountId, token, clients };
}

let topups = 0;
export async function topup(store: Store, accountId: string, cents: number): Promise<void> {
  topups += 1;
  expect(await store.charges.topup(`topup-${topups}`, accountId, cents, 'topup', '')).toBe('done');
}

export const ordersOf = ({ clients }: Party): readonly Order[] => clients.flatMap((client) => client.orders);

/** What the clients were told they paid. */
export function seenBy(party: Party): { readonly count: number; readonly cents: number } {
  const paid = ordersOf(party).filter((order) => order.answer?.status === 200);
  return { count: paid.length, cents: paid.reduce((sum, order) => sum + order.answer!.costCents, 0) };
}

/** What the account was charged; a charge that was reversed is none. */
export async function bookedFor(
  store: Store,
  { accountId }: Party,
): Promise<{ readonly count: number; readonly cents: number }> {
  const { rows } = await store.pool.query(
    `SELECT coalesce(sum(CASE WHEN cents < 0 THEN 1 ELSE -1 END), 0)::int AS count, coalesce(-sum(cents), 0)::int AS cents
     FROM ledger WHERE account_id = $1 AND kind <> 'topup'`,
    [accountId],
  );
  return rows[0];
}

/** Whatever was under way is over: nothing is held, nothing was charged twice, every balance is the sum of its ledger. */
export async function checkClosed(store: Store): Promise<void> {
  expect(await moneyFaults(store)).toEqual([]);
  const { rows: open } = await store.pool.query(`SELECT id FROM charges WHERE state = 'reserved'`);
  expect(open).toEqual([]);
  const { rows: twice } = await store.pool.query(
    `SELECT owner FROM charges WHERE state = 'settled' AND owner LIKE 'idem%' GROUP BY owner HAVING count(*) > 1`,
  );
  expect(twice).toEqual([]);
}

/** The processes of the database server of a gateway, the parent of the others first. */
export function databaseProcesses(dataDir: string): readonly number[] {
  const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const parent = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
  return [parent, ...children];
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8'); // pid (name) state ppid ...
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // It has ended meanwhile.
  }
}
