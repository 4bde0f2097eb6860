import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { Store } from '../../src/store/store.ts';
import { sharedDatabase } from './shared-postgres.ts';

export interface TestStore {
  readonly store: Store;
  readonly dataFolder: string;
  close(): Promise<void>;
}
export interface SharedTestStore extends TestStore {
  /** What a process beside the test opens the same database with. */
  readonly databaseUrl: string;
}

/** A folder below the temporary one, reachable by the unprivileged user that PostgreSQL runs as under root. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'nidaa-test-'));
}

/** An empty database with the tables made, on the PostgreSQL of the whole run: nobody may stop that one. */
export async function openTestStore(clock?: Clock): Promise<SharedTestStore> {
  const databaseUrl = await sharedDatabase(inject('postgresDesk'));
  return { ...(await openIn(temporaryFolder(), databaseUrl, clock)), databaseUrl };
}

/** A real PostgreSQL server of its own in a temporary folder, for tests that stop it, kill it or look for it there. */
export function openOwnServer(dataFolder = temporaryFolder()): Promise<TestStore> {
  return openIn(dataFolder);
}

async function openIn(dataFolder: string, databaseUrl?: string, clock?: Clock): Promise<TestStore> {
  const store = await Store.open({
    dataFolder,
    logger: silentLogger,
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(clock && { clock }),
  });
  return {
    store,
    dataFolder,
    close: async () => {
      await store.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** The rule that nothing may break: every balance is the sum of its ledger, every hold the sum of its open charges. */
export async function moneyFaults(store: Store): Promise<readonly unknown[]> {
  const { rows } = await store.pool.query(`
    SELECT a.id, a.balance_cents, a.reserved_cents, l.total, l.last_after, c.held, s.spent, l.spent AS booked
    FROM accounts a
    LEFT JOIN LATERAL (SELECT coalesce(sum(cents), 0) AS total, coalesce(-sum(cents) FILTER (WHERE kind NOT IN ('topup', 'correction')), 0) AS spent,
      (SELECT balance_after_cents FROM ledger WHERE account_id = a.id ORDER BY seq DESC LIMIT 1) AS last_after
      FROM ledger WHERE account_id = a.id) l ON true
    LEFT JOIN LATERAL (SELECT coalesce(sum(reserved_cents), 0) AS held FROM charges WHERE account_id = a.id AND state = 'reserved') c ON true
    LEFT JOIN LATERAL (SELECT coalesce(sum(settled_cents), 0) AS spent FROM charges WHERE account_id = a.id AND state = 'settled') s ON true
    WHERE a.balance_cents <> l.total OR a.reserved_cents <> c.held OR s.spent <> l.spent
      OR a.balance_cents <> coalesce(l.last_after, 0) OR a.balance_cents < 0`);
  return rows;
}
