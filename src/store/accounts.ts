import { asc, eq } from 'drizzle-orm';
import { newId } from '../core/ids.ts';
import type { Database } from './database.ts';
import { accounts } from './schema.ts';

export interface Account {
  readonly id: string; // acc_...
  readonly name: string;
  readonly balanceCents: number; // sum of the ledger
  readonly reservedCents: number; // held for services under way; the rest is available
  readonly createdAt: Date;
}

const ACCOUNTS_MAX = 10_000; // of one list

/** Who pays. Balances change only through charges and top-ups (`ChargeRows`). */
export class AccountRows {
  constructor(private readonly db: Database) {}

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
}
