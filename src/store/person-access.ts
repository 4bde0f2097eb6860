import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Clock } from '../core/clock.ts';
import { newId, newTokenSecret } from '../core/ids.ts';
import { PASSWORD_LINK_HOURS, type Role } from '../core/management.ts';
import { type Database, inTransaction } from './database.ts';
import { people, personSessions } from './management-schema.ts';
import { SecretIdentities, sha256 } from './secret-identities.ts';

/** Without a request for so long, a person signs in again. */
export const SESSION_HOURS = 12;
/** Of one person at once; the longest unused one ends for the next. */
const SESSIONS_MAX = 20;
const TEXT_CHARS_MAX = 300;
/** Of starts before anybody has set a password; the oldest one is no link any more. */
const FIRST_LINKS_MAX = 16;

export interface PersonSession {
  readonly id: string; // ses_...
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

export interface SessionIdentity {
  readonly sessionId: string;
  readonly personId: string;
  readonly accountId: string;
  readonly email: string;
  readonly role: Role;
}

const SHAPE = {
  id: personSessions.id,
  address: personSessions.address,
  userAgent: personSessions.userAgent,
  createdAt: personSessions.createdAt,
  lastUsedAt: personSessions.lastUsedAt,
  expiresAt: personSessions.expiresAt,
};
const clean = (text: string): string => text.replaceAll('\0', '').slice(0, TEXT_CHARS_MAX);
const inHours = (hours: number) => sql`now() + make_interval(hours => ${hours})`;

/** How people get in: links that set a password, and the sessions after that. Secrets are kept as SHA-256. */
export class PersonAccessRows {
  readonly #identities: SecretIdentities<SessionIdentity>;
  constructor(
    private readonly db: Database,
    private readonly pool: pg.Pool,
    clock: Clock,
  ) {
    this.#identities = new SecretIdentities(
      {
        look: (hash) => this.#look(hash),
        idOf: ({ sessionId }) => sessionId,
        used: (id) =>
          db
            .update(personSessions)
            .set({ lastUsedAt: sql`now()`, expiresAt: inHours(SESSION_HOURS) })
            .where(eq(personSessions.id, id)),
      },
      clock,
    );
  }

  /**
   * A link for somebody, in place of earlier ones; without a person for the first one of the installation, beside earlier ones: what
   * another gateway told at its start is good as well.
   */
  async createLink(accountId: string, personId: string | undefined): Promise<string> {
    const secret = newTokenSecret();
    await inTransaction(this.pool, async (client) => {
      await client.query('DELETE FROM password_links WHERE expires_at < now() OR person_id = $1', [personId ?? null]);
      if (personId === undefined)
        await client.query(
          `DELETE FROM password_links WHERE person_id IS NULL AND secret_sha256 NOT IN
           (SELECT secret_sha256 FROM password_links WHERE person_id IS NULL ORDER BY expires_at DESC LIMIT $1)`,
          [FIRST_LINKS_MAX - 1],
        );
      await client.query(
        `INSERT INTO password_links (secret_sha256, account_id, person_id, expires_at)
         VALUES ($1, $2, $3, now() + make_interval(hours => $4))`,
        [sha256(secret), accountId, personId ?? null, PASSWORD_LINK_HOURS],
      );
    });
    return secret;
  }

  /**
   * Sets a password by a link, which is used up by that. A first link makes the operator, by `email`, and uses up all that are such; the
   * others need none.
   *
   * @returns who that is; `unknown` where there is no such link any more, `no-email` where it needs one, `taken` where
   *   somebody has that one. The link is as it was then.
   */
  async useLink(
    secret: string,
    passwordHash: string,
    email: string | undefined,
  ): Promise<{ readonly personId: string; readonly accountId: string } | 'unknown' | 'no-email' | 'taken'> {
    const outcome = await inTransaction(this.pool, async (client) => {
      // All first ones in one order: of two that are used at once one makes the operator.
      const { rows } = await client.query<{ accountId: string; personId: string | null; isMeant: boolean }>(
        `SELECT account_id AS "accountId", person_id AS "personId", secret_sha256 = $1 AND expires_at > now() AS "isMeant"
         FROM password_links WHERE secret_sha256 = $1 OR person_id IS NULL ORDER BY secret_sha256 FOR UPDATE`,
        [sha256(secret)],
      );
      const link = rows.find(({ isMeant }) => isMeant);
      if (!link) return 'unknown' as const;
      const { accountId } = link;
      if (link.personId === null && email === undefined) return 'no-email' as const;
      const personId = link.personId ?? (await makeFirst(client, accountId, email!));
      if (personId === undefined) return 'taken' as const;
      await client.query('UPDATE people SET password_hash = $2, updated_at = now() WHERE id = $1', [
        personId,
        passwordHash,
      ]);
      await client.query('DELETE FROM person_sessions WHERE person_id = $1', [personId]);
      await client.query('DELETE FROM password_links WHERE secret_sha256 = $1 OR ($2 AND person_id IS NULL)', [
        sha256(secret),
        link.personId === null,
      ]);
      return { personId, accountId };
    });
    this.forget();
    return outcome;
  }

