import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { type ApiRig, apiRig, type Sent } from '../support/api-rig.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';
import { type SocketRig, socketRig } from '../support/socket-rig.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

/** Everything of an account that has an id or a secret. */
interface Tenant {
  readonly accountId: string;
  readonly token: string;
  readonly ids: {
    readonly account: string;
    readonly token: string;
    readonly agent: string;
    readonly call: string;
    readonly sipCall: string;
    readonly session: string;
    readonly charge: string;
    readonly number: string;
    readonly key: string;
  };
}

const CREDIT = 1_000;
const DEFINITION: AgentDefinition = {
  ...{ name: 'Mine', language: 'en-US', voice: 'emma', model: 'sada-1', greeting: { en: 'Hi.' } },
};
const REDACT: Sent = { url: '/v1/privacy/redact', body: { text: 'a secret of mine' } };

let test: TestStore;
let billing: Billing;
let api: ApiRig;
let sockets: SocketRig;
let mine: Tenant;
let other: Tenant;

beforeAll(async () => {
  test = await openTestStore();
  const { store, dataFolder } = test;
  billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
  const service = { tokens: store.tokens, agents: store.agents, idempotency: store.idempotency };
  api = apiRig({ service: { ...service, ledger: billing.ledger, charges: billing.ledger } });
  await api.app.ready();
  const { socketTokens } = api.deps;
  sockets = await socketRig({ tokens: store.tokens, socketTokens, sessions: billing.sessionBook, clock: api.clock });
  [mine, other] = [await tenant(), await tenant()];
});
afterAll(async () => {
  await sockets?.close();
  await api?.app.close();
  await billing?.close();
  expect(await moneyFaults(test.store)).toEqual([]);
  await test?.close();
});

async function tenant(): Promise<Tenant> {
  const { store } = test;
  const { id: accountId } = await store.accounts.create('tenant');
  await billing.ledger.topup(newId('chg'), accountId, CREDIT);
  const { secret, token } = await store.tokens.create(accountId, 'test');
  const agent = await store.agents.create(accountId, DEFINITION, 'live');
  const number = newId('num');
  await store.numbers.assign(number, accountId, agent.id);
  const ids = {
    ...{ account: accountId, token: token.id, agent: agent.id, number, key: newId('chg') },
    ...{ call: newId('call'), sipCall: newId('call'), session: newId('ts'), charge: newId('chg') },
  };
  const call = {
    agentId: agent.id,
    agentVersion: 1,
    agentName: 'Mine',
    direction: 'inbound',
    from: '1',
    to: '2',
    startedAt: new Date(),
  } as const;
  await billing.callBook.begin({ ...call, id: ids.call, sipCallId: ids.sipCall, accountId });
  await billing.sessionBook.begin(ids.session, accountId);
  await billing.ledger.reserve({ id: ids.charge, accountId, cents: 1, owner: ids.charge, kind: 'ask' });
  return { accountId, token: secret, ids };
}

const keyed = (request: Sent, who: Tenant, key: string): Sent => ({
  ...{ ...request, token: who.token, headers: { 'idempotency-key': key } },
});

