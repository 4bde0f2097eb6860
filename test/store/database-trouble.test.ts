import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabase } from '../../src/cli/checks/database.ts';
import { loadConfig } from '../../src/config/load.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { openPostgresBackend } from '../../src/jobs/job-backend.ts';
import { DATABASE_FAULTS } from '../../src/store/database-faults.ts';
import { DatabaseTrouble } from '../../src/store/database-trouble.ts';
import { Store } from '../../src/store/store.ts';
import { pairFor } from '../support/certificates.ts';
import { freeTcpPort } from '../support/ports.ts';
import { PostgresServer } from '../support/postgres-server.ts';

const SECRET = 'hush-hush';
const HBA = [
  'hostssl all over_tls,cert_unknown 127.0.0.1/32 trust',
  'hostssl all by_cert 127.0.0.1/32 cert',
  'host all by_word 127.0.0.1/32 scram-sha-256',
  'host all not_here 127.0.0.1/32 reject',
  'host all nidaa,owner,lodger,limited,sleeper,nobody_of_that_name,older,reader 127.0.0.1/32 trust',
  'local all by_peer peer',
];

let server: PostgresServer;
const listeners: Server[] = [];
const pairs = { good: pairFor(['127.0.0.1']), old: pairFor(['127.0.0.1'], -1), other: pairFor(['db.example']) };

beforeAll(async () => {
  server = await PostgresServer.start(HBA, { listen_addresses: '127.0.0.1', max_connections: '20' });
  await server.admin(`CREATE ROLE nidaa LOGIN; CREATE ROLE owner LOGIN; CREATE ROLE lodger LOGIN; CREATE ROLE sleeper NOLOGIN;
    CREATE ROLE limited LOGIN CONNECTION LIMIT 0; CREATE ROLE by_word LOGIN PASSWORD '${SECRET}'; CREATE ROLE over_tls LOGIN;
    CREATE ROLE by_cert LOGIN; CREATE ROLE cert_unknown LOGIN; CREATE ROLE by_peer LOGIN; CREATE ROLE older LOGIN; CREATE ROLE reader LOGIN;
    ALTER ROLE older SET search_path = old, pg_catalog; ALTER ROLE reader SET default_transaction_read_only = on`);
  for (const sql of [
    'CREATE DATABASE nidaa OWNER nidaa',
    'CREATE DATABASE house OWNER owner',
    'CREATE DATABASE locked',
    'REVOKE CONNECT ON DATABASE locked FROM public',
    'CREATE DATABASE shut ALLOW_CONNECTIONS false',
    `CREATE DATABASE latin OWNER nidaa ENCODING 'LATIN1' TEMPLATE template0`,
  ])
    await server.admin(sql);
  await server.admin(
    `CREATE SCHEMA old; GRANT USAGE ON SCHEMA old TO older;
    CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql AS $$
      SELECT CASE $1 WHEN 'server_version' THEN '14.9' WHEN 'server_version_num' THEN '140009' ELSE pg_catalog.current_setting($1) END $$`,
    'nidaa',
  );
  await server.admin('GRANT USAGE, CREATE ON SCHEMA public TO lodger', 'house');
}, 120_000);
afterAll(async () => {
  for (const listener of listeners) listener.close();
  await server?.dispose();
});

const url = (user: string, database = 'nidaa', query = ''): string =>
  `postgres://${user}@127.0.0.1:${server.port}/${database}${query && `?${query}`}`;

async function listener(answer: ((data: Buffer) => string) | 'silence'): Promise<number> {
  const port = await freeTcpPort();
  const made = createServer((socket) => {
    socket.on('error', () => undefined);
    if (answer !== 'silence') socket.once('data', (data: Buffer) => socket.end(answer(data)));
  }).listen(port, '127.0.0.1');
  await once(made, 'listening');
  listeners.push(made);
  return port;
}

const trusting = (pair: { cert: string }): string =>
  `sslmode=verify-full&sslrootcert=${server.write('ca.pem', pair.cert)}`;
