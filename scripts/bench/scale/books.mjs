import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the nodes were promised against what the database has: every charge that was told once and at its price, nothing that nobody
 * was told of, no call open, no hold left, every balance the sum of its ledger.
 */
export async function checkBooks(pool, dataFolders) {
  const told = new Map();
  let toldTwice = 0;
  for (const folder of dataFolders) {
    for (const line of readFileSync(join(folder, 'told'), 'utf8').split('\n')) {
      if (!/^\S+ \d+$/.test(line)) continue; // the last line of one that was killed
      const [id, cents] = line.split(' ');
      if (told.has(id)) toldTwice += 1;
      told.set(id, Number(cents));
    }
  }
  const { rows: settled } = await pool.query(
    `SELECT c.id, c.owner, c.settled_cents::int AS cents, l.entries, l.cents AS booked FROM charges c
     LEFT JOIN LATERAL (SELECT count(*)::int AS entries, -sum(cents)::int AS cents FROM ledger WHERE id = c.id) l ON true WHERE c.state = 'settled'`,
  );
  const booked = new Map(settled.map((row) => [row.id, row]));
  const one = async (text) => (await pool.query(text)).rows[0].n;
  return {
    told: told.size,
    toldTwice,
    missing: [...told.keys()].filter((id) => !booked.has(id)).length,
    otherPrice: [...told].filter(([id, cents]) => booked.has(id) && booked.get(id).cents !== cents).length,
    bookedTwice: settled.filter(({ entries, cents, booked: sum }) => entries !== 1 || sum !== cents).length,
    /** Made by the one that was killed, between the journal or the database and its own note. */
    untold: settled.filter(({ id }) => !told.has(id)).length,
    openCalls: await one('SELECT count(*)::int AS n FROM calls WHERE ended_at IS NULL'),
    interrupted: await one(`SELECT count(*)::int AS n FROM calls WHERE end_reason = 'interrupted'`),
    openCharges: await one(`SELECT count(*)::int AS n FROM charges WHERE state = 'reserved'`),
    accountsWrong: await one(`SELECT count(*)::int AS n FROM accounts a WHERE reserved_cents <> 0
      OR balance_cents <> (SELECT coalesce(sum(cents), 0) FROM ledger WHERE account_id = a.id)`),
    ledgerCents: await one('SELECT sum(cents)::bigint::text AS n FROM ledger'),
    balanceCents: await one('SELECT sum(balance_cents)::bigint::text AS n FROM accounts'),
  };
}
