import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { hasPgBouncer, PgBouncer } from '../support/pgbouncer.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { moneyFaults, temporaryFolder } from '../support/postgres-store.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

if (!hasPgBouncer) console.warn('\n!!! NO GATEWAY RUNS BEHIND A POOLER: pgbouncer not installed !!!\n');
const SERVER_CONNECTIONS = 4;
/** Around the pooler: jobs, and the lease of the node. */
const DIRECT_CONNECTIONS = 8 + 1;

/** Every statement of a whole gateway goes through it, on four connections that any of them may get. */
describe.skipIf(!hasPgBouncer)('a gateway behind PgBouncer in transaction mode', () => {
  let server: PostgresServer;
  let bouncer: PgBouncer;
  let gateway: Gateway;
  const dataDir = temporaryFolder();
  const folder = configFolder({ ...GREETER, 'nidaa.yaml': 'node: { leaseSeconds: 6 }\nmedia: { recording: true }\n' });
  const phones: VoicePhone[] = [];

  const start = async (): Promise<Gateway> =>
    startGateway({
      ...{ dataDir, databaseUrl: bouncer.url('nidaa') },
      env: {
        NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`,
        DATABASE_DIRECT_URL: `postgres://nidaa@127.0.0.1:${server.port}/nidaa`,
      },
    });
  const call = async (): Promise<VoicePhone> => {
    const phone = await VoicePhone.open(gateway.sipPort);
    phones.push(phone);
    await phone.call(gateway.sip, 440);
    await until(() => phone.audio.heard.length > 25, 'the agent is heard');
    return phone;
  };
  const ended = async (count: number): Promise<readonly Record<string, unknown>[]> =>
    until(async () => {
      const rows = await server.admin(
        `SELECT end_reason AS reason, cost_cents::int AS cents, (SELECT count(*)::int FROM ledger WHERE id LIKE calls.id || '/minute/%') AS booked
         FROM calls WHERE ended_at IS NOT NULL ORDER BY started_at`,
        'nidaa',
      );
      return rows.length === count && rows;
    }, `${count} calls have ended`);

  beforeAll(async () => {
    server = await PostgresServer.start(['host all nidaa 127.0.0.1/32 trust'], { listen_addresses: '127.0.0.1' });
    await server.admin('CREATE ROLE nidaa LOGIN');
    await server.admin(`ALTER ROLE nidaa SET statement_timeout = '5s'`);
    await server.admin('CREATE DATABASE nidaa OWNER nidaa');
    bouncer = await PgBouncer.start(server.port, 'transaction', SERVER_CONNECTIONS);
    gateway = await start();
  });
  afterAll(async () => {
    for (const phone of phones) phone.close();
    await gateway?.dispose();
    await bouncer?.dispose();
    await server?.dispose();
    folder.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('takes calls, charges them once, and finishes what jobs there are', async () => {
    const both = await Promise.all([call(), call(), call()]);
    for (const phone of both) await phone.hangUp();
    const calls = await ended(3);
    expect(calls.every(({ reason, booked }) => reason === 'caller-hangup' && booked === 1)).toBe(true);
    expect(calls.every(({ cents }) => Number(cents) > 0)).toBe(true);
    // By the calls themselves: the queue of recordings has rounds of its own, which its count of finished jobs has as well.
    const finished = `SELECT count(*)::int AS n FROM calls WHERE recording_state = 'ready'`;
    await until(
      async () => (await server.admin(finished, 'nidaa'))[0]?.['n'] === 3,
      'the recordings are finished by jobs',
    );
  });

  it('requests that pay, many at once', async () => {
    const headers = { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ text: 'the price is 12 riyals', language: 'en' });
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => fetch(`${gateway.api}/v1/text/normalize`, { method: 'POST', headers, body })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('has the server keep few connections', async () => {
    const servers = await bouncer.show('SHOW SERVERS');
    expect(servers.length).toBeGreaterThan(0);
    expect(servers.length).toBeLessThanOrEqual(SERVER_CONNECTIONS);
    const rows = await server.admin(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'nidaa'`);
    expect(rows[0]?.['n']).toBeLessThanOrEqual(SERVER_CONNECTIONS + DIRECT_CONNECTIONS);
  });

  it('kill -9 in a call: the next start closes and bills it', async () => {
    await call();
    await until(
      async () => (await server.admin('SELECT count(*)::int AS n FROM ledger WHERE cents < 0', 'nidaa'))[0]?.['n'],
      'billed',
    );
    await gateway.stop('SIGKILL');
    gateway = await start();
    const calls = await ended(4);
    expect(calls.at(-1)).toMatchObject({ reason: 'interrupted', booked: 1 });
  });

  it('drains, over the pooler too, and ends', async () => {
    const phone = await call();
    const { stdout } = await nidaa(gateway, 'nodes');
    expect(stdout).toMatch(/serving/);
    gateway.process.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(gateway.process.exitCode).toBeNull();
    await phone.hangUp();
    expect(await gateway.stop()).toBe(0);
    await ended(5);
    expect(await withStore(gateway, moneyFaults)).toEqual([]);
  });

  it('no statement failed for want of a session', () => {
    expect(
      server.log.split('\n').filter((line) => /ERROR|FATAL|PANIC/.test(line) && !line.includes('starting up')),
    ).toEqual([]);
    expect(bouncer.log).not.toMatch(/unsupported|disallowed|pooler error/);
  });
});
