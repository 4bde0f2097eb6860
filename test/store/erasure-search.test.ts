import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { usualForms } from '../../src/core/caller-number.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { WALKS } from '../../src/store/erasure/places.ts';
import { Store } from '../../src/store/store.ts';
import { DEFINITION } from '../support/manage-things.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';

const NUMBER = '0507654321';
const PIECE = WALKS[0].rows;
/** Two whole pieces of calls and a part of one. */
const CALLS = 2 * PIECE + 7;
/** In the middle of the second piece, the way that no index is asked for. */
const [ODD, TOLD] = [PIECE + 250, PIECE + 260];

let test: SharedTestStore;
let store: Store;
let account: string;
const of = () => ({ countryCode: '966', accountId: account });

beforeAll(async () => {
  test = await openTestStore();
  store = test.store;
});
afterAll(() => test.close());

/** Call n is n minutes old; 3 is theirs, and so is `ODD`; `TOLD` is another's who names them. */
beforeEach(async () => {
  account = (await store.accounts.create('Bakery')).id;
  const agent = (await store.agents.create(account, DEFINITION)).id;
  await store.pool.query(
    `INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number, gateway, started_at, ended_at)
      SELECT $1 || n, 'x', $1, $2, 1, 'a', CASE n WHEN 3 THEN '+966507654321' WHEN ${ODD} THEN 'tel:+966-50-765-4321' ELSE '+96650' || n END, '8001',
        'gw_there_1', now() - n * interval '1 minute', now() FROM generate_series(1, ${CALLS}) AS n`,
    [account, agent],
  );
  await store.pool.query(
    `INSERT INTO turns (call_id, index, role, text, started_ms, heard_ms) SELECT $1 || n, 0, 'caller', CASE n WHEN ${TOLD} THEN 'my sister has 050 765 4321'
      ELSE 'turn ' || n END, 0, 0 FROM unnest(ARRAY[3, ${ODD}, ${TOLD}]) AS n`,
    [account],
  );
});

const numberOf = async (n: number) => (await store.calls.get(`${account}${n}`))?.call.from;
const said = async (n: number) => (await store.calls.get(`${account}${n}`))?.turns.map(({ text }) => text);
const sealed = async (id: string): Promise<unknown> =>
  (await store.pool.query('SELECT sealed_number FROM erasures WHERE id = $1', [id])).rows[0].sealed_number;

it('has what an index finds gone before anything is searched', async () => {
  const erasure = await store.erasures.erase(NUMBER, of(), { piecesMax: 0 });
  expect(erasure).toMatchObject({ doneAt: null, found: { calls: 1, turns: 1, mentions: 0 }, search: { calls: 0 } });
  expect([await numberOf(3), await numberOf(ODD)]).toEqual(['', 'tel:+966-50-765-4321']);
});

it('is not done before everything was looked through, whoever goes on, and keeps the number no longer', async () => {
  const { id } = await store.erasures.erase(NUMBER, of(), { piecesMax: 1 });
  expect(await store.erasures.get(id)).toMatchObject({ doneAt: null, search: { walk: 0, calls: PIECE } });
  expect(String(await sealed(id))).not.toContain('507654321');
  await store.erasures.goOn();
  expect((await store.erasures.get(id))?.doneAt).toBeNull();
  // Another process, with the same key: pieces of before are not looked through again.
  const other = await Store.open({ dataFolder: test.dataFolder, databaseUrl: test.databaseUrl, logger: silentLogger });
  try {
    await other.erasures.searchOn(1);
    expect(await store.erasures.get(id)).toMatchObject({
      search: { calls: 2 * PIECE },
      found: { calls: 2, mentions: 1 },
    });
    await other.erasures.searchOn(100, () => true);
    expect((await store.erasures.get(id))?.search?.calls).toBe(2 * PIECE);
    await other.erasures.searchOn(100);
  } finally {
    await other.close();
  }
  const erasure = await store.erasures.get(id);
  expect(erasure).toMatchObject({ search: null, found: { calls: 2, turns: 2, mentions: 1 } });
  expect([erasure?.doneAt === null, await sealed(id)]).toEqual([false, null]);
  expect([await numberOf(ODD), await said(TOLD), await numberOf(CALLS)]).toEqual([
    '',
    ['my sister has [erased]'],
    `+96650${CALLS}`,
  ]);
});

