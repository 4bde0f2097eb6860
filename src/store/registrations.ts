import type pg from 'pg';
import type { KeptPhone } from '../core/registration.ts';
import { storableText } from './kept-rows.ts';

/** One phone that says something odd must not keep all others from being written. */
const storable = (_key: string, value: unknown): unknown => (typeof value === 'string' ? storableText(value) : value);

/** More phones than this are not read at a start. */
const PHONES_MAX = 20_000;

/** Where phones are. Many are written by one statement, for they come many at a time. */
export class RegistrationRows {
  constructor(private readonly pool: pg.Pool) {}

  /** Phones with a contact that is still good. */
  async load(): Promise<readonly KeptPhone[]> {
    const { rows } = await this.pool.query<KeptPhone>(
      `SELECT phone_id AS "phoneId", bindings FROM registrations WHERE expires_at > now()
       ORDER BY updated_at DESC LIMIT ${PHONES_MAX}`,
    );
    return rows;
  }

  /** Where these phones are, as far as their contacts are still good. */
  async of(phoneIds: readonly string[]): Promise<readonly KeptPhone[]> {
    const { rows } = await this.pool.query<KeptPhone>(
      'SELECT phone_id AS "phoneId", bindings FROM registrations WHERE phone_id = ANY($1::text[]) AND expires_at > now()',
      [phoneIds],
    );
    return rows;
  }

  /** All contacts of each phone; one without any is forgotten. Phones that are no more are passed over. */
  async save(phones: readonly KeptPhone[]): Promise<void> {
    const gone = phones.filter(({ bindings }) => bindings.length === 0).map(({ phoneId }) => phoneId);
    const there = phones.filter(({ bindings }) => bindings.length > 0);
    if (gone.length > 0) {
      await this.pool.query('DELETE FROM registrations WHERE phone_id = ANY($1::text[])', [gone]);
    }
    if (there.length === 0) return;
    await this.pool.query(
      `INSERT INTO registrations (phone_id, bindings, expires_at)
       SELECT new.phone_id, new.bindings, new.expires_at
       FROM unnest($1::text[], $2::jsonb[], $3::timestamptz[]) AS new (phone_id, bindings, expires_at)
       JOIN phones ON phones.id = new.phone_id
       ON CONFLICT (phone_id) DO UPDATE
       SET bindings = excluded.bindings, expires_at = excluded.expires_at, updated_at = now()`,
      [
        there.map(({ phoneId }) => phoneId),
        there.map(({ bindings }) => JSON.stringify(bindings, storable)),
        there.map(({ bindings }) => bindings.map(({ expiresAt }) => expiresAt).reduce((a, b) => (a > b ? a : b))),
      ],
    );
  }
}
