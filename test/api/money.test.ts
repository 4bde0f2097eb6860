import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { type ApiRig, apiRig, clip, type Sent } from '../support/api-rig.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

let test: TestStore;
let billing: Billing;
let rig: ApiRig;

interface Client {
  readonly accountId: string;
  readonly token: string;
}
/** A new account with credit and a token of its own. */
async function client(cents: number): Promise<Client> {
  const { store } = test;
  const { id } = await store.accounts.create('test');
  if (cents > 0) await billing.ledger.topup(`${id}/topup`, id, cents);
  const { secret } = await store.tokens.create(id, 'test');
  return { accountId: id, token: secret };
}
const balance = async ({ accountId }: Client) => billing.ledger.balance(accountId);
const entries = async ({ accountId }: Client) =>
  (await billing.ledger.entries(accountId)).filter((entry) => entry.kind !== 'topup');

beforeAll(async () => {
  test = await openTestStore();
  const { store, dataFolder } = test;
  billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
});
beforeEach(async () => {
  const { store } = test;
  await rig?.app.close();
  rig = apiRig({
    service: {
      ...{ tokens: store.tokens, agents: store.agents, idempotency: store.idempotency },
      ...{ ledger: billing.ledger, charges: store.charges },
    },
  });
  await rig.app.ready();
});
afterAll(async () => {
  await rig?.app.close();
  await billing?.close();
  expect(await moneyFaults(test.store)).toEqual([]);
  await test?.close();
});

const REDACT: Sent = { url: '/v1/privacy/redact', body: { text: 'hello' } };

