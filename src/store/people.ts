import { and, asc, eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import { newId } from '../core/ids.ts';
import type { Role } from '../core/management.ts';
import { type Database, inTransaction, openDatabase } from './database.ts';
import { people } from './management-schema.ts';

/** Somebody who signs in. `invited`: has not set a password yet. */
export interface Person {
  readonly id: string; // per_...
  readonly accountId: string;
  readonly email: string;
  readonly role: Role;
  readonly state: 'invited' | 'active';
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly signedInAt: Date | null;
}

/** People of one account, so that their list stays one page. */
export const PEOPLE_MAX = 500;

const SHAPE = {
  id: people.id,
  accountId: people.accountId,
  email: people.email,
  role: people.role,
  state: sql<Person['state']>`CASE WHEN ${people.passwordHash} IS NULL THEN 'invited' ELSE 'active' END`,
  createdAt: people.createdAt,
  updatedAt: people.updatedAt,
  signedInAt: people.signedInAt,
};
const LEADS: readonly Role[] = ['owner', 'operator'];

/** People, by account: another account's person is as unknown as none. An e-mail address belongs to one person only. */
export class PersonRows {
  /** @param changed - called when what somebody may do has changed. */
  constructor(
    private readonly db: Database,
    private readonly pool: pg.Pool,
    private readonly changed: () => void,
  ) {}

  /** Without a password, until the link of the invitation is used. */
  async create(accountId: string, email: string, role: Role): Promise<Person | 'taken' | 'full'> {
    if ((await this.db.$count(people, eq(people.accountId, accountId))) >= PEOPLE_MAX) return 'full';
    const [made] = await this.db
      .insert(people)
      .values({ id: newId('per'), accountId, email, role })
      .onConflictDoNothing()
      .returning({ id: people.id });
    return made ? (await this.get(accountId, made.id))! : 'taken';
  }

  list(accountId: string): Promise<readonly Person[]> {
    return this.db
      .select(SHAPE)
      .from(people)
      .where(eq(people.accountId, accountId))
      .orderBy(asc(people.email))
      .limit(PEOPLE_MAX);
  }

  async get(accountId: string, id: string): Promise<Person | undefined> {
    const mine = and(eq(people.accountId, accountId), eq(people.id, id));
    const [person] = await this.db.select(SHAPE).from(people).where(mine);
    return person;
  }

  /** Whoever has that address, in whatever account. */
  async byEmail(email: string): Promise<{ readonly person: Person; readonly passwordHash: string | null } | undefined> {
    const [row] = await this.db
      .select({ person: SHAPE, passwordHash: people.passwordHash })
      .from(people)
      .where(eq(people.email, email));
    return row;
  }

  async passwordHashOf(id: string): Promise<string | null> {
    const [row] = await this.db.select({ hash: people.passwordHash }).from(people).where(eq(people.id, id));
    return row?.hash ?? null;
  }

  /** Nobody signed in here before: the installation is new. */
  async areNone(): Promise<boolean> {
    return (await this.db.$count(people)) === 0;
  }

  /** @returns `last` where nobody would be left who may manage the account; undefined where there is no such person. */
  setRole(accountId: string, id: string, role: Role, expected?: Date): Promise<Person | 'last' | 'stale' | undefined> {
    return this.#change(accountId, id, LEADS.includes(role), async (db, person) => {
      if (expected && person.updatedAt.getTime() !== expected.getTime()) return 'stale';
      await db.update(people).set({ role, updatedAt: new Date() }).where(eq(people.id, id));
      const [changed] = await db.select(SHAPE).from(people).where(eq(people.id, id));
      return changed!;
    });
  }

  /** Their sessions and links go with them. */
  remove(accountId: string, id: string): Promise<Person | 'last' | undefined> {
    return this.#change(accountId, id, false, async (db, person) => {
      await db.delete(people).where(eq(people.id, id));
      return person;
    });
  }

  async signedIn(id: string): Promise<void> {
    await this.db.update(people).set({ signedInAt: new Date() }).where(eq(people.id, id));
  }

  /** All of an account's people are held meanwhile: two who remove each other do not leave it without anybody. */
  async #change<T>(
    accountId: string,
    id: string,
    leadsThen: boolean,
    change: (db: Database, person: Person) => Promise<T>,
  ): Promise<T | 'last' | undefined> {
    const outcome = await inTransaction(this.pool, async (client) => {
      const db = openDatabase(client);
      const all = await db.select(SHAPE).from(people).where(eq(people.accountId, accountId)).for('update');
      const person = all.find((one) => one.id === id);
      if (!person) return undefined;
      const leads = (one: Person): boolean => LEADS.includes(one.role) && one.state === 'active';
      if (leads(person) && !leadsThen && !all.some((one) => one.id !== id && leads(one))) return 'last';
      return change(db, person);
    });
    this.changed();
    return outcome;
  }
}
