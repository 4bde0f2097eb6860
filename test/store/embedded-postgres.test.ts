import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OperatorError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { EmbeddedPostgres, findRunningPostgres } from '../../src/store/embedded-postgres.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

const start = (dataFolder: string): Promise<EmbeddedPostgres> =>
  EmbeddedPostgres.start({ dataFolder, logger: silentLogger });

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown> {
  const client = new pg.Client(server.connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return Object.values((await client.query(sql)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

/** Runs, and is not a zombie that nobody has collected: those have no command line. */
function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, 'utf8') !== '';
}

describe('EmbeddedPostgres', () => {
  let folder: string;
  let server: EmbeddedPostgres | undefined;
  beforeAll(() => {
    folder = temporaryFolder();
    return () => rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it('keeps data over stop and start, durably, with nothing on TCP and a folder shut to others', async () => {
    server = await start(folder);
    await ask(server, 'CREATE TABLE kept AS SELECT 42 AS answer');
    expect(await ask(server, 'SHOW fsync')).toBe('on');
    expect(await ask(server, 'SHOW synchronous_commit')).toBe('on');
    expect(await ask(server, 'SHOW listen_addresses')).toBe('');
    expect(await ask(server, 'SHOW server_encoding')).toBe('UTF8');
    expect(await ask(server, 'SHOW data_checksums')).toBe('on');
    expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
    await server.close();
    server = await start(folder);
    expect(await ask(server, 'SELECT answer FROM kept')).toBe(42);
  });

  it('never runs as root', async () => {
    server = await start(folder);
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
    expect(Number(uid)).not.toBe(0);
  });

  it('sorts Arabic by code point and compares it exactly', async () => {
    server = await start(folder);
    expect(await ask(server, `SELECT upper('é') || lower('É') || ('أ' = 'ا')::text`)).toBe('Ééfalse');
  });

  it.runIf(EVERY_TEST)('close is idempotent, and leaves neither process, socket nor lock', async () => {
    server = await start(folder);
    const { pid } = server;
    await Promise.all([server.close(), server.close()]);
    await server.close();
    expect(server.state).toBe('stopped');
    expect(isAlive(pid!)).toBe(false);
    expect(existsSync(join(folder, 'postgres', 'gateway.lock'))).toBe(false);
    expect(findRunningPostgres(folder)).toBeUndefined();
  });

  it('is found by tools while it runs', async () => {
    server = await start(folder);
    expect(findRunningPostgres(folder)).toEqual(server.connection);
  });

  it('refuses a second gateway on the same folder, and does not disturb the first', async () => {
    server = await start(folder);
    await expect(start(folder)).rejects.toThrow(/Another gateway/);
    expect(await ask(server, 'SELECT 1')).toBe(1);
  });

  it('comes back by itself when the server is killed', async () => {
    server = await start(folder);
    const before = server.pid;
    process.kill(before!, 'SIGKILL');
    await until(() => server?.state === 'running' && server.pid !== before && server.pid !== undefined);
    expect(await ask(server, 'SELECT answer FROM kept')).toBe(42);
  });

  it.runIf(EVERY_TEST)('that comes back works beside no process of the one that was killed', async () => {
    server = await start(folder);
    const before = server.pid;
    const busy = new pg.Client(server.connection);
    busy.on('error', () => undefined);
    await busy.connect();
    const { rows } = await busy.query('SELECT pg_backend_pid() AS pid');
    // It does not come to look whether its parent lives.
    const work = `DO $$ BEGIN WHILE clock_timestamp() < now() + interval '60 s' LOOP PERFORM 1; END LOOP; END $$`;
    busy.query(work).catch(() => undefined);
    process.kill(before!, 'SIGKILL');
    await until(() => server?.state === 'running' && server.pid !== before && server.pid !== undefined);
    expect(isAlive(rows[0].pid)).toBe(false);
    expect(await ask(server, 'SELECT answer FROM kept')).toBe(42);
    await busy.end().catch(() => undefined);
  });

  it.runIf(EVERY_TEST)('comes back by itself when somebody removes its socket', async () => {
    server = await start(folder);
    const first = server.pid;
    rmSync(join(server.connection.host, `.s.PGSQL.${server.connection.port}`));
    await until(() => server!.state === 'running' && server!.pid !== undefined && server!.pid !== first);
    expect(await ask(server, 'SELECT 1')).toBe(1);
  });

  it('takes over from a gateway that was killed: lock and left-over server', async () => {
    const script = `
      const { EmbeddedPostgres } = await import(process.argv[1]);
      const { silentLogger } = await import(process.argv[2]);
      await EmbeddedPostgres.start({ dataFolder: process.argv[3], logger: silentLogger });
      process.kill(process.pid, 'SIGKILL');`;
    const built = (name: string): string => new URL(`../../dist/${name}`, import.meta.url).pathname;
    const args = [built('store/embedded-postgres.js'), built('core/logger.js'), folder];
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script, ...args]);
    expect(run.signal).toBe('SIGKILL');
    const leftOver = Number(readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
    expect(isAlive(leftOver)).toBe(true);
    server = await start(folder);
    expect(isAlive(leftOver)).toBe(false);
    expect(await ask(server, 'SELECT answer FROM kept')).toBe(42);
  });

  it('ignores a stale pid file whose number now belongs to somebody else', async () => {
    const pidFile = join(folder, 'postgres/data/postmaster.pid');
    // Of the user the server runs as: it asks no others.
    const { uid, gid } = statSync(join(folder, 'postgres/data'));
    const somebody = spawn('sleep', ['600'], { uid, gid });
    try {
      const text = `${somebody.pid}\n${folder}/postgres/data\n1\n5432\n/tmp\n`;
      writeFileSync(join(folder, 'postgres/.s.PGSQL.5432.lock'), text);
      writeFileSync(pidFile, `${text}\n  1 1\nready   \n`);
      server = await start(folder);
      expect(await ask(server, 'SELECT 1')).toBe(1);
      expect(isAlive(somebody.pid!)).toBe(true);
    } finally {
      somebody.kill();
    }
  });

  it.runIf(EVERY_TEST)('starts again after a first start that was cut short', async () => {
    const other = temporaryFolder();
    try {
      const begun = await start(other);
      await begun.close();
      const home = join(other, 'postgres');
      rmSync(join(home, 'data'), { recursive: true });
      mkdirSync(join(home, 'data.unfinished'));
      writeFileSync(join(home, 'data.unfinished', 'PG_VERSION'), '18\n');
      server = await start(other);
      expect(await ask(server, 'SELECT current_database()')).toBe('nidaa');
      await server.close();
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it.each([
    {
      name: 'data of another PostgreSQL version',
      spoil: (home: string) => writeFileSync(join(home, 'data', 'PG_VERSION'), '16\n'),
      says: /made by PostgreSQL 16.*brings 18.*pg_dump/s,
    },
    {
      name: 'a folder open to others',
      spoil: (home: string) => chmodSync(home, 0o755),
      says: /mode 0700/,
    },
  ])('refuses with what to do: $name', async ({ spoil, says }) => {
    const other = temporaryFolder();
    try {
      spawnSync('cp', ['-a', join(folder, 'postgres'), other]); // with its owner
      spoil(join(other, 'postgres'));
      const refused = await start(other).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(OperatorError);
      expect((refused as Error).message).toMatch(says);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it.runIf(EVERY_TEST)('works where the path of the socket would be too long', async () => {
    const parent = temporaryFolder();
    chmodSync(parent, 0o711);
    try {
      server = await start(join(parent, 'x'.repeat(100)));
      expect(Buffer.byteLength(server.connection.host)).toBeLessThan(90);
      expect(await ask(server, 'SELECT 1')).toBe(1);
      await server.close();
      rmSync(server.connection.host, { recursive: true, force: true });
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });
});
