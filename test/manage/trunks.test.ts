import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTrunk } from '../../src/config/trunks.ts';
import type { Scope } from '../../src/core/management.ts';
import { notice } from '../../src/core/notice.ts';
import { PUBLIC_ONLY } from '../../src/core/trunk.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { DEFINITION, TRUNK } from '../support/manage-things.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { takeLease } from '../support/take-lease.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}
interface TrunkBody extends Code {
  readonly id: string;
  readonly definition: { readonly hosts: readonly object[] } | null;
}

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig(() => ({ askHost: async (nextHop) => ({ status: 200, reason: `OK ${nextHop}` }) }));
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

  it('of an account lead to the public internet alone unless an operator wrote them, also where they are asked', async () => {
    const named = { ...TRUNK, name: 'by name', inbound: {}, hosts: ['sip:pbx.example.com'] };
    const { id } = (await rig.ask<TrunkBody>('POST /trunks', { key: rig.otherKey, body: { definition: named } })).body;
    const reason = async (key: string) =>
      (await rig.ask<{ items: { reason: string }[] }>(`POST /trunks/${id}/ping`, { key })).body.items[0]?.reason;
    const put = (key: string) => rig.ask(`PUT /trunks/${id}`, { key, body: { definition: named } });
    const keyWith = async (...scopes: Scope[]) =>
      (await rig.store.managementKeys.create(rig.otherAccountId, 'of others', scopes)).secret;
    const [own, operator] = [rig.otherKey, await keyWith('account', 'operator')];
    expect((await put(own)).status).toBe(200);
    expect(await reason(own)).toBe(`OK sip:pbx.example.com;transport=udp;${PUBLIC_ONLY}`);
    expect((await put(operator)).status).toBe(200);
    expect(await reason(own)).toBe('OK sip:pbx.example.com;transport=udp');
    await put(own);
    expect(await reason(operator)).toBe(`OK sip:pbx.example.com;transport=udp;${PUBLIC_ONLY}`);
    expect((await rig.ask(`DELETE /trunks/${id}`, { key: own })).status).toBe(204);
  });

  it('are switched off and on by their account, and say so where a call is explained; numbers, too', async () => {
    const { id } = (await create({ ...TRUNK, name: 'switched', inbound: { sources: ['192.0.2.200'] } })).body;
    const agent = await rig.store.agents.create(rig.accountId, { ...DEFINITION, name: 'Night desk' }, 'live');
    await rig.store.numbers.assign('7000', rig.accountId, agent.id);
    const turn = (what: string, enabled: boolean, key = rig.key) =>
      rig.ask<{ enabled: boolean }>(`PUT /${what}/enabled`, { key, body: { enabled } });
    const explained = async () => (await rig.ask('GET /routing/in?number=7000&address=192.0.2.200')).body;
    expect(await explained()).toMatchObject({ taken: true });
    const [trunk, number] = [`trunks/${id}`, 'numbers/7000'];
    for (const one of [trunk, number]) expect((await turn(one, false, rig.otherKey)).status).toBe(404);
    expect((await turn('numbers/7999', false)).status).toBe(404);
    for (const [one, detail] of [
      [number, 'the number is switched off'],
      [trunk, 'trunk switched is switched off'],
    ] as const) {
      expect((await turn(one, false)).body).toMatchObject({ enabled: false });
      const { remedy, ...told } = (await explained()) as Record<string, unknown>;
      expect(told).toMatchObject({ taken: false, reason: 'switched-off', detail });
      expect(remedy).toContain('Switch the');
      expect((await turn(one, true)).body).toMatchObject({ enabled: true });
      expect(await explained()).toMatchObject({ taken: true });
    }
    await turn(trunk, false);
    const { definition } = (await rig.ask<TrunkBody>(`GET /${trunk}`)).body;
    await rig.ask(`PUT /${trunk}`, { body: { definition } });
    expect((await rig.ask(`GET /${trunk}`)).body).toMatchObject({ enabled: false }); // another definition switches nothing on
    await rig.ask(`DELETE /${trunk}`);
    await rig.ask(`DELETE /${number}`);
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

describe('a trunk that an account makes by itself', () => {
  const own = { name: 'own', hosts: ['sip:sbc.example.net'], inbound: { sources: ['8.8.4.4'] } };
  const make = (definition: object) => rig.ask<TrunkBody>('POST /trunks', { key: rig.otherKey, body: { definition } });

  it('is its own to change, to ask and to delete; those of the operator are not', async () => {
    const made = await make(own);
    expect([made.status, made.body.definition]).toEqual([201, expect.objectContaining({ name: 'own' })]);
    const change = (id: string, definition: object) =>
      rig.ask<TrunkBody>(`PUT /trunks/${id}`, { key: rig.otherKey, body: { definition } });
    expect((await change(made.body.id, { ...own, hosts: ['sip:other.example.net'] })).status).toBe(200);
    const shared = await create({ ...TRUNK, name: 'shared', inbound: { sources: ['192.0.2.77'] } });
    await rig.store.pool.query('UPDATE trunks SET account_id = NULL WHERE id = $1', [shared.body.id]);
    for (const asked of [
      await change(shared.body.id, { ...own, name: 'shared' }),
      await rig.ask<Code>(`DELETE /trunks/${shared.body.id}`, { key: rig.otherKey }),
      await rig.ask<Code>(`POST /trunks/${shared.body.id}/ping`, { key: rig.otherKey }),
      await rig.ask<Code>(`PUT /trunks/${shared.body.id}/enabled`, { key: rig.otherKey, body: { enabled: false } }),
    ]) {
      expect([asked.status, asked.body.error.code]).toEqual([403, 'missing_scope']);
    }
    expect((await rig.ask(`DELETE /trunks/${made.body.id}`, { key: rig.otherKey })).status).toBe(204);
    expect((await rig.ask(`GET /trunks/${shared.body.id}`)).status).toBe(200);
  });

  it.each([
    ['sources inside the network', { inbound: { sources: ['10.0.0.7'] } }, /10\.0\.0\.7 is not on the public internet/],
    ['everybody', { inbound: { sources: ['0.0.0.0/0'] } }, /0\.0\.0\.0\/0 is/],
    ['a wide network', { inbound: { sources: ['8.8.0.0/16'] } }, /wider than \/28/],
    ["an address in another's network", { inbound: { sources: ['9.9.9.9'] } }, /calls of 9\.9\.9\.9 are taken/],
    ["a network around another's", { inbound: { sources: ['9.9.9.0/28'] } }, /calls of 9\.9\.9\.0\/28 are taken/],
    ['a host inside', { hosts: ['sip:127.0.0.1:5062'] }, /127\.0\.0\.1:5062 is not on the public internet/],
    ['a host inside, as IPv6', { hosts: ['sip:[fd00::1]'] }, /not on the public internet/],
    ['a local name', { hosts: ['sip:pbx.lan'] }, /pbx\.lan is not/],
    ['many lines', { limits: { callsIn: 101 } }, /limits\.callsIn is 100 at most/],
    ['a certificate', { inbound: { sources: [], certificateName: 'sbc.example.net' } }, /certificate/],
  ])('is refused for %s', async (_name, part, says) => {
    const taken = await rig.store.trunks.list();
    if (!taken.some(({ definition }) => definition.name === 'nine')) {
      expect((await create({ ...TRUNK, name: 'nine', inbound: { sources: ['9.9.9.8/30'] } })).status).toBe(201);
    }
    const { status, body } = await make({ ...own, name: 'refused', ...part });
    expect([status, body.error.code]).toEqual([409, 'not_possible']);
    expect(body.error.message).toMatch(says);
    expect(body.error.message).not.toContain('nine');
  });

  it('tells nothing of the users of others', async () => {
    const inbound = { sources: [], auth: 'digest', username: 'somebody' };
    expect((await create({ ...TRUNK, name: 'by user', inbound })).status).toBe(201);
    const { body } = await make({ ...own, name: 'too', inbound });
    expect(body.error.message).toBe('Not possible: an address or a user of it is taken already.');
  });
});

describe('the hosts of a trunk', () => {
  it('are asked whether they are there, as often as a person does', async () => {
    const { body: made } = await create({ ...TRUNK, name: 'asked', inbound: { sources: ['198.51.100.77'] } });
    const { body } = await rig.ask(`POST /trunks/${made.id}/ping`);
    expect(body).toEqual({
      items: [
        {
          uri: 'sip:sbc.example.net',
          ok: true,
          status: 200,
          reason: 'OK sip:sbc.example.net;transport=udp',
          reason_notice: null,
          answer_ms: 0,
        },
      ],
    });
    const more: number[] = [];
    for (let n = 0; n < 5; n += 1) more.push((await rig.ask(`POST /trunks/${made.id}/ping`)).status);
    expect(more).toEqual([200, 200, 200, 200, 429]);
  });
});

it.runIf(EVERY_TEST)('a host that does not answer is told of in English and as data', async () => {
  const silent = await manageRig(() => ({
    askHost: async () => ({ failed: notice('host.distrusted', { code: 'EXPIRED' }) }),
  }));
  const { id } = (await silent.ask<TrunkBody>('POST /trunks', { body: { definition: { ...TRUNK, name: 'x' } } })).body;
  const { body } = await silent.ask(`POST /trunks/${id}/ping`);
  const said = { code: 'host.distrusted', params: { code: 'EXPIRED' } };
  expect(body).toMatchObject({ items: [{ ok: false, reason: 'certificate refused: EXPIRED', reason_notice: said }] });
  await silent.close();
});

it('a fault of ours is one, and no database that is away: nobody is told to come again', async () => {
  const broken = await manageRig(() => ({
    askHost: () => Promise.reject(new Error('a bug')),
    system: () => Promise.reject(Object.assign(new Error('no such folder'), { code: 'ENOENT' })),
  }));
  const { id } = (await broken.ask<TrunkBody>('POST /trunks', { body: { definition: { ...TRUNK, name: 'x' } } })).body;
  for (const what of [`POST /trunks/${id}/ping`, 'GET /system']) {
    const { status, body } = await broken.ask<Code>(what);
    expect([what, status, body.error.code]).toEqual([what, 500, 'internal_error']);
  }
  await broken.store.pool.end();
  const { status, body } = await broken.ask<Code>('GET /trunks');
  expect([status, body.error.code]).toEqual([503, 'unavailable']);
  await broken.close().catch(() => undefined); // its pool is closed already
});

describe('recipes', () => {
  type Recipes = {
    gateway: { address: string; port: number; only_local: boolean };
    items: { id: string; name: string; definition: object; there: { text: string; fields: { value: string }[] }[] }[];
  };
  it.each(['en', 'ar'])('have everything filled in, and a definition that can be stored (%s)', async (language) => {
    const asked = `GET /trunk-recipes?language=${language}&theirs=sbc.carrier.example&number=%2B966112345678`;
    const { body, text } = await rig.ask<Recipes>(asked);
    expect(body.items.map(({ id }) => id)).toEqual(['asterisk', 'freepbx', '3cx', 'twilio', 'carrier']);
    expect(text).not.toMatch(/\{\{|undefined/);
    expect(body.gateway).toMatchObject({ port: 5060, only_local: false });
    const byAddress = await rig.ask<Recipes>(`GET /trunk-recipes?language=${language}&theirs=192.0.2.10`);
    for (const { id, definition } of [...body.items, ...byAddress.body.items]) {
      expect(parseTrunk(JSON.stringify(definition), id, {}).definition.name).toBe(id);
    }
    expect(/[\u0600-\u06ff]/.test(body.items.map(({ name }) => name).join(' '))).toBe(language === 'ar');
  });

  it('name where the gateway is, and take nothing that would be more than a name', async () => {
    const { body } = await rig.ask<Recipes>('GET /trunk-recipes?theirs=192.0.2.10&number=1000');
    const [asterisk] = body.items;
    expect(asterisk!.there[0]!.text).toContain(`contact=sip:${body.gateway.address}:5060\n`);
    expect(asterisk!.there[1]!.text).toBe('exten => 1000,1,Dial(PJSIP/1000@nidaa)\n');
    for (const query of ['theirs=a%0Ab', 'number=1)%20n', 'username=a%22']) {
      expect((await rig.ask(`GET /trunk-recipes?${query}`)).status).toBe(400);
    }
  });
});

describe('a call from an address', () => {
  it('is explained to an account as if there were no other', async () => {
    const agent = await rig.store.agents.create(rig.otherAccountId, { ...DEFINITION, name: 'Ours' }, 'live');
    await rig.store.numbers.assign('5000', rig.otherAccountId, agent.id);
    const theirs = await rig.store.agents.create(rig.accountId, { ...DEFINITION, name: 'Theirs' }, 'live');
    await rig.store.numbers.assign('6000', rig.accountId, theirs.id);
    await create({ ...TRUNK, name: 'of first', inbound: { sources: ['203.0.113.60'] } });
    const { body: all } = await create({ ...TRUNK, name: 'of all', inbound: { sources: ['203.0.113.61'] } });
    await rig.store.pool.query('UPDATE trunks SET account_id = NULL WHERE id = $1', [all.id]);
    const explain = async (number: string, address: string) =>
      (await rig.ask(`GET /routing/in?number=${number}&address=${address}`, { key: rig.otherKey })).body;
    expect(await explain('5000', '203.0.113.61')).toMatchObject({ taken: true, agent_id: agent.id });
    const others = await explain('6000', '203.0.113.61');
    expect(others).toMatchObject({ taken: false, reason: 'no-such-number', agent_id: null, account_id: null });
    expect({ ...others, called: '' }).toEqual({ ...(await explain('6001', '203.0.113.61')), called: '' });
    expect(await explain('6000', '203.0.113.60')).toMatchObject({ taken: false, source: null, reason: 'not-allowed' });
  });

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
  await takeLease(rig.store);
  const { body } = await rig.ask<{ gateways: { this: boolean }[] }>('GET /system');
  expect(body).toMatchObject({
    versions: { nidaa: '1.2.3', node: process.version },
    parts: { sip: { state: 'ok', detail: null } },
    load: { calls: 0, capacity: 400 },
  });
  expect(body.gateways.map((one) => one.this)).toEqual([true]);
});