  /** A new password ends every other session of the person. */
  async setPassword(personId: string, passwordHash: string, keptSession: string): Promise<void> {
    await this.db.update(people).set({ passwordHash, updatedAt: new Date() }).where(eq(people.id, personId));
    await this.db
      .delete(personSessions)
      .where(and(eq(personSessions.personId, personId), ne(personSessions.id, keptSession)));
    this.forget();
  }

  /** @returns the session, and its secret for the only time. */
  async createSession(
    personId: string,
    from: { readonly address: string; readonly userAgent: string },
  ): Promise<{ readonly session: PersonSession; readonly secret: string }> {
    const secret = newTokenSecret();
    const [session] = await this.db
      .insert(personSessions)
      .values({
        ...{ id: newId('ses'), personId, secretSha256: sha256(secret), expiresAt: inHours(SESSION_HOURS) },
        ...{ address: clean(from.address), userAgent: clean(from.userAgent) },
      })
      .returning(SHAPE);
    await this.pool.query(
      `DELETE FROM person_sessions WHERE person_id = $1 AND (expires_at < now() OR id NOT IN (
        SELECT id FROM person_sessions WHERE person_id = $1 ORDER BY last_used_at DESC, created_at DESC LIMIT $2))`,
      [personId, SESSIONS_MAX],
    );
    return { session: session!, secret };
  }

  /** Those in force, the latest used first. */
  sessions(personId: string): Promise<readonly PersonSession[]> {
    return this.db
      .select(SHAPE)
      .from(personSessions)
      .where(and(eq(personSessions.personId, personId), gt(personSessions.expiresAt, sql`now()`)))
      .orderBy(desc(personSessions.lastUsedAt))
      .limit(SESSIONS_MAX);
  }

  /** @returns false where the person has no such session. */
  async revoke(personId: string, sessionId: string): Promise<boolean> {
    const rows = await this.db
      .delete(personSessions)
      .where(and(eq(personSessions.personId, personId), eq(personSessions.id, sessionId)))
      .returning({ hash: personSessions.secretSha256 });
    for (const { hash } of rows) this.#identities.forget(hash);
    return rows.length > 0;
  }

  /** Whose session this is. */
  authenticate(secret: string | undefined): Promise<SessionIdentity | undefined> {
    return this.#identities.authenticate(secret);
  }

  /** What people may do has changed, or their sessions have. */
  forget(): void {
    this.#identities.forgetAll();
  }

  async #look(hash: Buffer) {
    const [row] = await this.db
      .select({
        ...{ sessionId: personSessions.id, secretSha256: personSessions.secretSha256 },
        ...{ personId: people.id, accountId: people.accountId, email: people.email, role: people.role },
      })
      .from(personSessions)
      .innerJoin(people, eq(people.id, personSessions.personId))
      .where(and(eq(personSessions.secretSha256, hash), gt(personSessions.expiresAt, sql`now()`)));
    if (!row) return undefined;
    const { secretSha256, ...identity } = row;
    return { identity, secretSha256 };
  }
}

async function makeFirst(client: pg.PoolClient, accountId: string, email: string): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO people (id, account_id, email, role) VALUES ($1, $2, $3, 'operator')
     ON CONFLICT DO NOTHING RETURNING id`,
    [newId('per'), accountId, email],
  );
  return rows[0]?.id;
}
