import { Redis } from 'ioredis';
import { afterEach, describe, expect, inject, it } from 'vitest';
import WebSocket from 'ws';
import type { Gateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { haveRedis, RedisProcess } from '../support/redis.ts';
import { SeveralGateways } from '../support/several-gateways.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { quiet, SocketClient, sendAudio } from '../support/socket-rig.ts';
import { until } from '../support/until.ts';

const BURST = 30;
const SOCKETS = 2;
const MINUTE_MS = 60_000;
const TOLD_MS_MAX = 60_000; // gateways tell each other every 2 s

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** What every gateway has told last, by gateway. */
type Board = () => Promise<Readonly<Record<string, string>>>;

const boardOf = (gateway: Gateway): Board => {
  const { REDIS_URL: url } = gateway.env;
  if (url !== undefined) {
    const redis = new Redis(url);
    ends.push(() => redis.disconnect());
    return () => redis.hgetall('nidaa:use');
  }
  return () =>
    withStore(gateway, async ({ pool }) => {
      const { rows } = await pool.query<{ gateway: string; told: string }>(
        `SELECT gateway, told_at || ' ' || report AS told FROM gateway_use`,
      );
      return Object.fromEntries(rows.map(({ gateway, told }) => [gateway, told]));
    });
};

/** Until both know what the other one has let in: one tells it, the other tells and reads, and tells once more when it has read. */
async function bothKnow(board: Board): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const before = await board();
    const isToldAnew = async (): Promise<boolean> => {
      const entries = Object.entries(await board());
      return entries.length === 2 && entries.every(([gateway, told]) => told !== before[gateway]);
    };
    await until(isToldAnew, 'both have told', TOLD_MS_MAX);
  }
}

/** Asks until it is told to wait. @returns how often it was served. */
async function served({ api, token }: Gateway): Promise<number> {
  for (let count = 0; ; count += 1) {
    const answer = await fetch(`${api}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    else expect(answer.status).toBe(200);
    if (answer.status === 429) return count;
  }
}

/** A live transcription of which nothing is said. @returns it when it is ready, or refused. */
async function listening({ api }: Gateway, token: string): Promise<SocketClient> {
  const address = `${api.replace('http', 'ws')}/v1/transcribe/ws`;
  const client = new SocketClient(new WebSocket(address, { headers: { authorization: `Bearer ${token}` } }));
  ends.push(() => client.ws.terminate());
  client.ws.once('open', () => client.send({ type: 'start', language: 'en-US', sample_rate: 8_000 }));
  await until(
    () => isOpened(client) || client.closed !== undefined || client.refused !== undefined,
    'the socket is judged',
  );
  const talk = setInterval(() => client.ws.readyState === WebSocket.OPEN && sendAudio(client, quiet(100)), 1_000);
  ends.push(() => clearInterval(talk));
  return client;
}

const isOpened = (client: SocketClient): boolean => client.of('opened').length > 0;

const BACK_ENDS = [
  { by: 'PostgreSQL', run: true },
  { by: 'Redis', run: haveRedis },
];

describe.each(BACK_ENDS.filter(({ run }) => run))('two gateways that tell each other by $by', ({ by }) => {
  it('give an account its sockets and its requests a minute once', async () => {
    const redis = by === 'Redis' ? await RedisProcess.start({ settings: ['maxmemory-policy noeviction'] }) : undefined;
    ends.push(() => redis?.stop());
    const rig =
      new SeveralGateways(`api: { requestsPerMinute: 1, requestBurst: ${BURST}, socketsPerAccount: ${SOCKETS} }
`);
    ends.push(() => rig.close());
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const env: Record<string, string> = redis ? { REDIS_URL: redis.url } : {};
    const first = await rig.start(databaseUrl, { env });
    const second = await rig.start(databaseUrl, { env });
    const { token } = first;
    const board = boardOf(first);
    await bothKnow(board);

    const sinceMs = performance.now();
    const sockets = [await listening(first, token), await listening(second, token)];
    expect(sockets.map(isOpened)).toEqual([true, true]);
    await bothKnow(board);
    for (const gateway of [first, second])
      expect(await (await listening(gateway, token)).end()).toMatchObject({ code: 'too_many_sessions' });
    sockets[0]!.ws.close();
    await until(() => sockets[0]!.closed !== undefined, 'it is closed');
    await bothKnow(board);
    expect(isOpened(await listening(second, token))).toBe(true);

    const all = { first: await served(first), second: 0 };
    await bothKnow(board);
    all.second = await served({ ...second, token });
    const refilled = 2 * Math.ceil((performance.now() - sinceMs) / MINUTE_MS); // one a minute, at each of them
    console.log(
      `by ${by}: ${all.first} + ${all.second} requests, of a burst of ${BURST} and at most ${refilled} since`,
    );
    expect(all.first).toBeGreaterThan(0);
    expect(all.first + all.second).toBeLessThanOrEqual(BURST + refilled);
  }, 400_000);
});
