import type pg from 'pg';
import { numberKey } from '../../core/caller-number.ts';
import { KNOWN_COLUMNS, type KnownErasure } from '../erasures.ts';
import type { SecretBox } from '../secrets.ts';
import { eraseMentions, eraseRows, rowsOfValues, valuesOf } from './erase-person.ts';

/** What a database knows of erasures, where it knows of any. */
export async function knownErasures(client: pg.ClientBase): Promise<readonly KnownErasure[]> {
  const { rows } = await client.query<{ made: boolean }>(`SELECT to_regclass('erasures') IS NOT NULL AS made`);
  if (!rows[0]?.made) return [];
  return (await client.query<KnownErasure>(`SELECT ${KNOWN_COLUMNS} FROM erasures`)).rows;
}

/**
 * Erases from a backup whom it still has and who was erased since it was made. Nobody lives there, so that calls which were open then are
 * over. Numbers are told by their hashes; where one stands in a text alone, and in no record of theirs, it is not found.
 *
 * @param known - erasures of wherever: of the backup itself, of what it takes the place of, of the data folder.
 * @returns how many calls, orders and refusals were erased.
 */
export async function eraseAgain(
  client: pg.ClientBase,
  known: readonly KnownErasure[],
  box: SecretBox,
): Promise<number> {
  const { rows: accounts } = await client.query<{ id: string }>('SELECT id FROM accounts');
  const there = new Set(accounts.map(({ id }) => id));
  const mine = [...new Map(known.map((one) => [one.id, one])).values()].filter(
    ({ accountId }) => accountId === null || there.has(accountId),
  );
  let count = 0;
  for (const countryCode of new Set(mine.map((one) => one.countryCode))) {
    const hashes = new Set(mine.filter((one) => one.countryCode === countryCode).map(({ hmac }) => hmac));
    const hashOf = (written: string): string => box.fingerprint(numberKey(written, countryCode)).toString('hex');
    const values = new Map<string, string[]>();
    for (const value of await valuesOf(client, (written) => hashes.has(hashOf(written)))) {
      values.set(hashOf(value), [...(values.get(hashOf(value)) ?? []), value]);
    }
    for (const one of mine.filter((each) => each.countryCode === countryCode)) {
      count += await again(client, one, values.get(one.hmac) ?? []);
    }
  }
  return count;
}

async function again(client: pg.ClientBase, one: KnownErasure, values: readonly string[]): Promise<number> {
  const { id, accountId, hmac, countryCode, askedAt } = one;
  const rows = await rowsOfValues(client, values, accountId, new Date(askedAt));
  const over = <T extends object>(all: readonly T[]) => all.map((each) => ({ ...each, live: false }));
  await client.query(
    `UPDATE dial_orders SET state = 'ended', ended_at = now(), end_party = 'gateway', end_reason = 'interrupted'
      WHERE id = ANY($1) AND state <> 'queued' AND state <> 'ended'`,
    [rows.orders.map((order) => order.id)],
  );
  const { found, waits } = await eraseRows(client, { ...rows, calls: over(rows.calls), orders: over(rows.orders) });
  for (const key of new Set(values.map((value) => numberKey(value, countryCode)))) {
    await eraseMentions(client, { key, countryCode, accountId: accountId ?? undefined });
  }
  await client.query(
    `INSERT INTO erasures (id, account_id, number_hmac, country_code, asked_at, found, waits, done_at)
      VALUES ($1, $2, decode($3, 'hex'), $4, $5, $6, $7, CASE WHEN $8 THEN now() END)
      ON CONFLICT (id) DO UPDATE SET waits = excluded.waits, done_at = CASE WHEN erasures.search IS NULL THEN excluded.done_at END WHERE $9`,
    [id, accountId, hmac, countryCode, askedAt, found, waits, waits.recordings.length === 0, values.length > 0],
  );
  return rows.calls.length + rows.orders.length + rows.refusals.length;
}
