import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import { backup } from '../../src/store/backup/backup.ts';
import { requireKnown } from '../../src/store/backup/load.ts';
import { move } from '../../src/store/backup/move.ts';
import { whileNobodyRuns } from '../../src/store/backup/quiet-folder.ts';
import { restore } from '../../src/store/backup/restore.ts';
import { connect, type DatabaseFacts, factsOf, requireSame, tablesOf } from '../../src/store/backup/tables.ts';
import { readMigrations } from '../../src/store/migrator.ts';
import { Store } from '../../src/store/store.ts';
import { callOf, DEFINITION, endCall, thingsOf } from '../support/manage-things.ts';
import { moneyFaults, openTestStore, type SharedTestStore, temporaryFolder } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const ODD = 'tab\tline\nback\\slash \\. \u0001 نداء 📞 "quoted" \\N';

describe('a backup', () => {
  let test: SharedTestStore;
  let folder: string;
  let file: string;
  let recording: string;
  let before: DatabaseFacts;
  const ends: (() => Promise<void> | void)[] = [];

  const factsIn = async (databaseUrl: string): Promise<DatabaseFacts> => {
    const client = await connect({ connectionString: databaseUrl });
    try {
      return await factsOf(client, await tablesOf(client));
    } finally {
      await client.end();
    }
  };
  const make = (to: string, databaseUrl = test.databaseUrl) =>
    backup({
      ...{
        connection: { connectionString: databaseUrl },
        dataFolder: test.dataFolder,
        node: test.store.recordings.node,
      },
      ...{ file: to, program: '1.2.3', madeAt: new Date(), atRest: true },
    });
  /** An empty database, and a data folder with nothing in it. */
  const elsewhere = async () => {
    const dataFolder = temporaryFolder();
    ends.push(() => rmSync(dataFolder, { recursive: true, force: true }));
    return { dataFolder, databaseUrl: await sharedDatabase(inject('postgresDesk')) };
  };
  const bringBack = (to: { dataFolder: string; databaseUrl: string }, from = file, replace = false) =>
    restore({ ...to, file: from, replace, now: new Date(), logger: silentLogger });

  beforeAll(async () => {
    test = await openTestStore();
    folder = temporaryFolder();
    const { store, dataFolder } = test;
    const account = (await store.accounts.create(ODD)).id;
    await store.charges.topup('credit', account, 1_000, 'topup', ODD);
    await thingsOf(store, account, 'mine');
    const agent = (await store.agents.create(account, { ...DEFINITION, name: 'Other' })).id;
    const { call } = await callOf(store, account, agent);
    recording = `recordings/${call}.wav`;
    mkdirSync(join(dataFolder, 'recordings'));
    writeFileSync(join(dataFolder, recording), randomBytes(3_000_000));
    await store.recordings.ensure(call, recording);
    await endCall(store, call, recording);
    await store.settings.set('odd', { text: ODD, nothing: null });
    // More than one piece, of a row that is larger than one, and a JSON null, which is not the absence of a value.
    await store.pool.query(
      `INSERT INTO agent_documents (id, account_id, agent_id, name, type, size, bytes) VALUES ('doc_1', $1, $2, 'a', 'txt', 1, $3)`,
      [account, agent, randomBytes(6_000_000)],
    );
    await store.pool.query(`INSERT INTO audit_entries (account_id, actor_kind, actor_id, actor_name, action, target_kind, target_id, before, request_id)
      VALUES ('a', 'shell', 'x', 'x', 'x', 'x', 'x', 'null', 'x')`);
    await store.gateways.claim({ id: store.gateways.id, beat: 'x', leaseSeconds: 600 });
    file = join(folder, 'first.tar');
    before = (await make(file)).facts;
  });
  afterAll(async () => {
    for (const end of ends) await end();
    rmSync(folder, { recursive: true, force: true });
    await test.close();
  });

  it.runIf(EVERY_TEST)('comes back as it was, elsewhere: rows, money, files, keys; and nobody runs there', async () => {
    const to = await elsewhere();
    const made = await bringBack(to);
    expect(made.facts).toEqual(before);
    expect(before.money.ledger).toBe(before.money.balances);
    expect(before.money.ledger).toBeGreaterThan(1_000);
    for (const name of [recording, 'secret.key', 'node-id']) {
      expect(readFileSync(join(to.dataFolder, name)).equals(readFileSync(join(test.dataFolder, name))), name).toBe(
        true,
      );
    }
    expect(statSync(join(to.dataFolder, 'secret.key')).mode & 0o777).toBe(0o600);
    const store = await Store.open({ ...to, logger: silentLogger });
    ends.push(() => store.close());
    expect(await moneyFaults(store)).toEqual([]);
    const { rows } = await store.pool.query('SELECT count(*)::int AS living FROM gateways g WHERE gateway_lives(g)');
    expect(rows).toEqual([{ living: 0 }]);
    expect(await store.settings.get('odd')).toEqual({ text: ODD, nothing: null });
    // What counts by itself goes on behind what there is, and triggers are at work again.
    await store.refusedCalls.add([{ ...NOBODY, at: new Date() }]);
    await expect(store.pool.query('DELETE FROM ledger')).rejects.toThrow('append-only');
    const { rows: again } = await store.pool.query('SELECT count(*) FROM audit_entries WHERE before IS NOT NULL');
    expect(again).toEqual([{ count: '1' }]);
  });

  it.runIf(EVERY_TEST)(
    'is not put over what is there, unless that is asked for; what it takes the place of is kept aside',
    async () => {
      const to = await elsewhere();
      const store = await Store.open({ ...to, logger: silentLogger });
      await store.accounts.create('somebody');
      await store.close();
      await expect(bringBack(to)).rejects.toThrow('has 1 account already');
      expect((await factsIn(to.databaseUrl)).tables['accounts']?.rows).toBe(1);
      const key = readFileSync(join(to.dataFolder, 'secret.key'));
      const { aside } = await bringBack(to, file, true);
      expect(readFileSync(join(to.dataFolder, aside!, 'secret.key')).equals(key)).toBe(true);
      expect((await factsIn(to.databaseUrl)).tables['accounts']).toEqual(before.tables['accounts']);
      expect(readdirSync(to.dataFolder)).not.toContain('restore.unfinished');
    },
  );

  it.each([
    {
      name: 'cut off',
      spoil: (path: string) => truncateSync(path, statSync(path).size - 2_000),
      says: 'no whole backup',
    },
    {
      name: 'of something else',
      spoil: (path: string) => writeFileSync(path, 'x'.repeat(5_000)),
      says: 'no whole backup',
    },
    { name: 'empty', spoil: (path: string) => truncateSync(path, 0), says: 'no whole backup' },
    {
      name: 'changed',
      spoil: (path: string) => {
        const bytes = readFileSync(path);
        bytes[Math.floor(bytes.length / 2)]! ^= 1;
        writeFileSync(path, bytes);
      },
      says: 'damaged',
    },
  ])('that is $name changes nothing', async ({ name, spoil, says }) => {
    const path = join(folder, `${name}.tar`);
    writeFileSync(path, readFileSync(file));
    spoil(path);
    const to = await elsewhere();
    await expect(bringBack(to, path, true)).rejects.toThrow(says);
    expect(readdirSync(to.dataFolder)).toEqual([]);
  });

  it('of a newer version, or of other steps, is refused', () => {
    const known = readMigrations();
    const newer = { number: known.length + 1, name: '9999_later.sql', sha256: 'x' };
    expect(() => requireKnown({ migrations: [...known, newer] }, known)).toThrow(
      'newer version (it has 9999_later.sql)',
    );
    expect(() => requireKnown({ migrations: [{ ...known[0]!, sha256: 'x' }] }, known)).toThrow(
      '0001_base.sql is another',
    );
  });

  it('is not begun over a file, and a half one is not left', async () => {
    await expect(make(file)).rejects.toThrow('is there already');
    const path = join(folder, 'gone.tar');
    const holder = new pg.Client({ connectionString: test.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE');
    const broken = make(path).catch((error: unknown) => error);
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nidaa-backup'
      AND wait_event_type = 'Lock' AND datname = current_database()`;
    await until(async () => ((await test.store.pool.query(kill)).rowCount ?? 0) > 0, 'it waits for the table').finally(
      () => holder.end(),
    );
    expect(await broken).toBeInstanceOf(Error);
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });

  it('is not there where the disk is full', async () => {
    const path = join(folder, 'full.tar');
    symlinkSync('/dev/full', `${path}.part`);
    await expect(make(path)).rejects.toThrow(`The disk is full: ${path} was not written.`);
    expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
  });

  it('is not restored where a gateway lives, on its folder or on its database', async () => {
    const to = await elsewhere();
    await whileNobodyRuns(to.dataFolder, async () => {
      await expect(bringBack(to)).rejects.toThrow('The gateway runs on');
    });
    const store = await Store.open({ ...to, logger: silentLogger });
    await store.gateways.claim({ id: store.gateways.id, beat: 'x', leaseSeconds: 600 });
    await store.close();
    await expect(bringBack(to, file, true)).rejects.toThrow('A gateway runs on that database');
  });

  it('takes no part in a database of another program', async () => {
    const to = await elsewhere();
    const client = new pg.Client({ connectionString: to.databaseUrl });
    await client.connect();
    await client.query('CREATE TABLE theirs (id integer)');
    await client.end();
    await expect(bringBack(to, file, true)).rejects.toThrow('tables of another program: theirs');
  });

  it('that loads other rows than it read is not committed', () => {
    const other = { ...before, tables: { ...before.tables, turns: { rows: 1, digest: '5' } } };
    expect(() => requireSame(before, other)).toThrow('What was written is not what was read: turns');
    expect(() => requireSame(before, { ...before, money: { ...before.money, ledger: 5 } })).toThrow(
      'The sums differ: ledger',
    );
  });

  it.runIf(EVERY_TEST)('is not needed to move: the database is copied, and its source stays', async () => {
    const { databaseUrl } = await elsewhere();
    await test.store.gateways.release();
    const moved = await move({ connectionString: test.databaseUrl }, { connectionString: databaseUrl });
    expect(await factsIn(databaseUrl)).toEqual(moved);
    expect(await factsIn(test.databaseUrl)).toEqual(moved);
    await expect(move({ connectionString: test.databaseUrl }, { connectionString: databaseUrl })).rejects.toThrow(
      'accounts already',
    );
  });
});

const NOBODY = {
  ...{ from: '1', to: '2', sourceAddress: '192.0.2.1', transport: 'udp', sipCallId: 'x' },
  ...{ reason: 'busy', detail: '', remedy: '' },
};
