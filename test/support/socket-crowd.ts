import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { DEFAULT_PRICES, liveCents } from '../../src/billing/prices.ts';
import type { Store } from '../../src/store/store.ts';
import { LIVES, SocketLife } from './socket-life.ts';
import { until } from './until.ts';

const SOCKETS_A_KILL = 10;
const MINUTE_MS = 60_000;
const MINUTE_CENTS = DEFAULT_PRICES.liveMinuteCents;

/** A session that the service failed, as on a machine that cannot keep up, costs nothing. */
const FAULTS: readonly (string | null)[] = ['unavailable', 'transcription_failed'];

export interface SessionRow {
  readonly id: string;
  readonly checkpoint_ms: number;
  readonly end_reason: string | null;
  readonly cost_cents: number;
  readonly bookings: number; // ledger rows of it
  readonly booked_cents: number;
}

/** Live transcriptions of one account, which has nothing else, and what the books must say of them after any kill. */
export class SocketCrowd {
  readonly #lives: SocketLife[] = [];
  constructor(
    readonly accountId: string,
    private readonly token: string,
    private readonly random: () => number,
  ) {}

  /** Sockets in every moment of their lives within `ms`. Resolves when all have begun. */
  async gather(api: string, ms: number): Promise<void> {
    const begun = Array.from({ length: SOCKETS_A_KILL }, async (_, i) => {
      await sleep(this.random() * ms);
      this.#lives.push(new SocketLife({ api, token: this.token }, LIVES[i % LIVES.length]!, this.random() * ms));
    });
    await Promise.all(begun);
  }

  /** Audio that is sent ahead is heard at twice its speed: half a minute until the second minute is noted. */
  async untilSecondMinute(api: string, store: Store): Promise<void> {
    this.#lives.push(new SocketLife({ api, token: this.token }, 'sends-ahead', 0));
    const begun = async () => (await this.sessions(store)).some((row) => row.checkpoint_ms > MINUTE_MS);
    await until(begun, 'a second minute begins', 120_000);
  }

  /** One that ends before any kill: its client is told a price, which no restart may change. */
  async untilOneIsTold(api: string): Promise<void> {
    const life = new SocketLife({ api, token: this.token }, 'stops', 500);
    this.#lives.push(life);
    await until(() => life.done, 'a client is told its price', 60_000);
  }

  /** Lets go of every connection. */
  async end(): Promise<void> {
    for (const life of this.#lives) await life.end();
  }

  async sessions({ pool }: Store): Promise<SessionRow[]> {
    const { rows } = await pool.query(
      `SELECT s.id, s.checkpoint_ms, s.end_reason, s.cost_cents::int,
        count(l.seq)::int AS bookings, coalesce(-sum(l.cents), 0)::int AS booked_cents
      FROM sessions s LEFT JOIN ledger l ON l.id = s.id OR l.id LIKE s.id || '/%' GROUP BY s.id ORDER BY s.started_at`,
    );
    return rows as SessionRow[];
  }

  /** Every session has ended and is billed once, for its started minutes, and never more than its client sent or was told. */
  async check(store: Store): Promise<SessionRow[]> {
    const rows = await this.sessions(store);
    const { rows: spent } = await store.pool.query(
      "SELECT -sum(cents)::int AS cents FROM ledger WHERE kind <> 'topup' AND account_id = $1",
      [this.accountId],
    );
    expect(spent[0]!.cents ?? 0).toBe(rows.reduce((sum, row) => sum + row.cost_cents, 0));
    for (const row of rows) {
      expect(row.end_reason, row.id).not.toBeNull();
      expect(row.bookings, row.id).toBe(row.cost_cents > 0 ? 1 : 0);
      expect(row.booked_cents, row.id).toBe(row.cost_cents);
      const price = FAULTS.includes(row.end_reason) ? 0 : liveCents(DEFAULT_PRICES, row.checkpoint_ms);
      expect(row.cost_cents, `${row.id} ${row.end_reason}`).toBe(price);
    }
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { sessionId, life, sentCents, done } of this.#lives) {
      if (sessionId === undefined) continue; // its client never heard of it
      const cents = byId.get(sessionId)?.cost_cents;
      const name = `${life} ${sessionId}`;
      expect(cents, name).toBeDefined();
      expect(cents, name).toBeLessThanOrEqual(sentCents);
      if (done)
        expect(cents, name).toBe(done.cost_cents); // what a client was told is what it pays
      else if (life !== 'sends-ahead') expect(sentCents - cents!, name).toBeLessThanOrEqual(MINUTE_CENTS);
    }
    return rows;
  }

  /** That a run has met every kind of end. */
  checkVariety(rows: readonly SessionRow[]): void {
    const interrupted = rows.filter((row) => row.end_reason === 'interrupted');
    const priced = (minutes: number) => interrupted.filter((row) => row.cost_cents === minutes * MINUTE_CENTS).length;
    const told = this.#lives.filter((life) => life.done).length;
    console.info(
      `${rows.length} sessions, ${interrupted.length} interrupted: of no minute ${priced(0)}, of one ${priced(1)}, of two ${priced(2)}; ` +
        `${told} told their price`,
    );
    expect(priced(1)).toBeGreaterThan(0);
    expect(priced(2)).toBeGreaterThan(0);
    expect(told).toBeGreaterThan(0);
  }
}
