import { and, eq, lt, sql } from 'drizzle-orm';
import type { Clock } from '../core/clock.ts';
import type { Database } from './database.ts';
import { idempotencyKeys } from './schema.ts';
import { type UnkeptAnswer, UnkeptAnswers } from './unkept-answers.ts';

export interface IdempotentRequest {
  readonly accountId: string;
  readonly path: string;
  readonly key: string; // the client's Idempotency-Key
  readonly requestSha256: Buffer; // of everything that makes the request what it is
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

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

/** Answers to paid requests by the client's Idempotency-Key, kept a day for account, path and key. */
export class IdempotencyRows {
  /** What this process runs now: at most as many as it has requests in flight. */
  readonly #running = new Map<string, { readonly requestSha256: Buffer; readonly untilMs: number }>();

  readonly #unkept = new UnkeptAnswers(UNKEPT_BYTES_MAX);

  constructor(
    private readonly db: Database,
    private readonly gateway: string,
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
    const taken = await this.db
      .insert(idempotencyKeys)
      .values({
        ...request,
        state: 'running',
        gateway: this.gateway,
        lockedUntil: sql`now() + make_interval(secs => ${RUNNING_SECONDS_MAX})`,
        expiresAt: sql`now() + make_interval(hours => ${KEPT_HOURS})`,
      })
      .onConflictDoUpdate({
        target: [idempotencyKeys.accountId, idempotencyKeys.path, idempotencyKeys.key],
        set: {
          requestSha256: request.requestSha256,
          state: 'running',
          status: null,
          headers: null,
          body: null,
          createdAt: sql`now()`,
          gateway: this.gateway,
          lockedUntil: sql`excluded.locked_until`,
          expiresAt: sql`excluded.expires_at`,
        },
        // Expired, left by a dead gateway, or by ourselves while the database was away: as if it had never been.
        setWhere: sql`${idempotencyKeys.expiresAt} < now()
          OR (${idempotencyKeys.state} = 'running' AND ${idempotencyKeys.requestSha256} = excluded.request_sha256
            AND (${idempotencyKeys.lockedUntil} < now() OR ${idempotencyKeys.gateway} = excluded.gateway))`,
      })
      .returning({ key: idempotencyKeys.key });
    if (taken.length > 0) return { type: 'started' };
    const [row] = await this.db.select().from(idempotencyKeys).where(this.#same(request));
    if (!row || (row.state === 'running' && row.requestSha256.equals(request.requestSha256)))
      return { type: 'running' };
    if (!row.requestSha256.equals(request.requestSha256)) return { type: 'mismatch' };
    const answer = { status: row.status ?? 200, headers: row.headers ?? {}, body: row.body ?? Buffer.alloc(0) };
    return { type: 'replay', answer };
  }

  /** An answer the database could not take when it was made: given from here, and offered to the database again. */
  async #fromMemory(unkept: UnkeptAnswer, request: IdempotentRequest): Promise<IdempotencyOutcome> {
    if (!unkept.request.requestSha256.equals(request.requestSha256)) return { type: 'mismatch' };
    await this.complete(unkept.request, unkept.answer).catch(() => undefined);
    return { type: 'replay', answer: unkept.answer };
  }

  /** Keeps the answer. One too large to keep is dropped with its key: the next request runs again, charged once more. */
  async complete(request: IdempotentRequest, answer: StoredAnswer): Promise<void> {
    if (answer.body.length > STORED_BODY_BYTES_MAX) return this.abandon(request);
    const name = nameOf(request);
    this.#unkept.put(name, { request, answer });
    try {
      await this.db
        .update(idempotencyKeys)
        .set({ state: 'done', ...answer })
        .where(this.#same(request));
      this.#unkept.delete(name);
    } finally {
      this.#running.delete(name);
    }
  }

  /** The request failed without a charge: its key may be used again. */
  async abandon(request: IdempotentRequest): Promise<void> {
    try {
      await this.db.delete(idempotencyKeys).where(and(this.#same(request), eq(idempotencyKeys.state, 'running')));
    } finally {
      this.#running.delete(nameOf(request));
    }
  }

  /** @returns how many expired keys were removed. */
  async purge(): Promise<number> {
    const rows = await this.db
      .delete(idempotencyKeys)
      .where(lt(idempotencyKeys.expiresAt, sql`now()`))
      .returning({ key: idempotencyKeys.key });
    return rows.length;
  }

  #same(request: IdempotentRequest) {
    return and(
      eq(idempotencyKeys.accountId, request.accountId),
      eq(idempotencyKeys.path, request.path),
      eq(idempotencyKeys.key, request.key),
    );
  }
}

const nameOf = ({ accountId, path, key }: IdempotentRequest): string => JSON.stringify([accountId, path, key]);
