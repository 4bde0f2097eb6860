import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // a real database, on a machine that may be busy

const CALLS = 120;
let test: TestStore;
/** Calls of an account, all of which said `where is my parcel`, each fortieth `violin`. */
async function account(name: string): Promise<string> {
  const { id } = await test.store.accounts.create(name);
  await test.store.pool.query(
    `INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number, gateway, started_at,
       ended_at, talk_ms, end_party, end_reason, words)
     SELECT $1 || n, 'x', $1, 'agt_x', 1, 'x', '1', '2', 'gw_x', at, at, CASE n WHEN 7 THEN 900000 ELSE 1000 * n END, 'caller',
       CASE n WHEN 9 THEN 'no-engine' ELSE 'caller-hangup' END, to_tsvector('simple', 'where is my parcel' || CASE WHEN n % 40 = 0 THEN ' violin' ELSE '' END)
     FROM (SELECT n, now() - make_interval(mins => $2 - n) AS at FROM generate_series(1, $2::integer) AS n) AS k`,
    [id, CALLS],
  );
  return id;
}
let mine: string;
let other: string;
beforeAll(async () => {
  test = await openTestStore();
  mine = await account('Mine');
  other = await account('Other');
});
afterAll(() => test.close());

const listed = async (query: Parameters<TestStore['store']['calls']['list']>[0]): Promise<readonly string[]> =>
  (await test.store.calls.list(query)).map(({ id }) => id);
const ofMine = (...numbers: readonly number[]): readonly string[] => numbers.map((n) => `${mine}${n}`);

it.each<[string, string, number[]]>([
  ['hardly any call has', 'violin', [120, 80, 40]],
  ['hardly any has, by its beginning', 'vio', [120, 80, 40]],
  ['hardly any has together', 'violin parcel', [120, 80, 40]],
  ['nobody has said', 'cello', []],
  ['are none', '', []],
])('words that %s', async (_, words, numbers) => {
  expect(await listed({ accountId: mine, words })).toEqual(ofMine(...numbers));
  expect(await listed({ accountId: mine, words, limit: 1 })).toEqual(ofMine(...numbers.slice(0, 1)));
});

it('words that every call has: the newest first, page by page, and with other conditions', async () => {
  const page = await test.store.calls.list({ accountId: mine, words: 'parcel', limit: 2 });
  expect(page.map(({ id }) => id)).toEqual(ofMine(120, 119));
  const { startedAt, id } = page[1]!;
  expect(await listed({ accountId: mine, words: 'parcel', limit: 2, before: { startedAt, id } })).toEqual(
    ofMine(118, 117),
  );
  expect(await listed({ accountId: mine, words: 'parcel', endReason: 'no-engine' })).toEqual(ofMine(9));
});

it('words of all accounts, and of none', async () => {
  expect(new Set(await listed({ words: 'violin' }))).toEqual(
    new Set([mine, other].flatMap((one) => [120, 80, 40].map((n) => `${one}${n}`))),
  );
  expect(await listed({ accountId: 'acc_none', words: 'violin' })).toEqual([]);
});

it('calls by how they ended, and by how long they were, also where one has that alone', async () => {
  expect(await listed({ accountId: mine, endReason: 'no-engine' })).toEqual(ofMine(9));
  expect(await listed({ accountId: mine, talkMsMin: 300_000 })).toEqual(ofMine(7));
  expect(await listed({ accountId: mine, talkMsMin: 119_000 })).toEqual(ofMine(120, 119, 7));
});