describe('what the API gives to one account about another', () => {
  /** Every place of the API that an id can be put into. */
  const places: readonly ((id: string) => Sent)[] = [
    (id) => ({ url: `/v1/agents/${id}/reply`, body: { text: 'hi', audio: false } }),
    (id) => ({ method: 'GET', url: `/v1/agents/${id}` }),
    (id) => ({ method: 'GET', url: `/v1/voices/${id}` }),
    (id) => ({ method: 'GET', url: `/v1/calls/${id}` }),
    (id) => ({ method: 'GET', url: `/v1/sessions/${id}` }),
    (id) => ({ url: '/v1/speech', body: { text: 'hi', voice: id } }),
    (id) => ({ method: 'GET', url: '/v1/models', token: id }),
  ];

  it('every id, in every place: the answer to an id that does not exist', async () => {
    const before = await billing.ledger.balance(mine.accountId);
    for (const [kind, id] of Object.entries(mine.ids)) {
      const unknown = newId('agt');
      for (const place of places) {
        const [foreign, none] = await Promise.all(
          [id, unknown].map((one) => api.send({ token: other.token, ...place(one) })),
        );
        const told = [foreign!.statusCode, foreign!.body.replaceAll(id, '')];
        expect([kind, ...told]).toEqual([kind, none!.statusCode, none!.body.replaceAll(unknown, '')]);
        expect(foreign!.statusCode).toBeGreaterThanOrEqual(400);
      }
    }
    expect(await billing.ledger.balance(mine.accountId)).toEqual(before);
  });

  it('an agent of its own is found: the places are real', async () => {
    const reply = { url: `/v1/agents/${mine.ids.agent}/reply`, body: { text: 'hi', audio: false } };
    expect((await api.send({ ...reply, token: mine.token })).statusCode).toBe(200);
    const list = await api.send({ method: 'GET', url: '/v1/agents', token: other.token });
    expect(list.json().agents.map((agent: { id: string }) => agent.id)).toEqual([other.ids.agent]);
  });

  it('the same Idempotency-Key is another one: nothing is replayed, each pays for itself', async () => {
    const key = newId('chg');
    const [first, second] = [
      await billing.ledger.balance(mine.accountId),
      await billing.ledger.balance(other.accountId),
    ];
    const answers = [];
    for (const who of [mine, other, mine, other]) answers.push(await api.send(keyed(REDACT, who, key)));
    expect(answers.map((answer) => answer.headers['idempotent-replayed'])).toEqual([
      ...[undefined, undefined],
      'true',
      'true',
    ]);
    expect((await billing.ledger.balance(mine.accountId))!.balanceCents).toBe(first!.balanceCents - 4);
    expect((await billing.ledger.balance(other.accountId))!.balanceCents).toBe(second!.balanceCents - 4);
    const different: Sent = { ...REDACT, body: { text: 'something else' } };
    expect((await api.send(keyed(different, mine, key))).statusCode).toBe(422);
  });

  it('a token for a socket opens one of the account it was made for, once, and pays from there', async () => {
    const issued = await api.send({ url: '/v1/transcribe/token', token: mine.token });
    const query = `?token=${issued.json().token}`;
    // With a token of its own in the header, the other account gets a session of its own.
    const session = await (await sockets.connect({ token: other.token, query })).frame('authenticated');
    expect(await ownerOfSession(session['session_id'])).toBe(other.accountId);
    const browser = await (await sockets.connect({ token: null, query })).frame('authenticated');
    expect(await ownerOfSession(browser['session_id'])).toBe(mine.accountId);
    expect((await sockets.connect({ token: null, query }).end()).code).toBe('unauthorized');
  });

  async function ownerOfSession(id: unknown): Promise<string> {
    const { rows } = await test.store.pool.query('SELECT account_id FROM sessions WHERE id = $1', [id]);
    return rows[0]?.account_id;
  }
});

describe('what the repositories give to one account about another', () => {
  it.each(['agent', 'call', 'sipCall', 'session', 'charge', 'token', 'number', 'account'] as const)(
    'nothing by %s',
    async (kind) => {
      const { store } = test;
      const [id, who] = [mine.ids[kind], other.accountId];
      expect(await store.agents.get(who, id)).toBeUndefined();
      expect(await store.agents.publish(who, id)).toBeUndefined();
      expect(await store.agents.publish(who, id, { version: 1 })).toBeUndefined();
      expect(await store.agents.setStatus(who, id, 'paused')).toBeUndefined();
      expect(await store.agents.remove(who, id)).toBe(false);
      expect(await store.agents.versions(who, id)).toEqual([]);
      expect(await store.calls.get(id, who)).toBeUndefined();
      expect(await store.tokens.revoke(id, who)).toBe(false);
      expect(await store.numbers.remove(id, who)).toBe(false);
      expect(await store.numbers.assign(newId('num'), who, id)).toBe('no-agent');
    },
  );

  it('lists of the other account hold its own rows only', async () => {
    const { store } = test;
    const who = other.accountId;
    const found = {
      agents: (await store.agents.list(who)).map((agent) => agent.id),
      calls: (await store.calls.list({ accountId: who })).map((call) => call.id),
      tokens: (await store.tokens.list(who)).map((token) => token.id),
      numbers: (await store.numbers.list(who)).map(({ number }) => number),
    };
    const { agent, call, token, number } = other.ids;
    expect(found).toEqual({ agents: [agent], calls: [call], tokens: [token], numbers: [number] });
    const entries = await billing.ledger.entries(who);
    const { rows } = await store.pool.query('SELECT count(*)::int AS own FROM ledger WHERE account_id = $1', [who]);
    expect(entries).toHaveLength(rows[0].own);
  });

  it('everything is still there afterwards', async () => {
    const { store } = test;
    expect(await store.agents.get(mine.accountId, mine.ids.agent)).toMatchObject({ status: 'live', version: 1 });
    expect((await store.numbers.list(mine.accountId)).map(({ number }) => number)).toEqual([mine.ids.number]);
    expect((await store.calls.get(mine.ids.sipCall, mine.accountId))?.call.id).toBe(mine.ids.call);
    expect(await store.tokens.authenticate(mine.token)).toMatchObject({ accountId: mine.accountId });
  });

  it('the API knows no part of the store but those whose every question names an account', () => {
    const folder = fileURLToPath(new URL('../../src/api', import.meta.url));
    const used = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/import ([^;]*?) from '[./]+store\/[^']+'/g),
      ])
      .flatMap((match) => match[1]!.match(/\w+/g)!.filter((word) => word !== 'type'));
    const known = ['ChargeKind', 'IdempotencyRows', 'IdempotentRequest', 'NewCharge', 'OneUseTokenRows'];
    expect([...new Set(used)].sort()).toEqual([
      ...known,
      'STORED_BODY_BYTES_MAX',
      'StoredAnswer',
      'TokenIdentity',
      'databaseFault',
    ]);
  });
});
