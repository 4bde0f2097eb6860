import type { Clock } from '../core/clock.ts';
import type { Queryable } from './database.ts';
import type { Owner } from './gateway-identity.ts';
import type { IdempotentRequest, StoredAnswer } from './idempotent-request.ts';
import type { idempotencyKeys } from './schema.ts';
import { type UnkeptAnswer, UnkeptAnswers } from './unkept-answers.ts';

export type IdempotencyOutcome =
  | { readonly type: 'started' } // ours to run: end with `complete` or `abandon`
  | { readonly type: 'running' } // a twin is at it
  | { readonly type: 'mismatch' } // the key was used with another request
  | { readonly type: 'replay'; readonly answer: StoredAnswer };

const KEPT_HOURS = 24;
/** No request runs longer: a key that is held for longer was forgotten. Those of a dead gateway are freed by recovery. */
const RUNNING_SECONDS_MAX = 1_200;
/** Of answers that wait in memory for a database that is away. */
const UNKEPT_BYTES_MAX = 64 * 1024 * 1024;
export const STORED_BODY_BYTES_MAX = 16 * 1024 * 1024;

/** A key that is expired, left by a dead gateway, or by ourselves while the database was away is as if it had never been. */
const BEGIN = `
  INSERT INTO idempotency_keys AS known (account_id, path, key, state, request_sha256, gateway, locked_until, expires_at)
  VALUES ($1, $2, $3, 'running', $4, $5, now() + make_interval(secs => $6), now() + make_interval(hours => $7))
  ON CONFLICT (account_id, path, key) DO UPDATE SET state = 'running', request_sha256 = excluded.request_sha256,
    gateway = excluded.gateway, locked_until = excluded.locked_until, expires_at = excluded.expires_at,
    created_at = now(), status = NULL, headers = NULL, body = NULL
  WHERE known.expires_at < now() OR (known.state = 'running' AND known.request_sha256 = excluded.request_sha256
    AND (known.locked_until < now() OR known.gateway = excluded.gateway))`;
const THE_KEY = 'account_id = $1 AND path = $2 AND key = $3';
const GET = `SELECT state, request_sha256, status, headers, body FROM idempotency_keys WHERE ${THE_KEY}`;
const COMPLETE = `UPDATE idempotency_keys SET state = 'done', status = $4, headers = $5, body = $6 WHERE ${THE_KEY}`;
const ABANDON = `DELETE FROM idempotency_keys WHERE ${THE_KEY} AND state = 'running'`;

/** Answers to paid requests by the client's Idempotency-Key, kept a day for account, path and key. */
export class IdempotencyRows {
  /** What this process runs now: at most as many as it has requests in flight. */
  readonly #running = new Map<string, { readonly requestSha256: Buffer; readonly untilMs: number }>();

  readonly #unkept = new UnkeptAnswers(UNKEPT_BYTES_MAX);

  constructor(
    private readonly queryable: Queryable,
    private readonly owner: Owner,
    private readonly clock: Clock,
  ) {}

  async begin(request: IdempotentRequest): Promise<IdempotencyOutcome> {
    const name = nameOf(request);
    const unkept = this.#unkept.get(name);
    if (unkept) return this.#fromMemory(unkept, request);
    const twin = this.#running.get(name);
    if (twin && twin.untilMs > this.clock.nowMs()) {
      return { type: twin.requestSha256.equals(request.requestSha256) ? 'running' : 'mismatch' };
    }
    this.#running.set(name, {
      requestSha256: request.requestSha256,
      untilMs: this.clock.nowMs() + RUNNING_SECONDS_MAX * 1_000,
    });
    let outcome: IdempotencyOutcome | undefined;
    try {
      outcome = await this.#begin(request);
      return outcome;
    } finally {
      if (outcome?.type !== 'started') this.#running.delete(name);
    }
  }

  async #begin(request: IdempotentRequest): Promise<IdempotencyOutcome> {
    const key = keyOf(request);
    const held = [request.requestSha256, this.owner.id, RUNNING_SECONDS_MAX, KEPT_HOURS];
    const taken = await this.queryable.query({ name: 'key-begin', text: BEGIN, values: [...key, ...held] });
    if (taken.rowCount === 1) return { type: 'started' };
    const { rows } = await this.queryable.query<KeyRow>({ name: 'key-get', text: GET, values: key });
    const row = rows[0];
    const isSame = row?.request_sha256.equals(request.requestSha256);
    if (!row || (row.state === 'running' && isSame)) return { type: 'running' };
    if (!isSame) return { type: 'mismatch' };
    const answer = { status: row.status ?? 200, headers: row.headers ?? {}, body: row.body ?? Buffer.alloc(0) };
    return { type: 'replay', answer };
  }

  /** An answer the database could not take when it was made: given from here, and offered to the database again. */
  async #fromMemory(unkept: UnkeptAnswer, request: IdempotentRequest): Promise<IdempotencyOutcome> {
    if (!unkept.request.requestSha256.equals(request.requestSha256)) return { type: 'mismatch' };
    await this.complete(unkept.request, unkept.answer).catch(() => undefined);
    return { type: 'replay', answer: unkept.answer };
  }

  /** Keeps the answer. One too large to keep is dropped with its key: the next request runs again, for what was paid. */
  async complete(request: IdempotentRequest, answer: StoredAnswer): Promise<void> {
    if (answer.body.length > STORED_BODY_BYTES_MAX) return this.abandon(request);
    const name = nameOf(request);
    this.#unkept.put(name, { request, answer });
    try {
      const { status, headers, body } = answer;
      const values = [...keyOf(request), status, JSON.stringify(headers), body];
      await this.queryable.query({ name: 'key-complete', text: COMPLETE, values });
      this.#unkept.delete(name);
    } finally {
      this.#running.delete(name);
    }
  }

  /** The request failed without a charge: its key may be used again. */
  async abandon(request: IdempotentRequest): Promise<void> {
    try {
      await this.queryable.query({ name: 'key-abandon', text: ABANDON, values: keyOf(request) });
    } finally {
      this.#running.delete(nameOf(request));
    }
  }

  /** @returns how many expired keys were removed. */
  async purge(): Promise<number> {
    const { rowCount } = await this.queryable.query('DELETE FROM idempotency_keys WHERE expires_at < now()');
    return rowCount ?? 0;
  }
}

type KeyRow = Pick<typeof idempotencyKeys.$inferSelect, 'state' | 'status' | 'headers' | 'body'> & {
  readonly request_sha256: Buffer;
};

const keyOf = ({ accountId, path, key }: IdempotentRequest): string[] => [accountId, path, key];
const nameOf = (request: IdempotentRequest): string => JSON.stringify(keyOf(request));
