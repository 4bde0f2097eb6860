import { createHash, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Clock } from '../core/clock.ts';
import { newId, newTokenSecret } from '../core/ids.ts';
import type { Database } from './database.ts';
import { tokens } from './schema.ts';
import { TtlCache } from './ttl-cache.ts';

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
}

export interface TokenIdentity {
  readonly tokenId: string;
  readonly accountId: string;
}

export const TOKEN_PREFIX = 'service_sk_live_';
/** A revoked token may work that much longer at another gateway on the same database; here it stops at once. */
const IDENTITY_TTL_MS = 4_000;
const IDENTITIES_MAX = 10_000;
const LAST_USED_EVERY_MS = 60_000;
const TOKEN_CHARS_MAX = 200; // longer ones are hashed cut: they match nothing

const VISIBLE = {
  id: tokens.id,
  accountId: tokens.accountId,
  name: tokens.name,
  prefix: tokens.prefix,
  last4: tokens.last4,
  createdAt: tokens.createdAt,
  lastUsedAt: tokens.lastUsedAt,
  revokedAt: tokens.revokedAt,
};

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export class TokenRows {
  readonly #identities: TtlCache<TokenIdentity | undefined>;
  readonly #lastUsed: TtlCache<void>;
  constructor(
    private readonly db: Database,
    clock: Clock,
  ) {
    this.#identities = new TtlCache(clock, IDENTITY_TTL_MS, IDENTITIES_MAX);
    this.#lastUsed = new TtlCache(clock, LAST_USED_EVERY_MS, IDENTITIES_MAX);
  }

  /** @returns the row, and the secret for the only time: it is stored as SHA-256. */
  async create(accountId: string, name: string): Promise<{ readonly token: Token; readonly secret: string }> {
    const secret = `${TOKEN_PREFIX}${newTokenSecret()}`;
    const [token] = await this.db
      .insert(tokens)
      .values({
        id: newId('tok'),
        accountId,
        name,
        secretSha256: sha256(secret),
        prefix: TOKEN_PREFIX,
        last4: secret.slice(-4),
      })
      .returning(VISIBLE);
    return { token: token!, secret };
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
    for (const row of rows) this.#identities.delete(row.secretSha256.toString('hex'));
    return rows.length > 0;
  }

  /**
   * Whose token this is. Missing, malformed, unknown and revoked ones take the same way through hash, query and
   * comparison, so that time tells nothing.
   */
  async authenticate(presented: string | undefined): Promise<TokenIdentity | undefined> {
    const hash = sha256((presented ?? '').slice(0, TOKEN_CHARS_MAX));
    const key = hash.toString('hex');
    const identity = await this.#identities.get(key, () => this.#look(hash));
    if (!identity) {
      this.#identities.delete(key); // A guess takes no room, and a token made a moment later works.
      return undefined;
    }
    void this.#lastUsed.get(identity.tokenId, () => this.#used(identity.tokenId)).catch(() => undefined);
    return identity;
  }

  async #look(hash: Buffer): Promise<TokenIdentity | undefined> {
    // A revoked one yields no row either: a row that was read and then refused took a tenth longer than none.
    const inForce = and(eq(tokens.secretSha256, hash), isNull(tokens.revokedAt));
    const [row] = await this.db.select().from(tokens).where(inForce);
    const same = timingSafeEqual(row?.secretSha256 ?? Buffer.alloc(hash.length), hash);
    return row && same ? { tokenId: row.id, accountId: row.accountId } : undefined;
  }

  async #used(id: string): Promise<void> {
    await this.db.update(tokens).set({ lastUsedAt: new Date() }).where(eq(tokens.id, id));
  }
}
