import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { UsageLine, UsageQuery } from '../../src/store/usage.ts';
import { callOf, DEFINITION } from '../support/manage-things.ts';
import { moneyOf } from '../support/money.ts';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';
import { LONG } from '../support/property-runs.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

let test: TestStore;
const agents: string[] = [];
const calls: string[] = [];
let account: string;
beforeAll(async () => {
  test = await openTestStore();
  const { store } = test;
  account = (await store.accounts.create('Bakery')).id;
  await store.charges.topup('credit', account, 1_000, 'topup', '');
  for (const name of ['one', 'two']) {
    const { id } = await store.agents.create(account, { ...DEFINITION, name });
    agents.push(id);
    calls.push((await callOf(store, account, id)).call);
  }
  calls.push('call_nobody');
});
afterAll(() => test.close());

/** What was used, by every booking of the time: what the sums have to agree with. */
async function byBookings(accountId: string, { from, to, timeZone }: UsageQuery): Promise<readonly UsageLine[]> {
  const { rows } = await test.store.pool.query<UsageLine & { readonly cents: string }>(
    `SELECT to_char(created_at AT TIME ZONE $4, 'YYYY-MM-DD') AS day, kind, k.agent_id AS "agentId", count(*)::int AS count, -sum(cents) AS cents
     FROM ledger l LEFT JOIN calls k ON l.id LIKE 'call\\_%/%' AND k.id = split_part(l.id, '/', 1)
     WHERE l.account_id = $1 AND created_at >= $2 AND created_at < $3 AND cents < 0
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 NULLS LAST`,
    [accountId, from, to, timeZone],
  );
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
}