describe('credit', () => {
  it.runIf(EVERY_TEST)('for three requests serves three out of a hundred at once', async () => {
    const one = await client(12);
    const answers = await Promise.all(Array.from({ length: 100 }, () => rig.send({ ...REDACT, token: one.token })));
    const codes = answers.map((answer) => answer.json().error?.code ?? 'ok');
    expect(codes.filter((code) => code === 'ok')).toHaveLength(3);
    expect(codes.filter((code) => code === 'insufficient_credit')).toHaveLength(97);
    expect(await balance(one)).toEqual({ balanceCents: 0, reservedCents: 0, availableCents: 0 });
    expect(await entries(one)).toHaveLength(3);
  });

  it.runIf(EVERY_TEST)('is the same whichever operation spends it, and what fails costs nothing', async () => {
    const one = await client(200);
    const paid: [Sent, number][] = [
      [{ url: '/v1/speech', body: { text: 'a'.repeat(500), format: 'wav' } }, 3],
      [{ url: '/v1/speech/stream', body: { text: 'hello' } }, 1],
      [{ url: '/v1/transcribe', body: { file: clip(7).toString('base64'), language: 'en' } }, 3],
      [{ url: '/v1/documents/ask', body: { file: 'aGVsbG8=', question: 'q' } }, 4],
      [REDACT, 4],
    ];
    let spent = 0;
    for (const [request, cents] of paid) {
      const answer = await rig.send({ ...request, token: one.token });
      expect([request.url, answer.statusCode, answer.headers['x-service-cost-cents']]).toEqual([
        ...[request.url, 200, String(cents)],
      ]);
      spent += cents;
    }
    const failing: Sent[] = [
      { url: '/v1/speech', body: { text: 'FAIL_AT_ONCE', format: 'wav' } },
      { url: '/v1/speech/stream', body: { text: 'FAIL_AT_ONCE' } },
      { url: '/v1/transcribe', body: { file: clip(1).toString('base64') } },
      { url: '/v1/documents/ask', body: { file: 'aGVsbG8=', question: 'BREAK' } },
      { url: '/v1/privacy/redact', body: { text: 'BREAK' } },
    ];
    for (const request of failing) {
      expect((await rig.send({ ...request, token: one.token })).statusCode).toBeGreaterThanOrEqual(500);
    }
    expect(await balance(one)).toEqual({ balanceCents: 200 - spent, reservedCents: 0, availableCents: 200 - spent });
  });

  it('of one account is nothing to another', async () => {
    const [poor, rich] = [await client(0), await client(100)];
    expect((await rig.send({ ...REDACT, token: poor.token })).statusCode).toBe(402);
    expect((await rig.send({ ...REDACT, token: rich.token })).statusCode).toBe(200);
    expect((await rig.send({ method: 'GET', url: '/v1/agents', token: poor.token })).statusCode).toBe(402);
    expect((await rig.send({ method: 'GET', url: '/v1/agents', token: rich.token })).json()).toEqual({ agents: [] });
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (request: Sent, token: string, key = 'key-1'): Sent => ({
    ...request,
    token,
    headers: { ...request.headers, 'idempotency-key': key },
  });

  it('sent 50 times at once is charged once; twins hear that it still runs, later ones get the answer again', async () => {
    const one = await client(100);
    const request = keyed(REDACT, one.token);
    const answers = await Promise.all(Array.from({ length: 50 }, () => rig.send(request)));
    const served = answers.filter((answer) => answer.statusCode === 200);
    expect(served.length).toBeGreaterThan(0);
    for (const answer of answers.filter((one) => one.statusCode !== 200)) {
      expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'idempotency_in_progress']);
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect(new Set(served.map((answer) => answer.body)).size).toBe(1);
    const again = await rig.send(request);
    expect([again.statusCode, again.body, again.headers['idempotent-replayed']]).toEqual([
      200,
      served[0]!.body,
      'true',
    ]);
    expect(again.headers['x-service-cost-cents']).toBe('4');
    expect(await entries(one)).toHaveLength(1);
    expect((await balance(one))!.balanceCents).toBe(96);
  });

  it.each([
    { name: 'speech', request: { url: '/v1/speech', body: { text: 'hello', format: 'wav' } } },
    { name: 'a stream', request: { url: '/v1/speech/stream', body: { text: 'hello there. and more.' } } },
    {
      name: 'events',
      request: { url: '/v1/speech/stream', body: { text: 'hello' }, headers: { accept: 'text/event-stream' } },
    },
    { name: 'a clip', request: { url: '/v1/transcribe', body: { file: clip(1).toString('base64'), language: 'en' } } },
  ] as { name: string; request: Sent }[])('gives $name again, byte for byte', async ({ request }) => {
    const one = await client(100);
    const first = await rig.send(keyed(request, one.token));
    const again = await rig.send(keyed(request, one.token));
    expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    const facts = (headers: object) =>
      Object.entries(headers)
        .filter(([name]) => name.startsWith('x-service-') || name === 'content-type')
        .sort();
    expect(facts(again.headers)).toEqual(facts(first.headers));
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await entries(one)).toHaveLength(1);
  });

  it('keeps no privacy report: the same one is made again, and not charged again', async () => {
    const one = await client(100);
    const text = 'My ID is 1010101010, a phrase nobody else says.';
    const request = keyed({ ...REDACT, body: { text } }, one.token);
    const [first, again] = [await rig.send(request), await rig.send(request)];
    expect([again.statusCode, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true']);
    const { rows } = await test.store.pool.query('SELECT body FROM idempotency_keys WHERE account_id = $1', [
      one.accountId,
    ]);
    expect(rows.map((row: { body: Buffer }) => row.body.length)).toEqual([0]);
    expect(await entries(one)).toHaveLength(1);
    const other = await rig.send(keyed({ ...REDACT, body: { text: 'other' } }, one.token));
    expect(other.json().error.code).toBe('idempotency_mismatch');
  });

  it('with another body or another Accept is a mismatch; on another path or account it is another key', async () => {
    const [one, two] = [await client(100), await client(100)];
    const speech: Sent = { url: '/v1/speech', body: { text: 'hello' }, headers: { accept: 'audio/wav' } };
    expect((await rig.send(keyed(speech, one.token))).statusCode).toBe(200);
    for (const other of [
      { ...speech, body: { text: 'hello!' } },
      { ...speech, headers: { accept: 'audio/basic' } },
    ]) {
      const answer = await rig.send(keyed(other, one.token));
      expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'idempotency_mismatch']);
    }
    expect((await rig.send(keyed(speech, two.token))).headers['idempotent-replayed']).toBeUndefined();
    expect((await rig.send(keyed(REDACT, one.token))).headers['idempotent-replayed']).toBeUndefined();
    expect((await entries(one)).length).toBe(2);
  });

  it.each<{ name: string; request: Sent; first: string; again: string }>([
    { name: 'of JSON', request: REDACT, first: 'application/json', again: 'application/json, text/plain, */*' },
    {
      name: 'of audio',
      request: { url: '/v1/speech', body: { text: 'hello' } },
      first: 'audio/wav',
      again: 'audio/*;q=0.1, audio/x-wav',
    },
    {
      name: 'of the default format',
      request: { url: '/v1/speech', body: { text: 'hello' } },
      first: 'audio/mpeg',
      again: '*/*',
    },
    {
      name: 'of a format that is named',
      request: { url: '/v1/speech', body: { text: 'hello', format: 'wav' } },
      first: 'audio/basic',
      again: 'audio/mpeg',
    },
    {
      name: 'of a stream',
      request: { url: '/v1/speech/stream', body: { text: 'hello' } },
      first: 'text/event-stream',
      again: 'text/event-stream, */*;q=0.1',
    },
  ])('$name is the same through a client that writes Accept in another way', async ({ request, first, again }) => {
    const one = await client(100);
    const key = (accept: string) => keyed({ ...request, headers: { accept } }, one.token);
    const answers = [await rig.send(key(first)), await rig.send(key(again))];
    expect(answers.map((answer) => [answer.statusCode, answer.headers['idempotent-replayed']])).toEqual([
      [200, undefined],
      [200, 'true'],
    ]);
    expect(await entries(one)).toHaveLength(1);
  });

  it.each([
    { url: '/v1/speech', first: 'audio/wav', again: 'audio/basic' },
    { url: '/v1/speech/stream', first: 'audio/wav', again: 'text/event-stream' },
  ])('on $url is another request where Accept asks for another answer', async ({ url, first, again }) => {
    const one = await client(100);
    const key = (accept: string) => keyed({ url, body: { text: 'hello' }, headers: { accept } }, one.token);
    expect((await rig.send(key(first))).statusCode).toBe(200);
    expect((await rig.send(key(again))).json().error.code).toBe('idempotency_mismatch');
  });

  it('of a request that failed may be used again', async () => {
    const one = await client(0);
    expect((await rig.send(keyed(REDACT, one.token))).statusCode).toBe(402);
    await billing.ledger.topup(`${one.accountId}/late`, one.accountId, 10);
    const answer = await rig.send(keyed(REDACT, one.token));
    expect([answer.statusCode, answer.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect((await balance(one))!.balanceCents).toBe(6);
  });

  it('of a stream of events that failed on the way may be used again', async () => {
    const one = await client(10);
    const body = { text: `${'a'.repeat(100)}. FAIL_MIDWAY` };
    const request = keyed({ url: '/v1/speech/stream', body, headers: { accept: 'text/event-stream' } }, one.token);
    for (const spokenBefore of [0, 2]) {
      expect(rig.tts.requests).toHaveLength(spokenBefore);
      const answer = await rig.send(request);
      expect([answer.statusCode, answer.headers['idempotent-replayed']]).toEqual([200, undefined]);
      expect(answer.body).toContain('event: error');
    }
    expect(await entries(one)).toEqual([]);
  });

  it('whose answer was lost after the charge is served again for what was paid', async () => {
    const one = await client(100);
    const request = keyed(REDACT, one.token);
    await rig.send(request);
    // As after a crash between the booking and the keeping of the answer.
    await test.store.pool.query('DELETE FROM idempotency_keys');
    const again = await rig.send(request);
    expect([again.statusCode, again.json().cost_cents, again.headers['idempotent-replayed']]).toEqual([
      200,
      4,
      undefined,
    ]);
    expect(await entries(one)).toHaveLength(1);
  });

  it.each(['', 'k'.repeat(256)])('of %j is refused', async (key) => {
    const one = await client(100);
    const answer = await rig.send(keyed(REDACT, one.token, key));
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
  });

  it('means nothing to what is free', async () => {
    const one = await client(100);
    const request = keyed({ url: '/v1/text/normalize', body: { text: 'a' } }, one.token);
    await rig.send(request);
    expect((await rig.send({ ...request, body: { text: 'b' } })).json().original).toBe('b');
  });
});

describe('agents of two accounts', () => {
  it('are strangers to each other', async () => {
    const [one, two] = [await client(100), await client(100)];
    const made = await test.store.agents.create(
      one.accountId,
      { name: 'Mine', language: 'en-US', voice: 'emma', model: 'sada-1', greeting: { en: 'Hi.' } },
      'live',
    );
    const reply = (token: string, id: string) =>
      rig.send({ url: `/v1/agents/${id}/reply`, body: { text: 'hi', audio: false }, token });
    expect((await reply(one.token, made.id)).statusCode).toBe(200);
    const [foreign, unknown] = [await reply(two.token, made.id), await reply(two.token, 'agt_unknown')];
    expect(foreign.body.replaceAll(made.id, '')).toBe(unknown.body.replaceAll('agt_unknown', ''));
    const lists = await Promise.all(
      [one, two].map((who) => rig.send({ method: 'GET', url: '/v1/agents', token: who.token })),
    );
    expect(lists.map((list) => list.json().agents.length)).toEqual([1, 0]);
  });

  it('a revoked token opens nothing from then on', async () => {
    const one = await client(100);
    expect((await rig.send({ ...REDACT, token: one.token })).statusCode).toBe(200);
    const [token] = await test.store.tokens.list(one.accountId);
    await test.store.tokens.revoke(token!.id);
    expect((await rig.send({ ...REDACT, token: one.token })).statusCode).toBe(401);
  });
});
