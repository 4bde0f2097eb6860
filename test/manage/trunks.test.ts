import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { DEFINITION, TRUNK } from '../support/manage-things.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}
interface TrunkBody extends Code {
  readonly id: string;
  readonly definition: { readonly hosts: readonly object[] } | null;
}

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});

const create = (definition: object, more: object = {}) =>
  rig.ask<TrunkBody>('POST /trunks', { body: { definition, ...more } });

describe('trunks', () => {
  it('are made with a password that nobody sees again, changed, and deleted', async () => {
    const outbound = { username: 'nidaa', realm: 'sbc.example.net' };
    const made = await create({ ...TRUNK, name: 'carrier', outbound }, { password: 'canary-password' });
    expect(made.status).toBe(201);
    const { id, definition } = made.body;
    expect((await rig.store.trunks.secretsOf(id)).password).toBe('canary-password');
    for (const what of [`GET /trunks/${id}`, 'GET /trunks', 'GET /audit']) {
      expect((await rig.ask(what)).text).not.toContain('canary-password');
    }
    const tag = (await rig.ask(`GET /trunks/${id}`)).headers.get('etag')!;
    const change = (name: string, sources: string[]) =>
      rig.ask<TrunkBody>(`PUT /trunks/${id}`, {
        body: { definition: { ...definition, name, inbound: { sources } } },
        headers: { 'if-match': tag },
      });
    expect((await change('another', ['198.51.100.7'])).body.error.message).toBe(
      'Not possible: a trunk keeps its name.',
    );
    expect((await change('carrier', ['198.51.100.8'])).status).toBe(200);
    expect((await change('carrier', ['198.51.100.9'])).body.error.code).toBe('edited_meanwhile');
    expect((await rig.store.trunks.secretsOf(id)).password).toBe('canary-password');
    expect((await create({ ...TRUNK, name: 'carrier' })).body.error.code).toBe('taken');
    expect((await rig.ask(`DELETE /trunks/${id}`)).status).toBe(204);
    expect((await rig.ask(`GET /trunks/${id}`)).status).toBe(404);
  });

  it.each([
    {
      name: 'a source that is none',
      definition: { name: 'x', inbound: { sources: ['nowhere'] } },
      says: /inbound\.sources\[0\]/,
    },
    { name: 'a key that is none', definition: { name: 'x', colour: 'red' }, says: /colour: unknown key/ },
    { name: 'two faults', definition: { colour: 'red' }, says: /\(and 1 more\)/ },
  ])('are refused with the field: $name', async ({ definition, says }) => {
    const { status, body } = await create(definition);
    expect([status, body.error.code]).toEqual([422, 'invalid_definition']);
    expect(body.error.message).toMatch(says);
  });

  it('take no password from the environment, and no calls of another', async () => {
    const fromEnvironment = { ...TRUNK, name: 'env', outbound: { username: 'x', realm: 'y', passwordEnv: 'PATH' } };
    expect((await create(fromEnvironment)).body.error.code).toBe('not_possible');
    const first = await create({ ...TRUNK, name: 'first', inbound: { sources: ['192.0.2.1'] } });
    expect(first.status).toBe(201);
    expect(
      (await create({ ...TRUNK, name: 'second', inbound: { sources: ['192.0.2.1'] } })).body.error.message,
    ).toMatch(/takes the calls of/);
  });

  it('of operators are named to accounts, not described', async () => {
    const { body } = await create({ ...TRUNK, name: 'for all', inbound: { sources: ['192.0.2.9'] } });
    await rig.store.pool.query('UPDATE trunks SET account_id = NULL WHERE id = $1', [body.id]);
    await rig.store.trunkStates.tell(new Map([[body.id, { hosts: [{ uri: 'sip:sbc.example.net', state: 'up' }] }]]));
    const seen = await rig.ask<TrunkBody>(`GET /trunks/${body.id}`, { key: rig.otherKey });
    expect(seen.body).toMatchObject({ owner: 'operator', definition: null, status: [{ hosts: [{ state: 'up' }] }] });
    expect((await rig.ask<TrunkBody>(`GET /trunks/${body.id}`)).body.definition).not.toBeNull();
  });
});

describe('a call from an address', () => {
  it('is explained: who it is of, whom it reaches, and what would let it in', async () => {
    const agent = await rig.store.agents.create(rig.accountId, DEFINITION, 'live');
    await rig.store.numbers.assign('3000', rig.accountId, agent.id);
    const theirs = await rig.store.agents.create(rig.otherAccountId, DEFINITION, 'live');
    await rig.store.numbers.assign('4000', rig.otherAccountId, theirs.id);
    await create({ ...TRUNK, name: 'known', inbound: { sources: ['203.0.113.5'] } });
    const explain = async (number: string, address: string) =>
      (await rig.ask(`GET /routing/in?number=${number}&address=${address}`)).body;
    expect(await explain('3000', '203.0.113.5')).toMatchObject({
      taken: true,
      source: 'trunk known',
      agent_id: agent.id,
      reason: null,
    });
    expect(await explain('4000', '203.0.113.5')).toMatchObject({
      taken: false,
      reason: 'no-such-number',
      agent_id: null,
    });
    expect(await explain('3000', '203.0.113.6')).toMatchObject({
      ...{ taken: false, source: null, reason: 'not-allowed' },
      remedy: 'Name 203.0.113.6 in the sources of a trunk, or let the phone register.',
    });
    expect((await rig.ask('GET /routing/in?number=1&address=x')).status).toBe(400);
  });
});

describe('phones', () => {
  it('are made with a password that is shown once, listed with their contacts, and deleted', async () => {
    const made = await rig.ask<{ phone: { id: string }; password: string }>('POST /phones', {
      body: { name: 'reception' },
    });
    expect(made.status).toBe(201);
    const { id } = made.body.phone;
    const binding = {
      uri: 'sip:a@192.0.2.3',
      key: 'a',
      flow: 'sip:192.0.2.3',
      path: [],
      parameters: '',
      q: 1,
      callId: 'x',
      cseq: 1,
    };
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    await rig.store.registrations.save([{ phoneId: id, bindings: [{ ...binding, userAgent: 'Desk 1', expiresAt }] }]);
    const listed = await rig.ask<{ items: object[] }>('GET /phones');
    expect(listed.body.items).toEqual([
      {
        id,
        name: 'reception',
        user: 'reception',
        contacts: [{ uri: binding.uri, user_agent: 'Desk 1', expires_at: expiresAt }],
      },
    ]);
    expect(listed.text).not.toContain(made.body.password);
    const taken = await rig.ask<Code>('POST /phones', { key: rig.otherKey, body: { name: 'desk', user: 'reception' } });
    expect(taken.body.error.code).toBe('taken');
    expect((await rig.ask('POST /phones', { body: { name: 'no name' } })).status).toBe(400);
    expect((await rig.ask(`DELETE /phones/${id}`)).status).toBe(204);
  });
});

it('the system tells its versions, parts, load and storage', async () => {
  await rig.store.gateways.register();
  const { body } = await rig.ask<{ gateways: { this: boolean }[] }>('GET /system');
  expect(body).toMatchObject({
    versions: { nidaa: '1.2.3', node: process.version },
    parts: { sip: { state: 'ok', detail: null } },
    load: { calls: 0, capacity: 400 },
  });
  expect(body.gateways.map((one) => one.this)).toEqual([true]);
});
