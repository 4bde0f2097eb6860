import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { OtlpCollector } from '../support/otlp-collector.ts';
import { moneyFaults, temporaryFolder } from '../support/postgres-store.ts';
import { haveRedis, RedisProcess } from '../support/redis.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { openStorage, type StorageProgram } from '../support/storage-program.ts';
import { until } from '../support/until.ts';

if (!haveRedis) console.warn('\n!!! NOBODY IS ERASED FROM REDIS: redis-server not installed !!!\n');

const NUMBER = '0507654321';
/** What stands in every way to write it, and what none of ids, times and figures has: those are in no text that is looked through. */
const DIGITS = /50[ .-]?765[ .-]?4321/;
interface Shown {
  readonly id: string;
  readonly state: string;
  readonly waits_for: { readonly nodes: readonly string[] };
}
const ROUND_MS = 240_000; // rounds of a caretaker, on a machine that does much else
const TEST_MS_MAX = 900_000;

/** Whatever two gateways, their disks, PostgreSQL, Redis and the storage know of a caller, of whom one gateway is told to know nothing. */
describe.skipIf(!haveRedis)('a caller of two gateways who is erased through one', () => {
  let redis: RedisProcess;
  let storage: StorageProgram;
  let databaseUrl: string;
  let config: ReturnType<typeof configFolder>;
  let collector: OtlpCollector;
  let key: string;
  const nodes: Gateway[] = [];
  const folders = [temporaryFolder(), temporaryFolder()];
  const [asked, lost] = [0, 1];

  const start = async (n: number): Promise<void> => {
    const { accessKeyId, secretAccessKey } = storage.settings;
    nodes[n] = await startGateway({
      ...{ databaseUrl, dataDir: folders[n]! },
      env: {
        ...{ NIDAA_CONFIG: `${config.dir}/nidaa.yaml`, NIDAA_SECRET_KEY: 'ab'.repeat(32), REDIS_URL: redis.url },
        ...{ TEST_ACCESS: accessKeyId, TEST_SECRET: secretAccessKey },
      },
    });
  };
  const call = async (n: number, from: string, keys: string): Promise<void> => {
    const { code, stderr } = await nidaa(nodes[n]!, ...['call', nodes[n]!.sip, '--from', from, '--keys', keys]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  };
  const query = async <T extends object>(sql: string): Promise<readonly T[]> =>
    withStore(nodes[asked]!, async ({ pool }) => (await pool.query<T>(sql)).rows);
  const recordings = () =>
    query<{ id: string; name: string; place: string; node: string; state: string }>(
      `SELECT c.id, r.name, r.place, r.node, c.recording_state AS state FROM calls c JOIN recordings r ON r.call_id = c.id
        WHERE c.ended_at IS NOT NULL ORDER BY c.started_at`,
    );
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${nodes[asked]!.api}/manage/v1${path}`, {
      ...{ method, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(300);
    return JSON.parse(text) as T;
  };

  /** By where it is: every row of every table, every file of both disks, every key of Redis, every object of the storage. */
  async function everything(): Promise<Readonly<Record<string, string>>> {
    const tables = await query<{ name: string }>(
      `SELECT format('%I', table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const found: Record<string, string> = { storage: storage.contents(), traces: collector.body };
    for (const { name } of tables) {
      const rows = await query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      found[`table ${name}`] = rows.map(({ row }) => row).join('\n');
    }
    folders.forEach((folder, n) => {
      for (const one of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (one.isFile()) found[`disk ${n} ${one.name}`] = textOf(join(one.parentPath, one.name));
      }
    });
    nodes.forEach((node, n) => {
      found[`log ${n}`] = node.log();
    });
    return { ...found, redis: await textOfRedis(redis) };
  }
  const places = async (): Promise<readonly string[]> =>
    Object.entries(await everything()).flatMap(([place, text]) => (DIGITS.test(text) ? [place] : []));

  beforeAll(async () => {
    redis = await RedisProcess.start({ settings: ['maxmemory-policy noeviction'] });
    storage = await openStorage();
    collector = await OtlpCollector.start();
    databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const { endpoint, region, bucket } = storage.settings;
    config = configFolder({
      ...GREETER,
      'trunks/carrier.yaml': `name: carrier\nhosts: [{ uri: "sip:127.0.0.1:9" }]\nallowedPrefixes: ["+966"]\n`,
      'nidaa.yaml': `node: { leaseSeconds: 6 }
telemetry: { otlp: "${collector.url}" }
outbound: { countryCode: "966" }
recordings:
  home: s3
  s3: { bucket: ${bucket}, region: ${region}, endpoint: "${endpoint}", addressing: path, prefix: nidaa/, accessKeyEnv: TEST_ACCESS, secretKeyEnv: TEST_SECRET }
`,
    });
    for (const n of [asked, lost]) await start(n);
    const scopes = ['read', 'calls', 'account'].flatMap((scope) => ['--scope', scope]);
    key = /manage_sk_\w+/.exec((await nidaa(nodes[asked]!, 'keys', 'create', '--name', 'test', ...scopes)).stdout)![0];
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    config?.remove();
    await collector?.close();
    await storage?.dispose();
    await redis?.stop();
  });

  it('is in all of those places', async () => {
    const agent = (await ask<{ items: { id: string }[] }>('GET', '/agents')).items[0]!.id;
    const order = {
      agent,
      to: '+966507654321',
      starts_at: new Date(Date.now() + 86_400_000).toISOString(),
      variables: { mobile: NUMBER },
    };
    await ask('POST', '/calls', order);
    for (const n of [asked, lost]) await call(n, NUMBER, `${NUMBER}#`);
    const home = async () => (await recordings()).filter(({ place }) => place === 'home').length;
    await until(async () => (await home()) === 2, 'the recordings are in the storage', 60_000);
    await storage.kill();
    for (const n of [asked, lost]) await call(n, '+966507654321', `${NUMBER}#`);
    await call(lost, '0551112222', `${NUMBER}#`); // somebody else, of them
    const ready = async () => (await recordings()).filter(({ state }) => state === 'ready').length;
    await until(async () => (await ready()) === 5, 'all recordings are finished', 60_000);
    const here = (await recordings()).filter(({ place }) => place === 'node');
    expect(here.map(({ name }) => folders.map((folder) => existsSync(join(folder, name))))).toEqual([
      ...[
        [true, false],
        [false, true],
      ],
      [false, true],
    ]);
    await nodes[lost]!.stop('SIGKILL');
    await until(() => collector.spans.length > 0, 'calls are traced');
    const found = await places();
    for (const place of ['table calls', 'table dial_orders', 'table turns', 'table sip_ladders'])
      expect(found).toContain(place);
    expect(found.filter((place) => /journal/.test(place))).not.toEqual([]);
    expect(found.filter((place) => /^(log|traces|redis|storage)/.test(place))).toEqual([]);
  });

  it(
    'waits for the storage that is away and the node that is down, and says so',
    async () => {
      const money = () =>
        query('SELECT (SELECT sum(balance_cents) FROM accounts) AS had, (SELECT sum(cents) FROM ledger) AS booked');
      const before = await money();
      const rows = await recordings();
      const lostNode = rows[3]!.node;
      const shown = await ask<Shown>('POST', '/erasures', { number: '+966 50 765 4321' });
      expect(shown).toMatchObject({ state: 'waiting', found: { calls: 4, orders: 1, recordings: 4 } });
      // What this node has is gone at once. The storage may have what was on its way to it, and its other node has its disk.
      expect(shown.waits_for).toMatchObject({ calls: 0, in_storage: 2 });
      expect(shown.waits_for.nodes).toContain(lostNode);
      expect(await money()).toEqual(before);
      expect((await places()).filter((place) => !place.startsWith('disk 1 charges-'))).toEqual([]);
      await storage.begin();
      let last = shown;
      const state = async (): Promise<Shown> => {
        last = await ask<Shown>('GET', `/erasures/${shown.id}`);
        return last;
      };
      const alone = { calls: 0, recordings: 1, in_storage: 0, nodes: [lostNode] };
      await until(
        async () => isDeepStrictEqual((await state()).waits_for, alone),
        () => `only the node that is down is waited for: ${JSON.stringify(last)}`,
        ROUND_MS,
      );
      const kept = rows[4]!.name; // of the other caller
      const left = (): readonly string[] => {
        const names = rows.map(({ name }) => name).filter((name) => name !== kept);
        return names.filter(
          (name) => storage.contents().includes(name) || folders.some((one) => existsSync(join(one, name))),
        );
      };
      expect(left()).toEqual([rows[3]!.name]);
      await start(lost);
      await until(
        async () => (await state()).state === 'done',
        () => `the node that was down has done its part: ${JSON.stringify(last)}`,
        ROUND_MS,
      );
      expect([await places(), left(), await money()]).toEqual([[], [], before]);
      await until(() => storage.contents().includes(kept), 'what is of others goes its way', ROUND_MS);
      expect(await withStore(nodes[asked]!, moneyFaults)).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it('is in no audit log by number, and what became of it is', async () => {
    const rows = await query<{ action: string; row: string }>('SELECT action, a::text AS row FROM audit_entries a');
    expect(rows.filter(({ action }) => action === 'erasePerson')).toHaveLength(1);
    expect(rows.filter(({ row }) => DIGITS.test(row))).toEqual([]);
  });
});

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // gone since it was listed
  }
};

async function textOfRedis({ port }: RedisProcess): Promise<string> {
  const client = new Redis(port, '127.0.0.1');
  try {
    const texts: string[] = [];
    for (const key of await client.keys('*')) {
      const kind = await client.type(key);
      const value = {
        ...{ string: () => client.get(key), hash: () => client.hgetall(key), list: () => client.lrange(key, 0, -1) },
        ...{ set: () => client.smembers(key), zset: () => client.zrange(key, 0, -1) },
        stream: () => client.xrange(key, '-', '+'),
      }[kind];
      texts.push(`${key} ${JSON.stringify(await value?.())}`);
    }
    return texts.join('\n');
  } finally {
    client.disconnect();
  }
}
