import { and, desc, eq, getTableColumns, gt, isNull, lt, or } from 'drizzle-orm';
import type { Clock } from '../core/clock.ts';
import { newId, newTokenSecret } from '../core/ids.ts';
import type { Database } from './database.ts';
import { accounts, tokens } from './schema.ts';
import { SecretIdentities, sha256 } from './secret-identities.ts';

/** An API token as lists show it. The secret exists only in the answer to `create`. */
export interface Token {
  readonly id: string; // tok_...
  readonly accountId: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** Of a person who tries things in the console; null of one for programs. */
  readonly personId: string | null;
  readonly expiresAt: Date | null; // null: it ends when it is revoked
}

export interface TokenIdentity {
  readonly tokenId: string;
  readonly accountId: string;
  /** What the account allows all its tokens together, where it has a limit of its own. */
  readonly accountRequestsAMinute?: number;
}

/** A token that ends by itself. */
export interface ShortToken {
  readonly accountId: string;
  readonly personId: string;
  readonly name: string;
  readonly lifetimeMs: number;
  /** Of one person in force at once: the oldest beyond that are revoked. */
  readonly aliveMax: number;
}

export const TOKEN_PREFIX = 'service_sk_live_';

const VISIBLE = {
  id: tokens.id,
  accountId: tokens.accountId,
  name: tokens.name,
  prefix: tokens.prefix,
  last4: tokens.last4,
  createdAt: tokens.createdAt,
  lastUsedAt: tokens.lastUsedAt,
  revokedAt: tokens.revokedAt,
  personId: tokens.personId,
  expiresAt: tokens.expiresAt,
};
/** How long one that has ended by itself is still listed. */
const EXPIRED_KEPT_MS = 86_400_000;

export class TokenRows {
  readonly #identities: SecretIdentities<TokenIdentity & { readonly until: Date | null }>;
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {
    this.#identities = new SecretIdentities(
      {
        look: (hash) => this.#look(hash),
        idOf: ({ tokenId }) => tokenId,
        used: (id) => db.update(tokens).set({ lastUsedAt: new Date() }).where(eq(tokens.id, id)),
      },
      clock,
    );
  }

  /** @returns the row, and the secret for the only time: it is stored as SHA-256. */
  create(accountId: string, name: string): Promise<{ readonly token: Token; readonly secret: string }> {
    return this.#add({ accountId, name });
  }

  /** One that ends by itself, or with its person. What else ended of that person longer than a day ago goes. */
  async createShort(short: ShortToken): Promise<{ readonly token: Token; readonly secret: string }> {
    const { accountId, personId, name, lifetimeMs, aliveMax } = short;
    const now = this.clock.utc();
    const own = eq(tokens.personId, personId);
    await this.db.delete(tokens).where(and(own, lt(tokens.expiresAt, new Date(now.getTime() - EXPIRED_KEPT_MS))));
    const made = await this.#add({ accountId, personId, name, expiresAt: new Date(now.getTime() + lifetimeMs) });
    const alive = await this.db
      .select({ id: tokens.id })
      .from(tokens)
      .where(and(own, isNull(tokens.revokedAt), gt(tokens.expiresAt, now)))
      .orderBy(desc(tokens.expiresAt), desc(tokens.id));
    for (const { id } of alive.slice(aliveMax)) await this.revoke(id);
    return made;
  }

  list(accountId?: string): Promise<readonly Token[]> {
    const mine = accountId === undefined ? undefined : eq(tokens.accountId, accountId);
    return this.db.select(VISIBLE).from(tokens).where(mine).orderBy(desc(tokens.createdAt)).limit(1_000);
  }

  /** @returns false when there is no such token in force (of that account, when one is named). */
  async revoke(id: string, accountId?: string): Promise<boolean> {
    const which = [eq(tokens.id, id), isNull(tokens.revokedAt)];
    if (accountId !== undefined) which.push(eq(tokens.accountId, accountId));
    const rows = await this.db
      .update(tokens)
      .set({ revokedAt: new Date() })
      .where(and(...which))
      .returning({ secretSha256: tokens.secretSha256 });
    for (const row of rows) this.#identities.forget(row.secretSha256);
    return rows.length > 0;
  }

  /** Whose token this is. */
  async authenticate(presented: string | undefined): Promise<TokenIdentity | undefined> {
    const found = await this.#identities.authenticate(presented);
    if (!found || (found.until && found.until <= this.clock.utc())) return undefined; // it may have ended since it was looked up
    const { tokenId, accountId, accountRequestsAMinute } = found;
    return { tokenId, accountId, ...(accountRequestsAMinute !== undefined && { accountRequestsAMinute }) };
  }

  async #add(row: { accountId: string; name: string; personId?: string; expiresAt?: Date }) {
    const secret = `${TOKEN_PREFIX}${newTokenSecret()}`;
    const [token] = await this.db
      .insert(tokens)
      .values({ ...row, id: newId('tok'), secretSha256: sha256(secret), prefix: TOKEN_PREFIX, last4: secret.slice(-4) })
      .returning(VISIBLE);
    return { token: token!, secret };
  }

  async #look(hash: Buffer) {
    const inForce = and(eq(tokens.secretSha256, hash), isNull(tokens.revokedAt));
    const unexpired = or(isNull(tokens.expiresAt), gt(tokens.expiresAt, this.clock.utc()));
    const [row] = await this.db
      .select({ ...getTableColumns(tokens), accountMax: accounts.requestsAMinuteMax })
      .from(tokens)
      .leftJoin(accounts, eq(accounts.id, tokens.accountId))
      .where(and(inForce, unexpired));
    if (!row) return undefined;
    const { id: tokenId, accountId, expiresAt: until, accountMax } = row;
    const limit = accountMax === null ? {} : { accountRequestsAMinute: accountMax };
    return { identity: { tokenId, accountId, ...limit, until }, secretSha256: row.secretSha256 };
  }
}
