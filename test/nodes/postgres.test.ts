import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { debianPrograms } from '../support/postgres-programs.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';

const ASKED = `SELECT version() ~ 'Debian|Ubuntu' AS "isOfPackage", current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS waits`;
const DURABLE = { isOfPackage: true, fsync: 'on', pages: 'on', waits: 'on' };

describe.skipIf(!debianPrograms())('the PostgreSQL of these trials', () => {
  it('is that of the packages and waits for its disk: the one that they share', async () => {
    const client = new pg.Client(await sharedDatabase(inject('postgresDesk')));
    await client.connect();
    try {
      expect((await client.query(ASKED)).rows).toEqual([DURABLE]);
    } finally {
      await client.end();
    }
  });

  it('and one that a trial has for itself', async () => {
    const server = await PostgresServer.start([]);
    try {
      expect(await server.admin(ASKED)).toEqual([DURABLE]);
    } finally {
      await server.dispose();
    }
  });
});
