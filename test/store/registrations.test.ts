import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KeptPhone } from '../../src/core/registration.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';

let rig: SharedTestStore;
let phoneId: string;
beforeAll(async () => {
  rig = await openTestStore();
  const account = await rig.store.accounts.create('mine');
  const made = await rig.store.phones.create(account.id, { name: 'desk', username: 'desk', realm: 'nidaa' });
  if (made === 'taken') throw new Error('taken');
  phoneId = made.phone.id;
});
afterAll(() => rig.close());

const registered = (id: string, ...leftMs: readonly number[]): KeptPhone => ({
  phoneId: id,
  bindings: leftMs.map((ms, index) => ({
    ...{ uri: `sip:desk@h:${index}`, key: `${index}`, flow: 'sip:192.0.2.1:5070', path: [], parameters: '' },
    ...{ q: 1, callId: 'c', cseq: 7, userAgent: 'phone', expiresAt: new Date(Date.now() + ms).toISOString() },
  })),
});

it('what phones registered is kept as they said it, for its time and while there is such a phone', async () => {
  const { registrations, phones } = rig.store;
  const [odd] = registered(phoneId, 60_000).bindings;
  await registrations.save([{ phoneId, bindings: [{ ...odd!, path: ['<sip:edge\ud83d'], userAgent: 'a\0b' }] }]);
  expect((await registrations.load())[0]?.bindings[0]).toMatchObject({ path: ['<sip:edge'], userAgent: 'ab' });
  const two = registered(phoneId, 60_000, 120_000);
  await registrations.save([two, registered('pho_gone', 60_000)]);
  expect(await registrations.load()).toEqual([two]);
  const one = registered(phoneId, 60_000);
  await registrations.save([one]);
  expect(await registrations.load()).toEqual([one]);
  await registrations.save([registered(phoneId, -1_000)]);
  expect(await registrations.load()).toEqual([]);
  await registrations.save([one]);
  await registrations.save([registered(phoneId)]);
  expect(await registrations.load()).toEqual([]);
  await registrations.save([one]);
  await phones.remove(phoneId);
  expect(await registrations.load()).toEqual([]);
});
