import { afterEach, describe, expect, it } from 'vitest';
import { checkRedis } from '../../../src/cli/checks/redis.ts';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { freeTcpPort } from '../../support/ports.ts';
import { haveRedis, RedisProcess } from '../../support/redis.ts';

const configOf = (url: string): Config => loadConfig({ env: { REDIS_URL: url }, secretsOf: [] });

describe('doctor looks at Redis', () => {
  let redis: RedisProcess | undefined;
  afterEach(async () => {
    await redis?.stop();
    redis = undefined;
  });

  it('where there is one to be used', async () => {
    expect(await checkRedis(loadConfig({ env: {}, secretsOf: [] }))).toEqual([]);
    const [away] = await checkRedis(configOf(`redis://:secret@127.0.0.1:${await freeTcpPort()}`));
    expect(away).toMatchObject({ state: 'warn', detail: expect.stringContaining('does not answer') });
    expect(JSON.stringify(away)).not.toContain('secret');
  });

  it.skipIf(!haveRedis).each([
    { name: 'one that keeps everything', settings: [], state: 'ok' },
    { name: 'one that drops jobs', settings: ['maxmemory 64mb', 'maxmemory-policy allkeys-lru'], state: 'fail' },
    { name: 'one that would drop jobs', settings: ['maxmemory-policy allkeys-lru'], state: 'warn' },
    { name: 'one that asks for a password', settings: ['requirepass right'], state: 'fail' },
  ])('$name (Debian: redis-server)', async ({ settings, state }) => {
    redis = await RedisProcess.start({ settings });
    expect(await checkRedis(configOf(redis.url))).toEqual([expect.objectContaining({ check: 'Redis', state })]);
  });
});
