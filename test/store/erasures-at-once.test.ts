import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // a real database, on a machine that may be busy

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

const lockWaits = async (): Promise<boolean> => {
  const { rows } = await test.store.pool.query<{ waits: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`,
  );
  return rows[0]!.waits;
};

it.each([
  ['takes a node that has forgotten from the list', `waits = jsonb_set(waits, '{nodes}', '["b"]')`, ['b'], false],
  ['ends the erasure', `waits = jsonb_set(waits, '{nodes}', '[]'), done_at = now()`, [], true],
])('what another gateway writes meanwhile stays where it %s', async (_, change, nodes, isDone) => {
  const { pool, erasures, accounts } = test.store;
  const { id: accountId } = await accounts.create('Bakery');
  await pool.query('DELETE FROM gateways; DELETE FROM erasures');
  for (const node of ['a', 'b'])
    await pool.query('INSERT INTO gateways (id, node, expires_at) VALUES ($1, $2, now())', [`gw_${node}_1`, node]);
  const { id } = await erasures.erase('0507654321', { countryCode: '966', accountId });
  expect((await erasures.get(id))?.waits.nodes).toEqual(['a', 'b']);
  const other = await pool.connect();
  try {
    await other.query('BEGIN');
    await other.query(`UPDATE erasures SET ${change} WHERE id = $1`, [id]);
    const going = erasures.goOn(); // has read what there was before, and waits for the other
    await until(lockWaits, 'the two meet');
    await other.query('COMMIT');
    await going;
  } finally {
    other.release();
  }
  const { waits, doneAt } = (await erasures.get(id))!;
  expect([waits.nodes, doneAt !== null]).toEqual([nodes, isDone]);
});
