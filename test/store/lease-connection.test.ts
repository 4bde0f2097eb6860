import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import type { DatabaseAccess } from '../../src/store/database-access.ts';
import { LeaseConnection } from '../../src/store/lease-connection.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { TcpRelay } from '../support/tcp-relay.ts';
import { until } from '../support/until.ts';

let test: SharedTestStore;
let relay: TcpRelay;
let closing: (() => unknown)[];
beforeEach(async () => {
  test = await openTestStore();
  const folder = wayOf().searchParams.get('host');
  relay = await TcpRelay.open(`${folder}/.s.PGSQL.5432`);
  closing = [() => test.close(), () => relay.close()];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const wayOf = (): URL => new URL(test.databaseUrl.replace('@/', '@socket/'));
const overRelay = (): pg.PoolConfig => {
  const { username, pathname } = wayOf();
  return {
    host: '127.0.0.1',
    port: relay.port,
    user: username,
    database: pathname.slice(1),
    application_name: 'relay',
  };
};
function connectionOf(access: DatabaseAccess): LeaseConnection {
  const lease = new LeaseConnection(access, silentLogger);
  closing.push(() => lease.close());
  return lease;
}
interface Answer {
  readonly pid: number; // of the server's end
  readonly as: string; // what the connection was opened as
}
const WHICH = `SELECT pg_backend_pid() AS pid, current_setting('application_name') AS as`;
/** A server that is slow to take a connection is asked again. */
const asked = (lease: LeaseConnection): Promise<Answer> =>
  until(() =>
    lease.on(async (pool) => (await pool.query<Answer>(WHICH)).rows[0]).catch(() => undefined),
  ) as Promise<Answer>;
const hanging = (lease: LeaseConnection): Promise<unknown> => {
  const statement = { text: WHICH, query_timeout: 100 };
  return lease.on((pool) => pool.query(statement));
};

it('is one, kept from one renewal to the next, and made anew where the server ends it', async () => {
  const lease = connectionOf({ connection: overRelay(), direct: undefined, pooled: false });
  const first = await asked(lease);
  expect(first.as).toBe('relay');
  expect(await Promise.all([asked(lease), asked(lease), asked(lease)])).toEqual([first, first, first]);
  await test.store.pool.query('SELECT pg_terminate_backend($1)', [first.pid]);
  await until(async () => (await asked(lease)).pid !== first.pid);
});

it('that hangs is given up, and the next renewal has a new one', async () => {
  const lease = connectionOf({ connection: overRelay(), direct: undefined, pooled: false });
  const first = await asked(lease);
  relay.silent = true;
  await expect(hanging(lease)).rejects.toThrow(/timeout/);
  relay.silent = false;
  const next = await asked(lease);
  expect(next.as).toBe('relay');
  expect(next.pid).not.toBe(first.pid);
});

it('goes around a pooler, and through it while nothing comes the other way', async () => {
  const through = { connectionString: test.databaseUrl, application_name: 'pooler' };
  const lease = connectionOf({ connection: through, direct: overRelay(), pooled: true });
  expect((await asked(lease)).as).toBe('relay');
  relay.silent = true;
  await expect(hanging(lease)).rejects.toThrow(/timeout/);
  const next = await asked(lease);
  expect(next.as).toBe('pooler');
  await expect(lease.on((pool) => pool.query('SELECT 1 / 0'))).rejects.toThrow(/zero/);
  expect((await asked(lease)).as, 'a statement that is wrong says nothing of the way').toBe('pooler');
});
