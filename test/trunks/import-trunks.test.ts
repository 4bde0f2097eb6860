import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestHashes } from '../../src/store/phones.ts';
import { importTrunks, type NewTrunk, storeTrunk } from '../../src/trunks/import-trunks.ts';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';
import { trunkDefinition } from '../support/trunks.ts';

let rig: TestStore;
beforeAll(async () => {
  rig = await openTestStore();
});
afterAll(() => rig.close());

const file = (name: string, source: string, changed: Partial<NewTrunk> = {}): NewTrunk => ({
  definition: trunkDefinition({ name, inbound: { sources: [source], auth: 'digest', username: name } }),
  ...{ account: undefined, password: undefined, inboundPassword: undefined, unset: [], ...changed },
});

it('a trunk file is imported once, with its passwords sealed, and a removed one does not come back', async () => {
  const { store } = rig;
  const files = [file('one', '192.0.2.1', { password: 'out', inboundPassword: 'in' })];
  expect(await importTrunks(store, files, 'nidaa')).toEqual(['one']);
  const trunk = (await store.trunks.get('one', undefined))!;
  expect(trunk.byOperator).toBe(true);
  expect(await store.trunks.secretsOf(trunk.id)).toEqual({
    password: 'out',
    inbound: digestHashes('one', 'nidaa', 'in'),
  });
  await store.trunks.remove(trunk.id);
  const again = [file('one', '192.0.2.1', { unset: ['NOT_SET_ANY_MORE'] }), file('two', '192.0.2.2')];
  expect(await importTrunks(store, again, 'nidaa')).toEqual(['two']);
  expect(await importTrunks(store, again, 'nidaa')).toEqual([]);
  expect((await store.trunks.list()).map(({ definition }) => definition.name)).toEqual(['two']);
});

it('what cannot be stored is said, and nothing is stored of it', async () => {
  const { store } = rig;
  await expect(storeTrunk(store, file('x', '192.0.2.9', { account: 'Nobody' }), 'nidaa')).rejects.toThrow(
    /No single account/,
  );
  await expect(storeTrunk(store, file('x', '192.0.2.9', { unset: ['A_PASSWORD'] }), 'nidaa')).rejects.toThrow(
    /set A_PASSWORD/,
  );
  await storeTrunk(store, file('open', '192.0.2.7'), 'nidaa');
  const same = {
    ...file('shut', '192.0.2.7'),
    definition: trunkDefinition({ name: 'shut', inbound: { sources: ['192.0.2.7'], auth: 'none' } }),
  };
  await expect(storeTrunk(store, same, 'nidaa')).rejects.toThrow(/open takes the calls of 192\.0\.2\.7 already/);
  await storeTrunk(store, file('told-apart', '192.0.2.7'), 'nidaa'); // by another digest user
  expect(await store.trunks.get('shut', undefined)).toBeUndefined();
});

it('one user is one trunk or one phone: the other would be checked against a password that is not its own', async () => {
  const { store } = rig;
  const { id: account } = await store.accounts.create('names');
  const anywhere = (name: string, username: string): NewTrunk => ({
    ...file(name, '192.0.2.30'),
    definition: trunkDefinition({ name, inbound: { sources: [], auth: 'digest', username } }),
  });
  await storeTrunk(store, anywhere('first', 'pbx'), 'nidaa');
  await expect(storeTrunk(store, anywhere('second', 'pbx'), 'nidaa')).rejects.toThrow(/first is known by user pbx/);
  await storeTrunk(store, anywhere('first', 'pbx'), 'nidaa'); // itself again
  const phone = { name: 'desk', realm: 'nidaa' };
  expect(await store.phones.create(account, { ...phone, username: 'pbx' })).toBe('taken');
  expect(await store.phones.create(account, { ...phone, username: 'desk' })).not.toBe('taken');
  await expect(storeTrunk(store, anywhere('third', 'desk'), 'nidaa')).rejects.toThrow(/phone .*user desk/);
});
