import type { Queryable } from './database.ts';
import { storedJson } from './stored-text.ts';

/** Of one message: what expired leaves by and by, with those that come. */
const FORGOTTEN_AT_ONCE = 100;
const FORGET = `DELETE FROM one_use_tokens WHERE token_sha256 IN (SELECT token_sha256 FROM one_use_tokens
  WHERE expires_at < now() ORDER BY expires_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)`;

/** Tokens that are used once, as hashes with what they allow (jsonb). */
export class OneUseTokenRows {
  constructor(private readonly queryable: Queryable) {}

  async put(hash: Buffer, kind: 'socket' | 'talk', held: object, lifetimeMs: number): Promise<void> {
    await this.queryable.query({
      name: 'one-use-token-put',
      text: `WITH gone AS (${FORGET}) INSERT INTO one_use_tokens (token_sha256, kind, held, expires_at)
        VALUES ($1, $2, $3, now() + make_interval(secs => $4))`,
      values: [hash, kind, storedJson(held), lifetimeMs / 1000],
    });
  }

  /** What it allows, once: of two who come with the same token one gets it. */
  async take(hash: Buffer, kind: 'socket' | 'talk'): Promise<unknown> {
    const { rows } = await this.queryable.query<{ held: unknown }>({
      name: 'one-use-token-take',
      text: 'DELETE FROM one_use_tokens WHERE token_sha256 = $1 AND kind = $2 AND expires_at > now() RETURNING held',
      values: [hash, kind],
    });
    return rows[0]?.held;
  }

  /** Those that nobody used go, with whom they were for. */
  async purge(): Promise<void> {
    await this.queryable.query(FORGET);
  }
}
