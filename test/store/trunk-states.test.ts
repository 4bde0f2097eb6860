import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TrunkStatus } from '../../src/core/trunk-status.ts';
import { TrunkStateRows } from '../../src/store/trunk-states.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { trunkDefinition } from '../support/trunks.ts';

let rig: SharedTestStore;
beforeAll(async () => {
  rig = await openTestStore();
});
afterAll(() => rig.close());

const status = (state: 'up' | 'down'): TrunkStatus => ({ hosts: [{ uri: 'sip:192.0.2.10', state, answerMs: 3 }] });

it('how trunks are is told by each gateway, for as long as it runs and the trunk is there', async () => {
  const { store } = rig;
  const trunk = await store.trunks.put(undefined, trunkDefinition({ name: 'a' }));
  if (trunk === 'full') throw new Error('full');
  const other = new TrunkStateRows(store.pool, { id: 'another' });
  await store.trunkStates.tell(new Map([[trunk.id, status('down')]]));
  await store.trunkStates.tell(new Map([[trunk.id, status('up')]]));
  await other.tell(
    new Map([
      [trunk.id, status('down')],
      ['trk_gone', status('up')],
    ]),
  );
  const listed = async () => [...(await store.trunkStates.list())];
  expect(await listed()).toEqual([[trunk.id, expect.arrayContaining([status('up'), status('down')])]]);
  await other.takeBack();
  expect(await listed()).toEqual([[trunk.id, [status('up')]]]);
  await store.pool.query(`UPDATE trunk_states SET updated_at = now() - interval '2 minutes'`);
  expect(await listed()).toEqual([]);
  await store.trunkStates.tell(new Map([[trunk.id, status('up')]]));
  await store.trunks.remove(trunk.id);
  expect(await listed()).toEqual([]);
});