it('two who search at once each have pieces of their own, and count everything once', async () => {
  const { id } = await store.erasures.erase(NUMBER, of(), { piecesMax: 0 });
  await Promise.all([store.erasures.searchOn(100), store.erasures.searchOn(100)]);
  expect(await store.erasures.get(id)).toMatchObject({ search: null, found: { calls: 2, turns: 2, mentions: 1 } });
});

it('a call of theirs that goes on is waited for, and counted once', async () => {
  await store.pool.query('UPDATE calls SET ended_at = NULL WHERE id = $1', [`${account}3`]);
  const { id, doneAt } = await store.erasures.erase(NUMBER, of());
  expect(doneAt).toBeNull();
  expect(await store.erasures.get(id)).toMatchObject({ found: { calls: 2 }, waits: { calls: [`${account}3`] } });
  await store.pool.query('UPDATE calls SET ended_at = now() WHERE id = $1', [`${account}3`]);
  await store.erasures.goOn();
  expect([(await store.erasures.get(id))?.doneAt === null, await numberOf(3)]).toEqual([false, '']);
});

it('what is tried in part says so, and changes nothing', async () => {
  const { id, ...tried } = await store.erasures.erase(NUMBER, of(), { isTried: true, piecesMax: 1 });
  expect(tried).toMatchObject({ found: { calls: 1 }, search: { calls: PIECE } });
  expect([await store.erasures.get(id), await numberOf(3)]).toEqual([undefined, '+966507654321']);
});

it('a hundred that always fail, and are older, keep a newer one from nothing', async () => {
  const { id } = await store.erasures.erase(NUMBER, of(), { piecesMax: 0 });
  await store.pool.query(
    `INSERT INTO erasures (id, account_id, number_hmac, country_code, asked_at, found, waits, search, sealed_number)
      SELECT 'ers_old' || n, account_id, number_hmac, country_code, asked_at - interval '1 day', found, '{}', search, 'x'
      FROM erasures, generate_series(1, 100) AS n WHERE id = $1`,
    [id],
  );
  try {
    for (let round = 0; round < 2; round += 1) await store.erasures.searchOn(300).catch(() => undefined);
    expect((await store.erasures.get(id))?.search).toBeNull();
    await store.pool.query('UPDATE erasures SET done_at = NULL WHERE id = $1', [id]);
    const failed = new Set<string>();
    for (let round = 0; round < 2; round += 1) await store.erasures.goOn((one) => void failed.add(one));
    expect((await store.erasures.get(id))?.doneAt).not.toBeNull();
    expect(failed.size).toBe(100);
  } finally {
    await store.pool.query(`DELETE FROM erasures WHERE id LIKE 'ers_old%'`);
  }
});

it('a search that fails does not keep others from theirs, and is told', async () => {
  const { id: broken } = await store.erasures.erase(NUMBER, of(), { piecesMax: 0 });
  const { id } = await store.erasures.erase('0551112222', of(), { piecesMax: 0 });
  await store.pool.query(`UPDATE erasures SET sealed_number = 'x' WHERE id = $1`, [broken]);
  await expect(store.erasures.searchOn(100)).rejects.toThrow(/cannot be opened/);
  expect([(await store.erasures.get(id))?.search, (await store.erasures.get(broken))?.search?.calls]).toEqual([
    null,
    0,
  ]);
  await store.pool.query('DELETE FROM erasures WHERE id = $1', [broken]);
});

it('of all accounts goes through those of each', async () => {
  const { id } = await store.erasures.erase(NUMBER, { countryCode: '966', accountId: undefined });
  expect((await store.erasures.get(id))?.search).toBeNull();
  expect([await numberOf(3), await numberOf(ODD), await said(TOLD)]).toEqual(['', '', ['my sister has [erased]']]);
});

it.each([
  ['966507654321', ['+966507654321', '00966507654321', '966507654321', '0507654321', '507654321']],
  ['12025550123', ['+12025550123', '0012025550123', '12025550123']],
  ['1000', ['1000']],
  ['name:noura', ['noura']],
])('%s is usually written %j', (key, forms) => {
  expect(usualForms(key, '966')).toEqual(forms);
});
