import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly found: { readonly calls: number };
  readonly error: { readonly code: string; readonly message: string };
}

describe('a person of an account', () => {
  let rig: ManageRig;
  let call: string;
  beforeAll(async () => {
    rig = await manageRig();
    const { store, accountId } = rig;
    await store.charges.topup('credit', accountId, 1_000, 'topup', '');
    const agent = (await store.agents.create(accountId, DEFINITION)).id;
    await store.numbers.assign('+966112345678', accountId, agent);
    ({ call } = await callOf(store, accountId, agent));
    await store.pool.query(`UPDATE calls SET from_number = '0507654321', to_number = '+966112345678' WHERE id = $1`, [
      call,
    ]);
    await endCall(store, call);
  });
  afterAll(async () => {
    expect(await rig?.unaudited()).toEqual([]);
    await rig?.close();
  });

  it('is shown what there is of them, and erased, without the number in the audit log', async () => {
    const number = '+966 50 765 4321';
    const told = await rig.ask<{ calls: { id: string }[] }>('POST /person-exports', { body: { number } });
    expect(told.body.calls.map(({ id }) => id)).toEqual([call]);
    const erase = (body: object) => rig.ask<Shown>('POST /erasures', { body });
    expect((await erase({ number, dry_run: true })).body).toMatchObject({ state: 'tried', found: { calls: 1 } });
    expect((await rig.ask<{ items: Shown[] }>('GET /erasures')).body.items).toEqual([]);
    const { body, status } = await erase({ number });
    expect([status, body]).toMatchObject([201, { state: 'done', found: { calls: 1 } }]);
    expect((await rig.ask<Shown>(`GET /erasures/${body.id}`)).body).toEqual(body);
    expect((await rig.ask<{ items: Shown[] }>('GET /erasures')).body.items).toEqual([body]);
    expect((await rig.ask(`GET /erasures/${body.id}`, { key: rig.otherKey })).status).toBe(404);
    const { rows } = await rig.store.pool.query('SELECT a::text AS row FROM audit_entries a');
    expect(JSON.stringify(rows)).toMatch(/erasePerson/);
    expect(JSON.stringify(rows)).not.toMatch(/765 ?4321/);
  });

  it('is none where an agent answers the number', async () => {
    const { status, body } = await rig.ask<Shown>('POST /erasures', { body: { number: '0112345678' } });
    expect([status, body.error]).toMatchObject([409, { code: 'not_possible' }]);
  });
});
