import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import {
  factsOf,
  faultOf,
  lookAtRedis,
  RedisServer,
  redisSettings,
  retryDelayMs,
} from '../../src/store/redis-server.ts';
import { pairFor } from '../support/certificates.ts';
import { freeTcpPort } from '../support/ports.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { haveRedis, RedisProcess, type RedisWishes } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe('what a server says of itself', () => {
  it.each([
    {
      name: 'keeps everything',
      facts: { version: '7.0.15', policy: 'noeviction', memoryMax: 1_000 },
      fault: undefined,
    },
    { name: 'the oldest', facts: { version: '6.2.0', policy: 'noeviction', memoryMax: 0 }, fault: undefined },
    { name: 'does not say its policy', facts: { version: '7.0.15', policy: '', memoryMax: 1_000 }, fault: undefined },
    { name: 'too old', facts: { version: '6.0.16', policy: 'noeviction', memoryMax: 0 }, fault: true },
    { name: 'says no version', facts: { version: '', policy: 'noeviction', memoryMax: 0 }, fault: true },
    { name: 'drops jobs', facts: { version: '8.0.0', policy: 'allkeys-lru', memoryMax: 1_000 }, fault: true },
    { name: 'drops locks', facts: { version: '8.0.0', policy: 'volatile-ttl', memoryMax: 1_000 }, fault: true },
    { name: 'would drop jobs', facts: { version: '8.0.0', policy: 'allkeys-lru', memoryMax: 0 }, fault: false },
  ])('$name', ({ facts, fault }) => {
    const info = `# Server\r\nredis_version:${facts.version}\r\nmaxmemory:${facts.memoryMax}\r\nmaxmemory_policy:${facts.policy}\r\n`;
    expect(factsOf(info)).toEqual(facts);
    expect(faultOf(facts)?.fatal).toBe(fault);
  });

  it('is left alone longer after every failure, and never longer than 5 s', () => {
    const waits = [1, 2, 3, 10, 1_000_000].map((tries) => retryDelayMs(tries, 1));
    expect(waits).toEqual([200, 400, 800, 5_000, 5_000]);
    expect(retryDelayMs(1_000, 0)).toBe(2_500);
  });

  it('no setting, no server; a file of certificates that is not there is said', () => {
    expect(redisSettings({ redisUrl: 'none' })).toBeUndefined();
    expect(() => redisSettings({ redisUrl: 'rediss://a', redisCaFile: '/nowhere.pem' })).toThrow(/redisCaFile/);
  });
});

describe.skipIf(!haveRedis)('a real server (Debian: redis-server)', () => {
  let redis: RedisProcess | undefined;
  let server: RedisServer | undefined;
  afterEach(async () => {
    server?.close();
    await redis?.stop();
    server = redis = undefined;
  });
  const start = async (wishes?: RedisWishes) => (redis = await RedisProcess.start(wishes));
  const open = async (url: string, ca?: string) =>
    (server = await RedisServer.open({ url, ...(ca !== undefined && { ca }) }, { logger: silentLogger }));

  it('takes TLS with a certificate that is known, and no other', async () => {
    const pair = pairFor(['127.0.0.1']);
    const { url, port } = await start({ tls: pair });
    const folder = temporaryFolder();
    const redisCaFile = join(folder, 'ca.pem');
    writeFileSync(redisCaFile, pair.cert);
    expect(await lookAtRedis(redisSettings({ redisUrl: url, redisCaFile })!)).toMatchObject({ state: 'found' });
    expect(await lookAtRedis({ url })).toMatchObject({ state: 'refused' });
    expect(await lookAtRedis({ url, ca: pairFor(['127.0.0.1']).cert })).toMatchObject({ state: 'refused' });
    await expect(open(url)).rejects.toThrow(/redisCaFile/);
    expect((await lookAtRedis({ url: `redis://127.0.0.1:${port}` })).state).not.toBe('found');
  });

  it('a password that is wrong is an error of the start, without the password', async () => {
    const { port } = await start({ settings: ['requirepass right'] });
    await open(`redis://:right@127.0.0.1:${port}`);
    server!.close();
    await expect(open(`redis://:wrong-one@127.0.0.1:${port}`)).rejects.toThrow(
      expect.objectContaining({ name: 'OperatorError', message: expect.not.stringContaining('wrong-one') }),
    );
    await expect(open(`redis://127.0.0.1:${port}`)).rejects.toThrow(/REDIS_URL/);
  });

  it('one that drops jobs when it is full is an error of the start, and said where it becomes so', async () => {
    const { url } = await start({ settings: ['maxmemory 64mb', 'maxmemory-policy allkeys-lru'] });
    await expect(open(url)).rejects.toThrow(/allkeys-lru.*noeviction/);
    const admin = new Redis(url);
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    const opened = await open(url);
    expect(opened.fault).toBeUndefined();
    await admin.config('SET', 'maxmemory-policy', 'volatile-lru');
    await until(() => opened.isUp);
    await opened.look();
    expect(opened.fault).toMatch(/volatile-lru/);
    admin.disconnect();
  });

  it('is waited for where it is away: who asks meanwhile hears so at once', async () => {
    const url = `redis://127.0.0.1:${await freeTcpPort()}`;
    const away = await open(url);
    expect(away).toMatchObject({ isUp: false, facts: undefined });
    await expect(away.client('hasty').ping()).rejects.toThrow();
  });

  it('is found again after it was killed; a hasty command in between fails, a patient one is done', async () => {
    const { url } = await start();
    const opened = await open(url);
    const [hasty, patient] = [opened.client('hasty'), opened.client('patient')];
    await until(() => opened.isUp && hasty.status === 'ready' && patient.status === 'ready');
    await redis!.kill();
    await until(() => !opened.isUp && hasty.status !== 'ready' && patient.status !== 'ready');
    await expect(hasty.set('a', '1')).rejects.toThrow();
    const done = patient.set('b', '2');
    await redis!.begin();
    expect(await done).toBe('OK');
    await until(() => opened.isUp && hasty.status === 'ready');
    expect(await hasty.mget('a', 'b')).toEqual([null, '2']);
  });
});