async function speakTls(pair: { cert: string; key: string }): Promise<void> {
  const [cert, key] = [server.write('server.pem', pair.cert), server.write('server.key', pair.key)];
  server.set({ ssl: 'on', ssl_cert_file: cert, ssl_key_file: key, ssl_ca_file: cert });
  await server.reload();
}
const ownPair = (pair: { cert: string; key: string }): string =>
  `sslcert=${server.write('mine.pem', pair.cert)}&sslkey=${server.write('mine.key', pair.key)}`;

interface Row {
  readonly name: string; // of DATABASE_FAULTS; of two that have the same, what is asked for
  readonly url: () => string | Promise<string>;
  readonly says?: RegExp;
  /** Where it is not the start that finds it. */
  readonly found?: 'queues' | 'doctor';
}

const ROWS: readonly Row[] = [
  { name: 'no URL', url: () => `postgres://nidaa:${SECRET}#1@127.0.0.1:5432/nidaa`, says: /%23/ },
  { name: 'no URL', url: () => 'postgres://nidaa:%ff@127.0.0.1:5432/nidaa' },
  {
    name: 'file of TLS missing',
    url: () => url('nidaa', 'nidaa', 'sslmode=verify-full&sslrootcert=/nowhere/ca.pem'),
    says: /nowhere/,
  },
  {
    name: 'name does not resolve',
    url: () => `postgres://nidaa:${SECRET}@no-such-host.invalid/nidaa`,
    says: /no-such-host\.invalid/,
  },
  { name: 'nobody there', url: async () => `postgres://nidaa:${SECRET}@127.0.0.1:${await freeTcpPort()}/nidaa` },
  { name: 'nobody there', url: () => 'postgres://nidaa@/nidaa?host=/nowhere', says: /\/nowhere/ },
  { name: 'no way there', url: () => `postgres://nidaa:${SECRET}@255.255.255.255/nidaa` },
  {
    name: 'no answer',
    url: async () => `postgres://nidaa@127.0.0.1:${await listener('silence')}/nidaa`,
    found: 'doctor',
  },
  { name: 'no PostgreSQL', url: async () => `postgres://nidaa@127.0.0.1:${await listener(() => '')}/nidaa` },
  {
    name: 'no PostgreSQL',
    url: async () => `postgres://nidaa@127.0.0.1:${await listener(() => 'HTTP/1.1 400 Bad Request\r\n\r\n')}/nidaa`,
  },
  { name: 'TLS is not offered', url: () => url('nidaa', 'nidaa', 'sslmode=verify-full') },
  {
    name: 'certificate of nobody',
    url: () => speakTls(pairs.good).then(() => url('over_tls', 'nidaa', 'sslmode=verify-full')),
  },
  {
    name: 'file of TLS is none',
    url: () => url('over_tls', 'nidaa', `${trusting(pairs.good)}&${ownPair({ cert: 'x', key: 'y' })}`),
  },
  { name: 'client certificate wanted', url: () => url('by_cert', 'nidaa', trusting(pairs.good)) },
  {
    name: 'client certificate refused',
    url: () => url('cert_unknown', 'nidaa', `${trusting(pairs.good)}&${ownPair(pairFor(['cert_unknown']))}`),
  },
  {
    name: 'certificate out of date',
    url: () => speakTls(pairs.old).then(() => url('over_tls', 'nidaa', trusting(pairs.old))),
  },
  {
    name: 'certificate of another name',
    url: () => speakTls(pairs.other).then(() => url('over_tls', 'nidaa', trusting(pairs.other))),
  },
  { name: 'only over TLS', url: () => url('over_tls') },
  { name: 'not from here', url: () => url('not_here'), says: /pg_hba\.conf/ },
  { name: 'another Unix user', url: () => `postgres://by_peer@/nidaa?host=${server.folder}&port=${server.port}` },
  { name: 'role may not log in', url: () => url('sleeper') },
  { name: 'no such role', url: () => url('nobody_of_that_name') },
  { name: 'no password', url: () => url('by_word') },
  { name: 'wrong password', url: () => url('by_word:not-it'), says: /ALTER ROLE by_word PASSWORD/ },
  { name: 'no such database', url: () => url('nidaa', 'elsewhere'), says: /CREATE DATABASE elsewhere OWNER nidaa/ },
  { name: 'may not connect', url: () => url('nidaa', 'locked') },
  { name: 'closed to all', url: () => url('nidaa', 'shut') },
  { name: 'may not make tables', url: () => url('nidaa', 'house'), says: /ALTER DATABASE house OWNER TO nidaa/ },
  { name: 'may not make schemas', url: () => url('lodger', 'house'), found: 'queues' },
  {
    name: 'tables of another role',
    url: async () => {
      const tables = `CREATE TABLE schema_migrations (number integer); CREATE TABLE calls (id text);
        ALTER TABLE schema_migrations OWNER TO owner; ALTER TABLE calls OWNER TO owner; GRANT ALL ON schema_migrations TO lodger`;
      await server.admin(tables, 'house');
      return url('lodger', 'house');
    },
    says: /calls/,
  },
  { name: 'no connection left', url: () => url('limited') },
  { name: 'read-only', url: () => url('reader') },
  { name: 'anything else', url: () => url('nidaa', 'nidaa', 'options=-c%20no.such%3D1%20-c%20nonsense%3D1') },
];
/** Only poolers do that. */
const OF_POOLERS = ['pooler of statements', 'pooler refuses a setting'];

