import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Clock } from '../core/clock.ts';
import { newId, newTokenSecret } from '../core/ids.ts';
import { MANAGEMENT_KEY_PREFIX, type Scope } from '../core/management.ts';
import type { Database } from './database.ts';
import { managementKeys } from './management-schema.ts';
import { SecretIdentities, sha256 } from './secret-identities.ts';

/** A key as lists show it. The secret exists only in the answer to `create`. */
export type ManagementKey = Omit<typeof managementKeys.$inferSelect, 'secretSha256'>;

export interface KeyIdentity {
  readonly keyId: string; // mky_...
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

const LIST_MAX = 1_000;
const VISIBLE = {
  id: managementKeys.id,
  accountId: managementKeys.accountId,
  name: managementKeys.name,
  scopes: managementKeys.scopes,
  prefix: managementKeys.prefix,
  last4: managementKeys.last4,
  createdAt: managementKeys.createdAt,
  lastUsedAt: managementKeys.lastUsedAt,
  revokedAt: managementKeys.revokedAt,
};

/** Keys of programs that manage. A service token is none, and none of them opens `/v1`. */
export class ManagementKeyRows {
  readonly #identities: SecretIdentities<KeyIdentity>;
  constructor(
    private readonly db: Database,
    clock: Clock,
  ) {
    this.#identities = new SecretIdentities(
      {
        look: (hash) => this.#look(hash),
        idOf: ({ keyId }) => keyId,
        used: (id) => db.update(managementKeys).set({ lastUsedAt: new Date() }).where(eq(managementKeys.id, id)),
      },
      clock,
    );
  }

  /** @returns the row, and the secret for the only time: it is stored as SHA-256. */
  async create(
    accountId: string,
    name: string,
    scopes: readonly Scope[],
  ): Promise<{ readonly key: ManagementKey; readonly secret: string }> {
    const secret = `${MANAGEMENT_KEY_PREFIX}${newTokenSecret()}`;
    const [key] = await this.db
      .insert(managementKeys)
      .values({
        ...{ id: newId('mky'), accountId, name, scopes: [...new Set(scopes)] },
        ...{ secretSha256: sha256(secret), prefix: MANAGEMENT_KEY_PREFIX, last4: secret.slice(-4) },
      })
      .returning(VISIBLE);
    return { key: key!, secret };
  }

  /** The newest first; those of everybody without an account. */
  list(accountId?: string): Promise<readonly ManagementKey[]> {
    const mine = accountId === undefined ? undefined : eq(managementKeys.accountId, accountId);
    return this.db
      .select(VISIBLE)
      .from(managementKeys)
      .where(mine)
      .orderBy(desc(managementKeys.createdAt), desc(managementKeys.id))
      .limit(LIST_MAX);
  }

  /** @returns the key as it was; undefined when there is no such key in force (of that account, when one is named). */
  async revoke(id: string, accountId?: string): Promise<ManagementKey | undefined> {
    const which = [eq(managementKeys.id, id), isNull(managementKeys.revokedAt)];
    if (accountId !== undefined) which.push(eq(managementKeys.accountId, accountId));
    const [row] = await this.db
      .update(managementKeys)
      .set({ revokedAt: new Date() })
      .where(and(...which))
      .returning();
    if (!row) return undefined;
    const { secretSha256, ...key } = row;
    this.#identities.forget(secretSha256);
    return key;
  }

  /** Whose key this is. */
  authenticate(presented: string | undefined): Promise<KeyIdentity | undefined> {
    return this.#identities.authenticate(presented);
  }

  async #look(hash: Buffer) {
    const inForce = and(eq(managementKeys.secretSha256, hash), isNull(managementKeys.revokedAt));
    const [row] = await this.db.select().from(managementKeys).where(inForce);
    if (!row) return undefined;
    const { id: keyId, accountId, name, scopes, secretSha256 } = row;
    return { identity: { keyId, accountId, name, scopes }, secretSha256 };
  }
}
