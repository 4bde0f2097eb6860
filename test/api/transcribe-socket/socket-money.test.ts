import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { RequestRates } from '../../../src/api/rate-limit.ts';
import { transcribeSocketRoute } from '../../../src/api/transcribe-socket/socket.ts';
import { useWebSockets } from '../../../src/api/websockets.ts';
import { Billing } from '../../../src/billing/billing.ts';
import { createMetrics } from '../../../src/core/metrics.ts';
import { createEnergyVad } from '../../../src/engines/vad/energy.ts';
import { type ApiRig, apiRig } from '../../support/api-rig.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { moneyFaults, openTestStore, type TestStore } from '../../support/postgres-store.ts';
import { loud, quiet, SocketClient, sendAudio } from '../../support/socket-rig.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // a real database, on a machine that may be busy

let test: TestStore;
let billing: Billing;
let rig: ApiRig;
let address: string;
const logs = new LogCapture();

beforeAll(async () => {
  test = await openTestStore();
  const { store, dataFolder } = test;
  const metrics = createMetrics();
  billing = await Billing.open({ store, dataFolder, logger: logs.logger, metrics });
  rig = apiRig({ service: { tokens: store.tokens }, logger: logs.logger });
  await useWebSockets(rig.app);
  await transcribeSocketRoute(rig.app, {
    ...rig.deps,
    ...{ logger: logs.logger, metrics, vad: createEnergyVad(), sessions: billing.sessionBook },
    limits: { socketsPerAccount: 20, socketsTotal: 200, socketMaxSeconds: 7_200 },
    rates: new RequestRates(rig.clock, rig.deps.settings),
    load: { admit: () => () => undefined },
  });
  await rig.app.listen({ host: '127.0.0.1', port: 0 });
  address = `127.0.0.1:${(rig.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await rig?.app.close();
  await billing?.close();
  expect(await moneyFaults(test.store)).toEqual([]);
  await test?.close();
});

async function account(cents: number): Promise<{ accountId: string; token: string }> {
  const { id } = await test.store.accounts.create('test');
  if (cents > 0) await billing.ledger.topup(`${id}/topup`, id, cents);
  return { accountId: id, token: (await test.store.tokens.create(id, 'test')).secret };
}
const connect = (token: string): SocketClient =>
  new SocketClient(new WebSocket(`ws://${address}/v1/transcribe/ws?token=${token}`));

describe('real money', () => {
  it.each([
    { name: 'stops', leave: (client: SocketClient) => client.send({ type: 'stop' }) },
    {
      name: 'stops twice and closes',
      leave: (client: SocketClient) => {
        client.send({ type: 'stop' });
        client.send({ type: 'stop' });
        client.ws.close();
      },
    },
    { name: 'is cut off', leave: (client: SocketClient) => client.ws.terminate() },
  ])('a session that $name is in the ledger once', async ({ leave }) => {
    const { accountId, token } = await account(10);
    const client = connect(token);
    await client.frame('authenticated');
    expect(await billing.ledger.balance(accountId)).toMatchObject({ reservedCents: 3 });
    client.send({ type: 'start', language: 'en-US', sample_rate: 8000 });
    sendAudio(client, loud(800));
    sendAudio(client, quiet(700));
    await vi.waitFor(() => expect(client.finals).toHaveLength(1), { timeout: 10_000 });
    leave(client);
    await vi.waitFor(
      async () => {
        const balance = await billing.ledger.balance(accountId);
        expect(balance).toEqual({ balanceCents: 7, reservedCents: 0, availableCents: 7 });
      },
      { timeout: 10_000 },
    );
    const charges = (await billing.ledger.entries(accountId)).filter((entry) => entry.kind !== 'topup');
    expect(charges).toHaveLength(1);
    const { rows } = await test.store.pool.query(
      'SELECT cost_cents::int, ended_at FROM sessions WHERE account_id = $1',
      [accountId],
    );
    expect(rows).toMatchObject([{ cost_cents: 3, ended_at: expect.any(Date) }]);
  });

  it('credit for two sessions opens two of ten at once', async () => {
    const { accountId, token } = await account(7);
    const clients = Array.from({ length: 10 }, () => connect(token));
    await vi.waitFor(() => expect(clients.filter((one) => one.frames.length > 0)).toHaveLength(10), {
      timeout: 10_000,
    });
    expect(clients.filter((one) => one.of('authenticated').length === 1)).toHaveLength(2);
    for (const one of clients) if (one.of('authenticated').length === 1) one.send({ type: 'stop' });
    await vi.waitFor(
      async () => expect(await billing.ledger.balance(accountId)).toMatchObject({ balanceCents: 7, reservedCents: 0 }),
      { timeout: 10_000 },
    );
  });

  it('no token was logged by the whole API', () => {
    expect(logs.text).toContain('live transcription ended');
    expect(logs.text).not.toContain('service_sk_live_');
  });
});
