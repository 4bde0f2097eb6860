import { type ClientRequest, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { type ApiRig, apiRig } from '../support/api-rig.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

const KEYS = 20;
const SETTLE_DELAY_MS = 40; // so that the repetition comes before the booking
const PATH = '/v1/speech/stream';
const BODY = JSON.stringify({ text: 'hello there. '.repeat(60), format: 'wav' });

let test: TestStore;
let billing: Billing;
let rig: ApiRig;
let port: number;
let accountId: string;
let token: string;
beforeAll(async () => {
  test = await openTestStore();
  const { store, dataFolder } = test;
  billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
  const { ledger } = billing;
  const settle = ledger.settle.bind(ledger);
  vi.spyOn(ledger, 'settle').mockImplementation(async (id, cents) => {
    await sleep(SETTLE_DELAY_MS);
    return settle(id, cents);
  });
  const service = { tokens: store.tokens, agents: store.agents, idempotency: store.idempotency };
  rig = apiRig({ service: { ...service, ledger, charges: ledger } });
  await rig.app.listen({ host: '127.0.0.1', port: 0 });
  port = (rig.app.server.address() as AddressInfo).port;
  accountId = (await store.accounts.create('test')).id;
  await ledger.topup('credit', accountId, 100_000);
  token = (await store.tokens.create(accountId, 'test')).secret;
});
afterAll(async () => {
  await rig?.app.close();
  await billing?.close();
  expect(await moneyFaults(test.store)).toEqual([]);
  await test?.close();
});

const headers = (key: string) => ({
  ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
});

/** Starts a stream and leaves at its first bytes. */
function cutOff(key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = httpRequest({ port, path: PATH, method: 'POST', headers: headers(key) });
    request.on('response', (response) =>
      response.once('data', () => {
        request.destroy();
        resolve();
      }),
    );
    request.on('error', reject);
    request.end(BODY);
  });
}

async function repeat(key: string): Promise<number> {
  for (;;) {
    const answer = await rig.send({ url: PATH, body: BODY, headers: headers(key), token: null });
    if (answer.statusCode !== 409) return answer.statusCode;
  }
}

it('a client that leaves a stream and repeats its key at once pays once', async () => {
  const keys = Array.from({ length: KEYS }, (_, n) => `cut-${n}`);
  const statuses = await Promise.all(
    keys.map(async (key) => {
      await cutOff(key);
      return repeat(key);
    }),
  );
  expect(statuses).toEqual(keys.map(() => 200));
  const entries = (await billing.ledger.entries(accountId, 1_000)).filter((entry) => entry.kind === 'speech');
  expect(entries).toHaveLength(KEYS);
  expect(await billing.ledger.balance(accountId)).toMatchObject({ reservedCents: 0 });
});
