import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { silentLogger } from '../../src/core/logger.ts';
import type { SocketConnection } from '../../src/store/embedded-postgres.ts';
import { Store } from '../../src/store/store.ts';
import { askDesk, openDesk, type Shared } from './desk.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Unix socket on which the run tells where its PostgreSQL is. */
    readonly postgresDesk: string;
  }
}

/**
 * One PostgreSQL for all test files of a run, started when the first of them asks. Its own database has the tables and no rows:
 * it is the template from which every file gets a database of its own.
 */
export default async function sharePostgres(project: TestProject): Promise<() => Promise<void>> {
  const { address, close } = await openDesk(startWithTables);
  project.provide('postgresDesk', address);
  return close;
}

async function startWithTables(folder: string): Promise<Shared> {
  const store = await Store.open({ dataFolder: folder, logger: silentLogger });
  // No test stops this server, so none can see whether a commit has reached the disk. Vacuuming would go through the hundred
  // databases of a run again and again, with a process for each.
  await store.pool.query('ALTER ROLE CURRENT_USER SET synchronous_commit = off');
  await store.pool.query('ALTER SYSTEM SET autovacuum = off');
  await store.pool.query('SELECT pg_reload_conf()');
  const server = store.server!;
  await store.pool.end();
  return { facts: server.connection, close: () => server.close() };
}

/** A new database with empty tables on the server of the run. @returns its address, as for `DATABASE_URL`. */
export async function sharedDatabase(desk: string): Promise<string> {
  const answer = await askDesk<SocketConnection>(desk, 'the PostgreSQL');
  return created(answer, `TEMPLATE ${answer.database}`);
}

/** The same without tables. */
export async function databaseWithoutTables(desk: string): Promise<string> {
  return created(await askDesk<SocketConnection>(desk, 'the PostgreSQL'), '');
}

async function created(answer: SocketConnection, how: string): Promise<string> {
  const client = new pg.Client({ ...answer, database: 'postgres' });
  await client.connect();
  const name = `test_${process.pid}_${process.hrtime.bigint()}`;
  await client.query(`CREATE DATABASE ${name} ${how}`);
  await client.end();
  return `postgresql://${answer.user}@/${name}?host=${encodeURIComponent(answer.host)}&port=${answer.port}`;
}
