import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Clock } from '../core/clock.ts';
import { newId, newTokenSecret } from '../core/ids.ts';
import type { Database } from './database.ts';
import { tokens } from './schema.ts';
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
}

export interface TokenIdentity {
  readonly tokenId: string;
  readonly accountId: string;
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
};

export class TokenRows {
  readonly #identities: SecretIdentities<TokenIdentity>;
  constructor(
    private readonly db: Database,
    clock: Clock,
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
    for (const row of rows) this.#identities.forget(row.secretSha256);
    return rows.length > 0;
  }

  /** Whose token this is. */
  authenticate(presented: string | undefined): Promise<TokenIdentity | undefined> {
    return this.#identities.authenticate(presented);
  }

  async #look(hash: Buffer) {
    const inForce = and(eq(tokens.secretSha256, hash), isNull(tokens.revokedAt));
    const [row] = await this.db.select().from(tokens).where(inForce);
    return row && { identity: { tokenId: row.id, accountId: row.accountId }, secretSha256: row.secretSha256 };
  }
}