let bookings = 0;
interface Booking {
  readonly at: number;
  readonly call: number;
  readonly kind: string;
  readonly cents: number;
}
/** In one transaction, of whatever times: what a database whose clock was put back has as well. */
async function book(accountId: string, made: readonly Booking[]): Promise<void> {
  const rows = made.map(({ at, call, kind, cents }) => {
    bookings += 1;
    const id = calls[call] === undefined ? `chg_${bookings}` : `${calls[call]}/turn/${bookings}`;
    return { id, kind, cents: -cents, at: new Date(at).toISOString() };
  });
  await test.store.pool.query(
    `INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents, created_at)
     SELECT id, $1, kind, cents, 0, at FROM json_to_recordset($2::json) AS new(id text, kind text, cents bigint, at timestamptz)`,
    [accountId, JSON.stringify(rows)],
  );
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Whole hours, halves, quarters and a half hour of summer time; and days on which clocks are changed. */
const ZONES = [
  ...['UTC', 'Asia/Riyadh', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns'],
  ...['America/Santiago', 'Africa/Casablanca', 'Asia/Beirut', 'Pacific/Chatham'],
];
const BEGIN = Date.parse('2026-03-26T00:00:00Z');
/** Where days and hours end somewhere, and in between. */
const moment = fc
  .tuple(fc.nat(12 * 24 * 4), fc.constantFrom(0, 0, 1, -1, 437_123))
  .map(([quarters, beside]) => BEGIN + quarters * (HOUR_MS / 4) + beside);
const booking: fc.Arbitrary<Booking> = fc.record({
  at: moment,
  call: fc.nat(3), // the last is no call
  kind: fc.constantFrom('call-minute', 'call-turn', 'ask'),
  cents: fc.constantFrom(-7, 1, 2, 30), // what was given back is not usage
});

describe('usage', () => {
  it('of any bookings, times and time zones is the same with sums and without, however far they have come', async () => {
    const { store } = test;
    const round = fc.record({ made: fc.array(booking, { maxLength: 25 }), isSummed: fc.boolean() });
    const asked = fc.record({ ends: fc.tuple(moment, moment), timeZone: fc.constantFrom(...ZONES) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { minLength: 1, maxLength: 4 }),
        fc.array(asked, { minLength: 1, maxLength: 4 }),
        async (rounds, questions) => {
          const { id } = await store.accounts.create('used');
          for (const { made, isSummed } of rounds) {
            await book(id, made);
            if (isSummed) await store.usage.sumUp();
            for (const { ends, timeZone } of questions) {
              const query = { from: new Date(Math.min(...ends)), to: new Date(Math.max(...ends) + 1), timeZone };
              expect(await store.usage.of(id, query)).toEqual(await byBookings(id, query));
            }
          }
        },
      ),
      { numRuns: LONG ? 200 : 25 },
    );
  });

  const all = { from: new Date(BEGIN - 30 * DAY_MS), to: new Date(BEGIN + 30 * DAY_MS), timeZone: 'Asia/Riyadh' };
  const one = { at: BEGIN, call: 0, kind: 'call-turn', cents: 2 };
  const hoursOf = async (id: string): Promise<unknown> =>
    (await test.store.pool.query('SELECT agent_id, count::int FROM usage_hours WHERE account_id = $1', [id])).rows;

  it('is summed once, whoever else sums, and what a transaction under way will book is waited for', async () => {
    const { store } = test;
    const { id } = await store.accounts.create('slow');
    await store.usage.sumUp();
    const slow = await store.pool.connect();
    await slow.query('BEGIN');
    await slow.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [id]); // as every booking does
    await slow.query(
      `INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents, created_at) VALUES ('slow', $1, 'ask', -5, 0, $2)`,
      [id, new Date(BEGIN)],
    );
    await book(id, [one, one]); // with later numbers, and committed before
    expect(await store.usage.sumUp()).toBe(0);
    expect(await hoursOf(id)).toEqual([]);
    expect(await store.usage.of(id, all)).toEqual(await byBookings(id, all));
    await slow.query('COMMIT');
    slow.release();
    const done = await Promise.all([store.usage.sumUp(), store.usage.sumUp(), store.usage.sumUp()]);
    expect(done.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(await store.usage.sumUp()).toBe(0);
    expect(await hoursOf(id)).toEqual(
      expect.arrayContaining([
        { agent_id: '', count: 1 },
        { agent_id: agents[0], count: 2 },
      ]),
    );
    expect(await store.usage.of(id, all)).toEqual(await byBookings(id, all));
  });

  it('of before there were sums is summed in pieces', async () => {
    const { store } = test;
    const { id } = await store.accounts.create('old');
    await store.usage.sumUp();
    for (let from = 1; from <= 11_000; from += 1_000) {
      await store.pool.query(
        `INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents, created_at)
         SELECT 'old_' || n, $1, 'ask', -1, 0, $2::timestamptz + n * interval '1 minute' FROM generate_series($3::int, $3 + 999) AS n`,
        [id, new Date(BEGIN), from],
      );
    }
    expect(await store.usage.sumUp()).toBe(11_000);
    expect(await store.usage.of(id, all)).toEqual(await byBookings(id, all));
  });

  it('of what is really booked and given back', async () => {
    const { store } = test;
    const charge = { id: 'chg_back', accountId: account, cents: 9, owner: 'r', kind: 'speech' } as const;
    await moneyOf(store).charge(charge);
    await moneyOf(store).charge({ ...charge, id: `${calls[1]}/turn/real`, kind: 'call-turn' });
    await store.usage.sumUp();
    await moneyOf(store).void(charge);
    const around = (ms: number): UsageQuery => ({
      ...{ from: new Date(Date.now() - ms), to: new Date(Date.now() + ms), timeZone: 'UTC' },
    });
    const [day, partOfAnHour] = [around(DAY_MS), around(HOUR_MS / 4)];
    const lines = await byBookings(account, day);
    expect(lines.map(({ kind, agentId, cents }) => [kind, agentId, cents])).toEqual([
      ...[...agents].sort().map((agent) => ['call-minute', agent, 3]), // of the calls there are
      ['call-turn', agents[1], 9],
      ['speech', null, 9],
    ]);
    for (const query of [day, partOfAnHour]) {
      expect(await store.usage.of(account, query)).toEqual(lines);
      await store.usage.sumUp();
      expect(await store.usage.of(account, query)).toEqual(lines);
    }
  });
});
