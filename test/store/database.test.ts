import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseFault, inTransaction } from '../../src/store/database.ts';
import { Store } from '../../src/store/store.ts';
import { LogCapture } from '../support/log-capture.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

const sqlError = (code: string): Error => Object.assign(new Error('x'), { code });

describe('databaseFault', () => {
  it.each([
    { name: 'socket gone', error: sqlError('ECONNREFUSED'), fault: 'away' },
    { name: 'broken pipe is no SQLSTATE', error: sqlError('EPIPE'), fault: 'away' },
    { name: 'time limit of the client', error: new Error('Query read timeout'), fault: 'away' },
    { name: 'shutting down', error: sqlError('57P01'), fault: 'away' },
    { name: 'starting up', error: sqlError('57P03'), fault: 'away' },
    { name: 'disk full', error: sqlError('53100'), fault: 'away' },
    { name: 'read-only', error: sqlError('25006'), fault: 'away' },
    { name: 'deadlock', error: sqlError('40P01'), fault: 'again' },
    { name: 'within another error', error: new Error('outer', { cause: sqlError('40001') }), fault: 'again' },
    { name: 'number too large', error: sqlError('22003'), fault: 'statement' },
    { name: 'a rule of ours', error: sqlError('23514'), fault: 'statement' },
    { name: 'a mistake of ours', error: new TypeError('x is undefined'), fault: 'statement' },
  ])('$name: $fault', ({ error, fault }) => {
    expect(databaseFault(error)).toBe(fault);
  });
});

describe('on PostgreSQL', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  afterAll(() => test.close());

  it('a failed statement does not say what values it had', async () => {
    const secret = 'CANARY-0501234567';
    const account = await test.store.accounts.create('a');
    await test.store.accounts.create('b', secret);
    const failed = await test.store.accounts.create('c', secret).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(String(failed)).not.toContain(secret);
    expect((failed as Error).stack).not.toContain(secret);
    expect(databaseFault(failed)).toBe('statement');
    expect(account.balanceCents).toBe(0);
  });

  it('a failed transaction leaves nothing, and its connection is not used again', async () => {
    const { pool } = test.store;
    const failed = inTransaction(pool, async (client) => {
      await client.query(`INSERT INTO settings (name, value) VALUES ('half', '1')`);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await test.store.settings.get('half')).toBeUndefined();
    await test.store.settings.set('whole', { a: [1] });
    await test.store.settings.set('whole', { a: [2] });
    expect(await test.store.settings.get('whole')).toEqual({ a: [2] });
  });

  it('no account can be overdrawn, even by a statement that goes around the functions', async () => {
    const { id } = await test.store.accounts.create('a');
    const overdraw = test.store.pool.query('UPDATE accounts SET balance_cents = -1 WHERE id = $1', [id]);
    await expect(overdraw).rejects.toThrow(/accounts_never_overdrawn/);
  });

  it.runIf(EVERY_TEST)('closing a store with busy connections leaves no complaint', { timeout: 90_000 }, async () => {
    const log = new LogCapture();
    const dataFolder = temporaryFolder();
    for (let round = 0; round < 6; round += 1) {
      const store = await Store.open({ dataFolder, logger: log.logger });
      await Promise.all(Array.from({ length: 12 }, () => store.pool.query('SELECT pg_sleep(0.01)')));
      await store.close();
    }
    rmSync(dataFolder, { recursive: true, force: true });
    expect(log.text).not.toContain('connection broke');
  });
});
