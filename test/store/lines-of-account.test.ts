import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import type { CallStart } from '../../src/store/call-rows.ts';
import { Store } from '../../src/store/store.ts';
import { beginCall } from '../support/money.ts';
import { openTestStore, type SharedTestStore, temporaryFolder } from '../support/postgres-store.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // a real database, on a machine that may be busy

const LINES = 4;
let test: SharedTestStore;
let nodes: readonly Store[];
beforeAll(async () => {
  test = await openTestStore();
  const { databaseUrl } = test;
  const open = () =>
    Store.open({ databaseUrl, dataFolder: temporaryFolder(), logger: silentLogger, callsPerAccountMax: LINES });
  nodes = [await open(), await open()];
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await test.close();
});

async function account(): Promise<string> {
  const { id } = await test.store.accounts.create('busy');
  await test.store.charges.topup(newId('chg'), id, 10_000, 'topup', '');
  return id;
}
function begin(node: Store, accountId: string, id = newId('call')): Promise<string> {
  const call: CallStart = {
    ...{ id, sipCallId: id, accountId, agentId: 'agt_x', agentVersion: 1, agentName: 'x' },
    ...{ direction: 'inbound', from: '1', to: '2', startedAt: new Date() },
  };
  const charge = { id: `${id}/minute/0`, accountId, cents: 3, owner: id, kind: 'call-minute' } as const;
  return beginCall(node, call, charge);
}
const end = (id: string) => test.store.pool.query('UPDATE calls SET ended_at = now() WHERE id = $1', [id]);

it('has as many calls at once as the gateways give one account, however many ask at the same time on two of them', async () => {
  const [busy, other] = [await account(), await account()];
  const ids = Array.from({ length: 4 * LINES }, () => newId('call'));
  const outcomes = await Promise.all(ids.map((id, n) => begin(nodes[n % 2]!, busy, id)));
  expect(outcomes.filter((one) => one === 'reserved')).toHaveLength(LINES);
  expect(outcomes.filter((one) => one === 'every-line')).toHaveLength(3 * LINES);
  expect(await nodes[0]!.bookings.refusal(busy)).toBe('every-line');
  expect(await begin(nodes[0]!, other)).toBe('reserved');
  expect(await nodes[0]!.bookings.refusal(other)).toBeUndefined();
  const begun = ids[outcomes.indexOf('reserved')]!;
  expect(await begin(nodes[1]!, busy, begun)).toBe('duplicate'); // asked again, it does not count itself
  await end(begun);
  expect(await nodes[1]!.bookings.refusal(busy)).toBeUndefined();
  expect([await begin(nodes[1]!, busy), await begin(nodes[0]!, busy)]).toEqual(['reserved', 'every-line']);
});

it('keeps to the stricter of its own limit and that of the gateways, and a tool that has none begins what it likes', async () => {
  const busy = await account();
  await test.store.accounts.change(busy, { callsAtOnceMax: 1 });
  expect([await begin(nodes[0]!, busy), await begin(nodes[1]!, busy)]).toEqual(['reserved', 'calls-at-once']);
  await test.store.accounts.change(busy, { callsAtOnceMax: LINES + 10 });
  for (let n = 1; n < LINES; n += 1) expect(await begin(nodes[n % 2]!, busy)).toBe('reserved');
  expect([await begin(nodes[0]!, busy), await begin(test.store, busy)]).toEqual(['every-line', 'reserved']);
});
