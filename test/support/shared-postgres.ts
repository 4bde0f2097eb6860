import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { silentLogger } from '../../src/core/logger.ts';
import type { EmbeddedPostgres, SocketConnection } from '../../src/store/embedded-postgres.ts';
import { Store } from '../../src/store/store.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-test-'));
  const address = join(folder, 'desk');
  let server: Promise<EmbeddedPostgres> | undefined;
  const desk = createServer((socket) => {
    server ??= startWithTables(folder);
    server.then(
      ({ connection }) => socket.end(JSON.stringify(connection)),
      (error: Error) => socket.end(JSON.stringify({ error: error.message })),
    );
  });
  desk.listen(address);
  await once(desk, 'listening');
  project.provide('postgresDesk', address);
  return async () => {
    desk.close();
    await (await server)?.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function startWithTables(folder: string): Promise<EmbeddedPostgres> {
  const store = await Store.open({ dataFolder: folder, logger: silentLogger });
  // No test stops this server: none can see whether a commit has reached the disk.
  await store.pool.query('ALTER ROLE CURRENT_USER SET synchronous_commit = off');
  const { server } = store;
  await store.pool.end();
  return server!;
}

/** A new database with empty tables on the server of the run. @returns its address, as for `DATABASE_URL`. */
export async function sharedDatabase(desk: string): Promise<string> {
  const answer = JSON.parse(await text(connect(desk))) as SocketConnection & { readonly error?: string };
  if (answer.error !== undefined) throw new Error(`the PostgreSQL of the run did not start: ${answer.error}`);
  const client = new pg.Client({ ...answer, database: 'postgres' });
  await client.connect();
  const name = `test_${process.pid}_${process.hrtime.bigint()}`;
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${answer.database}`);
  await client.end();
  return `postgresql://${answer.user}@/${name}?host=${encodeURIComponent(answer.host)}&port=${answer.port}`;
}
