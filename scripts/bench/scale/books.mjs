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
  return {
    told: told.size,
    toldTwice,
    missing: [...told.keys()].filter((id) => !booked.has(id)).length,
    otherPrice: [...told].filter(([id, cents]) => booked.has(id) && booked.get(id).cents !== cents).length,
    bookedTwice: settled.filter(({ entries, cents, booked: sum }) => entries !== 1 || sum !== cents).length,
    /** Made by the one that was killed, between the journal or the database and its own note. */
    untold: settled.filter(({ id }) => !told.has(id)).length,
    ...(await checkSums(pool)),
  };
}

/** What has to hold of the books of any run that is over. */
export async function checkSums(pool) {
  const one = async (text) => (await pool.query(text)).rows[0].n;
  return {
    openCalls: await one('SELECT count(*)::int AS n FROM calls WHERE ended_at IS NULL'),
    interrupted: await one(`SELECT count(*)::int AS n FROM calls WHERE end_reason = 'interrupted'`),
    openCharges: await one(`SELECT count(*)::int AS n FROM charges WHERE state = 'reserved'`),
    accountsWrong: await one(`SELECT count(*)::int AS n FROM accounts a WHERE reserved_cents <> 0
      OR balance_cents <> (SELECT coalesce(sum(cents), 0) FROM ledger WHERE account_id = a.id)`),
    ledgerCents: await one('SELECT sum(cents)::bigint::text AS n FROM ledger'),
    balanceCents: await one('SELECT sum(balance_cents)::bigint::text AS n FROM accounts'),
  };
}

/** Charges of a call that are booked: each must have one entry of the ledger. */
const RECORDS = `SELECT c.sip_call_id AS id, c.talk_ms, c.end_reason AS reason,
    (c.cost_cents <> coalesce(sum(b.cents), 0))::int AS other_price,
    count(b.id) FILTER (WHERE b.id LIKE '%/minute/%')::int AS minutes, count(b.id)::int AS charges,
    count(b.id) FILTER (WHERE b.entries <> 1 OR b.booked <> b.cents)::int AS wrong
  FROM calls c LEFT JOIN LATERAL (
    SELECT h.id, h.settled_cents AS cents, l.entries, l.booked FROM charges h
    LEFT JOIN LATERAL (SELECT count(*)::int AS entries, -sum(cents)::bigint AS booked FROM ledger WHERE id = h.id) l ON true
    WHERE h.owner = c.id AND h.state = 'settled') b ON true
  GROUP BY c.id`;

/** A call whose length is so near to a whole minute may have begun it or not. */
const BORDER_MS = 1_000;

/**
 * What callers saw against what the database has: a record for each call that was answered and the minutes that it lasted; of one whose
 * gateway was killed no more than that.
 *
 * @param calls - `id` and `upMs`, undefined where it was never up.
 */
export async function checkRecords(pool, calls) {
  const { rows } = await pool.query(RECORDS);
  const records = new Map(rows.map((row) => [row.id, row]));
  const up = calls.filter(({ upMs }) => upMs !== undefined);
  const minutesOf = (ms) => Math.floor(ms / 60_000) + 1;
  const atBorder = (ms) => Math.abs(ms - 60_000 * Math.round(ms / 60_000)) < BORDER_MS && ms > BORDER_MS;
  const found = up.flatMap(({ id, upMs }) => (records.has(id) ? [{ ...records.get(id), upMs }] : []));
  const isWrong = ({ reason, minutes, talk_ms: talkMs, upMs }) => {
    if (reason === 'interrupted') return minutes < 1 || minutes > minutesOf(upMs + BORDER_MS);
    return minutes !== minutesOf(talkMs) && !atBorder(talkMs);
  };
  return {
    answered: up.length,
    records: rows.length,
    twice: rows.length - records.size,
    withoutRecord: up.length - found.length,
    charges: rows.reduce((sum, { charges }) => sum + charges, 0),
    minutes: rows.reduce((sum, { minutes }) => sum + minutes, 0),
    otherMinutes: found.filter(isWrong).length,
    otherPrice: rows.reduce((sum, row) => sum + row.other_price, 0),
    wrongEntries: rows.reduce((sum, { wrong }) => sum + wrong, 0),
    unseen: rows.length - found.length,
  };
}
