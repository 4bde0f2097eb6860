import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { DEFINITION } from '../support/manage-things.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}
interface Entry extends Code {
  readonly id: string;
  readonly number: string;
  readonly owner: string;
}
interface Page {
  readonly items: readonly Entry[];
  readonly next: string | null;
}

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});

const add = (body: object) => rig.ask<Entry>('POST /do-not-call', { body });

describe('the do-not-call list', () => {
  it('knows a number however it is written, and keeps calls from it', async () => {
    const agent = await rig.store.agents.create(rig.accountId, DEFINITION, 'live');
    await rig.store.numbers.assign('+966112345678', rig.accountId, agent.id);
    await rig.store.charges.topup('of a test', rig.accountId, 100, 'topup', '');
    const added = await add({ number: '٠٥٠ ١٢٣ ٤٥٦٧', reason: 'asked' });
    expect(added.body).toMatchObject({ number: '+966501234567', reason: 'asked', until: null, owner: 'account' });
    const order = (to: string) => rig.ask<Code>('POST /calls', { body: { agent: agent.id, to } });
    const refused = await order('00966501234567');
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      'Not called: The number is on the do-not-call list.',
    ]);
    const again = await add({ number: '0501234567', reason: 'again' });
    expect(again.body).toMatchObject({ id: added.body.id, reason: 'again' });
    const found = await rig.ask<Page>('GET /do-not-call?number=050-123-4567');
    expect(found.body.items.map(({ id }) => id)).toEqual([added.body.id]);
    const audit = await rig.ask('GET /audit?target_kind=do-not-call');
    expect(audit.text).toContain(added.body.id);
    expect(audit.text).not.toContain('501234567');
    expect((await rig.ask(`DELETE /do-not-call/${added.body.id}`)).status).toBe(204);
    expect((await rig.ask(`DELETE /do-not-call/${added.body.id}`)).status).toBe(404);
    expect((await order('00966501234567')).body.error?.message ?? '').not.toContain('do-not-call');
  });

  it('ends where it was for a time', async () => {
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await add({ number: '0501111111', until });
    expect(await rig.store.doNotCall.has('+966501111111', rig.accountId)).toBe(true);
    await rig.store.pool.query(`UPDATE do_not_call SET until = now() - interval '1 s' WHERE number = '+966501111111'`);
    expect(await rig.store.doNotCall.has('+966501111111', rig.accountId)).toBe(false);
    expect((await add({ number: '0501111111' })).body.id).toBe(body.id); // for ever now
    expect(await rig.store.doNotCall.has('+966501111111', rig.accountId)).toBe(true);
    expect((await add({ number: '0501111111', until: '2020-01-01T00:00:00Z' })).status).toBe(400);
    expect((await add({ number: 'nobody' })).status).toBe(400);
  });

  it('takes a list of numbers, and says which lines are none', async () => {
    const text = '0502000001,moved away\r\n+966502000002;"angry, very"\n\nname,number\n0502000001\n966\u0000x';
    const { body } = await rig.ask('POST /do-not-call/import', { body: { text, reason: 'list of May' } });
    expect(body).toEqual({
      ...{ added: 2, known: 1, refused: 2 },
      first_refused: [
        { line: 4, text: 'name,number' },
        { line: 6, text: '966\u0000x' },
      ],
    });
    const { body: list } = await rig.ask<Page>('GET /do-not-call?limit=2');
    expect(list.items.map(({ number }) => number).sort()).toEqual(['+966502000001', '+966502000002']);
    const rest = await rig.ask<Page>(`GET /do-not-call?limit=2&after=${list.next}`);
    expect(rest.body.items.map(({ number }) => number)).toEqual(['+966501111111']);
  });

  it.runIf(EVERY_TEST)('holds 60,000 lines at once', async () => {
    const text = Array.from({ length: 60_000 }, (_, n) => `+9665${String(30_000_000 + n)}`).join('\n');
    const { status, body } = await rig.ask<{ added: number }>('POST /do-not-call/import', { body: { text } });
    expect([status, body.added]).toEqual([200, 60_000]);
  });

  it('of the operator holds for all, and is not theirs to remove', async () => {
    const [row] = await rig.store.doNotCall.put([{ number: '+966500000999' }], undefined);
    const { body } = await rig.ask<Page>('GET /do-not-call?number=%2B966500000999', { key: rig.otherKey });
    expect(body.items.map(({ owner }) => owner)).toEqual(['operator']);
    expect((await rig.ask(`DELETE /do-not-call/dnc_${row!.id}`, { key: rig.otherKey })).status).toBe(404);
  });
});

describe('the audit log', () => {
  it('is narrowed by kind and time', async () => {
    type Audit = { items: { action: string; at: string }[] };
    await rig.ask('POST /tokens', { body: { name: 'x' } });
    const tokens = await rig.ask<Audit>('GET /audit?target_kind=token');
    expect(new Set(tokens.body.items.map(({ action }) => action))).toEqual(new Set(['createToken']));
    const { at } = tokens.body.items[0]!;
    expect((await rig.ask<Audit>(`GET /audit?target_kind=token&to=${at}`)).body.items).toEqual([]);
    expect((await rig.ask<Audit>(`GET /audit?target_kind=token&from=${at}`)).body.items.length).toBe(1);
  });
});
