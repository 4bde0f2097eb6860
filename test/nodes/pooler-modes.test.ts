import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../src/cli/doctor.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { openPostgresBackend } from '../../src/jobs/job-backend.ts';
import { sentTogether } from '../../src/store/database.ts';
import { Store } from '../../src/store/store.ts';
import { LogCapture } from '../support/log-capture.ts';
import { hasPgBouncer, PgBouncer } from '../support/pgbouncer.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { temporaryFolder } from '../support/postgres-store.ts';

if (!hasPgBouncer) console.warn('\n!!! NO POOLER IS MET: pgbouncer not installed !!!\n');

describe.skipIf(!hasPgBouncer)('behind PgBouncer', () => {
  let server: PostgresServer;
  const bouncers: PgBouncer[] = [];
  const dataFolder = temporaryFolder();
  beforeAll(async () => {
    server = await PostgresServer.start(['host all nidaa,admin 127.0.0.1/32 trust'], { listen_addresses: '127.0.0.1' });
    await server.admin('CREATE ROLE nidaa LOGIN');
    await server.admin('CREATE DATABASE nidaa OWNER nidaa');
  }, 120_000);
  afterAll(async () => {
    for (const bouncer of bouncers) await bouncer.dispose();
    await server?.dispose();
  });
  const bouncer = async (mode: 'session' | 'transaction' | 'statement'): Promise<PgBouncer> => {
    const made = await PgBouncer.start(server.port, mode, 2);
    bouncers.push(made);
    return made;
  };
  const doctorOf = async (databaseUrl: string, env: Record<string, string> = {}): Promise<string> => {
    const findings = await examine({ NIDAA_DATA_DIR: dataFolder, DATABASE_URL: databaseUrl, ...env });
    const { detail, fix } = findings.find(({ check }) => check === 'database')!;
    return `${detail} ${fix}`;
  };

  it('mode transaction: tables are made, statements go, whole transactions in one message too', async () => {
    const before = await bouncer('transaction');
    const log = new LogCapture();
    const store = await Store.open({ databaseUrl: before.url('nidaa'), dataFolder, logger: log.logger });
    expect(log.text).toContain('statement_timeout');
    const { id } = await store.accounts.create('a');
    expect(await store.charges.topup('t1', id, 500, 'topup', 'x')).toBe('done');
    await Promise.all(Array.from({ length: 40 }, () => store.charges.balance(id)));
    const client = await store.oneTrip.connect();
    const sent = await sentTogether(client, 'BEGIN', () =>
      [1, 2, 3].map((n) => client.query('SELECT $1::int AS n', [n])),
    );
    expect(sent.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3]);
    client.release();
    expect(() => store.connection).toThrow('DATABASE_DIRECT_URL');
    await store.close();
  });

  it('mode transaction: doctor', async () => {
    const url = bouncers[0]!.url('nidaa');
    expect(await doctorOf(url)).toContain('Set DATABASE_DIRECT_URL');
    expect(await doctorOf(url, { DATABASE_DIRECT_URL: `postgres://nidaa@127.0.0.1:${server.port}/nidaa` })).toContain(
      'a pooler',
    );
    expect(await doctorOf(url, { REDIS_URL: 'redis://127.0.0.1:1' })).toContain('a pooler');
  });

  it('jobs', async () => {
    const directUrl = `postgres://nidaa@127.0.0.1:${server.port}/nidaa`;
    const log = new LogCapture();
    const store = await Store.open({
      databaseUrl: bouncers[0]!.url('nidaa'),
      directUrl,
      dataFolder,
      logger: log.logger,
    });
    const backend = await openPostgresBackend(store.connection, log.logger);
    await backend.close();
    await store.close();
  });

  it('the lease is renewed around the pooler while all that it has is taken, and through it where there is no other way', async () => {
    const databaseUrl = bouncers[0]!.url('nidaa');
    const directUrl = `postgres://nidaa@127.0.0.1:${server.port}/nidaa`;
    const around = await Store.open({ databaseUrl, directUrl, dataFolder, logger: silentLogger });
    const claim = { id: around.gateways.id, beat: 'first', leaseSeconds: 30 };
    expect(await around.gateways.claim(claim)).toEqual({ outcome: 'held' });
    const through = await Store.open({ databaseUrl, dataFolder: temporaryFolder(), logger: silentLogger });
    expect(await through.gateways.claim({ ...claim, id: through.gateways.id })).toEqual({ outcome: 'held' });
    expect(await through.gateways.renew(['first'], 'second', 30)).toBe(true);
    const taken = await Promise.all([around.pool.connect(), around.pool.connect()]);
    for (const client of taken) await client.query('BEGIN; SELECT 1');
    expect(await around.gateways.renew(['first'], 'second', 30)).toBe(true);
    await expect(through.gateways.renew(['second'], 'third', 3)).rejects.toThrow(/timeout/);
    for (const client of taken) await client.query('COMMIT');
    expect(await through.gateways.renew(['second', 'third'], 'fourth', 30)).toBe(true);
    for (const client of taken) client.release();
    await around.close();
    await through.close();
  });

  it('a mode without transactions', async () => {
    const url = (await bouncer('statement')).url('nidaa');
    await server.admin('DROP DATABASE nidaa WITH (FORCE)');
    await server.admin('CREATE DATABASE nidaa OWNER nidaa');
    const log = new LogCapture();
    await expect(Store.open({ databaseUrl: url, dataFolder, logger: log.logger })).rejects.toThrow(
      'pool_mode = transaction',
    );
    await expect(
      Store.open({ databaseUrl: `${url}?options=-c%20search_path%3Dx`, dataFolder, logger: log.logger }),
    ).rejects.toThrow('ALTER ROLE');
  });
});
