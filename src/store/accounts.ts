import { asc, eq, sql } from 'drizzle-orm';
import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import { liveCallIds } from './call-query.ts';
import type { Database } from './database.ts';
import { accounts } from './schema.ts';

/** What an account sets for itself; null: no limit, and kept for as long as the gateway keeps it. */
export interface AccountSettings {
  readonly name: string;
  readonly timeZone: string; // whose days
  readonly callsAtOnceMax: number | null;
  readonly callsADayMax: number | null;
  readonly requestsAMinuteMax: number | null; // of all its tokens together
  readonly spendADayMaxCents: number | null;
  readonly recordingsDays: number | null;
  readonly transcriptsDays: number | null;
  readonly callsDays: number | null;
  readonly ordersDays: number | null;
  readonly refusalsDays: number | null;
  readonly balanceAlertCents: number | null; // a balance below it is told to webhooks
}

export interface Account extends AccountSettings {
  readonly id: string; // acc_...
  readonly balanceCents: number; // sum of the ledger
  readonly reservedCents: number; // held for services under way; the rest is available
  readonly createdAt: Date;
}

/** Why an account begins no call now: a limit of its own, or `every-line` that gateways give one account is in use. */
export type AccountLimit = 'calls-at-once' | 'calls-a-day' | 'spend-a-day' | 'every-line';

/** What an account does now and has done today. */
export interface AccountToday {
  readonly callsNow: number;
  readonly calls: number;
  readonly spentCents: number;
}

const ACCOUNTS_MAX = 10_000; // of one list

/** Who pays. Balances change only through charges and top-ups (`ChargeRows`). */
export class AccountRows {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async create(name: string, id = newId('acc')): Promise<Account> {
    const [row] = await this.db.insert(accounts).values({ id, name }).returning();
    return row!;
  }

  async get(id: string): Promise<Account | undefined> {
    const [row] = await this.db.select().from(accounts).where(eq(accounts.id, id));
    return row;
  }

  list(): Promise<readonly Account[]> {
    return this.db.select().from(accounts).orderBy(asc(accounts.createdAt), asc(accounts.id)).limit(ACCOUNTS_MAX);
  }

  /** @returns the account as it is then. What it has spent today counts from now on where it did not before. */
  async change(id: string, settings: Partial<AccountSettings>): Promise<Account | undefined> {
    return this.db.transaction(async (tx) => {
      const [changed] = await tx.update(accounts).set(settings).where(eq(accounts.id, id)).returning();
      if (!changed) return undefined;
      await tx.execute(sql`UPDATE accounts SET spent_on = account_today(accounts),
        spent_cents = account_spent_by_ledger(accounts) WHERE id = ${id} AND spend_a_day_max_cents IS NOT NULL`);
      return changed;
    });
  }

  async today(id: string): Promise<AccountToday> {
    const ids = liveCallIds(this.clock.utc());
    const { rows } = await this.db.execute<{ now: number; calls: number; spent: string }>(sql`SELECT
      (SELECT count(*)::int FROM calls WHERE account_id = a.id AND id >= ${ids} AND ended_at IS NULL) AS now,
      (SELECT count(*)::int FROM calls WHERE account_id = a.id AND id >= ${ids}
        AND started_at >= account_today(a)::timestamp AT TIME ZONE a.time_zone) AS calls,
      account_spent_by_ledger(a) AS spent FROM accounts a WHERE a.id = ${id}`);
    const { now = 0, calls = 0, spent = 0 } = rows[0] ?? {};
    return { callsNow: now, calls, spentCents: Number(spent) };
  }
}