const matcher = (name: string): RegExp => {
  const { wrong } = DATABASE_FAULTS.find((row) => row.name === name)!;
  const escaped = wrong.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/<\w+>/g, '.+')}$`);
};

const examined = async (databaseUrl: string): Promise<{ detail: string; fix: string | null; state: string }> => {
  const config = loadConfig({ env: { NIDAA_DATA_DIR: server.folder, DATABASE_URL: databaseUrl }, cwd: server.folder });
  return (await checkDatabase(config, silentLogger)).find(({ check }) => check === 'database')!;
};

const started = (databaseUrl: string, found: Row['found']): Promise<unknown> => {
  const dataFolder = join(server.folder, 'gateway');
  const opening: Promise<unknown> =
    found === 'queues'
      ? openPostgresBackend({ connectionString: databaseUrl }, silentLogger)
      : Store.open({ databaseUrl, dataFolder, logger: silentLogger });
  return opening.catch((error: unknown) => error);
};

async function expectTrouble(name: string, databaseUrl: string, says = /./, found?: Row['found']): Promise<void> {
  const { state, detail, fix } = await examined(databaseUrl);
  expect(detail).toMatch(matcher(name));
  expect(state).toBe('fail');
  expect(`${detail} ${fix}`).toMatch(says);
  expect(`${detail} ${fix}`).not.toMatch(/<\w+>/);
  expect(`${detail} ${fix}`).not.toContain(SECRET);
  if (found === 'doctor') return;
  const error = await started(databaseUrl, found);
  expect(error).toBeInstanceOf(DatabaseTrouble);
  expect((error as DatabaseTrouble).wrong).toMatch(matcher(name));
  expect((error as Error).stack).not.toContain(SECRET);
}

describe('a database that cannot be used, at start and for doctor', () => {
  it.each(ROWS)('$name', async ({ name, url: of, says, found }) => {
    await expectTrouble(name, await of(), says, found);
  });

  it('a server that is too old', async () => {
    const { state, detail, fix } = await examined(url('older'));
    expect({ state, detail }).toEqual({
      state: 'fail',
      detail: 'PostgreSQL 14.9 is too old: the gateway needs 15 or newer.',
    });
    expect(fix).toContain('pg_upgrade');
  });

  it('a database that has no Arabic letters', async () => {
    expect((await examined(url('nidaa', 'latin'))).detail).toContain('LATIN1');
  });

  it('a database that serves', async () => {
    expect(await examined(url('nidaa'))).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('database nidaa of nidaa at 127.0.0.1:'),
    });
  });

  it('a server that is ending', async () => {
    const last = new pg.Client(url('nidaa'));
    await last.connect();
    server.signal('SIGTERM'); // which waits for it
    await expectTrouble('not ready', url('nidaa'));
    await last.end();
    await server.stop();
  });

  it('a replica', async () => {
    server.write(join('data', 'standby.signal'), '');
    await server.run();
    await expectTrouble('read-only', url('nidaa'), /primary/);
  });

  it('every row was met', () => {
    const met = new Set([...ROWS.map(({ name }) => name), 'not ready', ...OF_POOLERS]);
    expect(DATABASE_FAULTS.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([]);
  });
});
