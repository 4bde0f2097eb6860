import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import { WEBHOOK_TEST } from '../core/webhook.ts';
import { type Database, inTransaction } from './database.ts';
import { storableText } from './kept-rows.ts';
import { type WebhookTry, webhookDeliveries, webhookEvents } from './webhook-schema.ts';

export type WebhookDelivery = typeof webhookDeliveries.$inferSelect;
export type WebhookEvent = typeof webhookEvents.$inferSelect;

export interface DeliveryQuery {
  readonly limit: number;
  readonly before?: number; // `seq` of the last one of the page before
  readonly state?: WebhookDelivery['state'];
  readonly type?: string;
  readonly since?: Date;
  readonly until?: Date; // not part of it
}

/** How many may be under way at a time. */
export interface DeliveryRoom {
  readonly perWebhook: number;
  /** Free places, for any webhook and for those whose receivers are slow or dead. */
  readonly all: number;
  readonly slow: number;
  readonly leaseMs: number;
}

/** A delivery that is ours until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly accountId: string;
  readonly tries: number; // this one included
  readonly lease: string;
  readonly url: string;
  readonly isSlow: boolean;
}

/** What becomes of a delivery after a try. */
export type AfterTry =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'pending'; readonly nextAt: Date };

export const KEPT_DAYS = 30;
/** With so many waiting a webhook gets no more. */
const WAITING_MAX = 10_000;
const HISTORY_MAX = 20;
const REPLAYED_MAX = 10_000; // at once
const PRUNED_AT_ONCE = 5_000;
/** Any fixed number: gateways on one database take turns to look for work. */
const CLAIM_LOCK = 7_102_318_345;

/** A test has no webhook to wait for: it goes to one that is disabled, too. */
const MAY_GO = `(w.enabled OR d.type = '${WEBHOOK_TEST}')`;
/**
 * What is due, as far as there is room: few of one webhook, fewer of slow ones in all, and of accounts in turn, so that whose
 * receivers are many, slow or dead holds up nobody else.
 */
const CLAIM = `
  WITH due AS (
    SELECT d.id, d.next_at, w.is_slow, w.account_id FROM webhooks w CROSS JOIN LATERAL (
      SELECT d.id, d.next_at, d.seq FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND d.state = 'pending' AND d.next_at <= $1 AND coalesce(d.leased_until <= $1, true) AND ${MAY_GO}
      ORDER BY d.next_at, d.seq
      LIMIT greatest(CASE WHEN w.is_slow THEN 1 ELSE $2::int END
        - (SELECT count(*) FROM webhook_deliveries r WHERE r.webhook_id = w.id AND r.lease IS NOT NULL AND r.leased_until > $1), 0)
    ) d
  ), busy AS (
    SELECT account_id, count(*) AS running FROM webhook_deliveries WHERE lease IS NOT NULL AND leased_until > $1 GROUP BY account_id
  ), turns AS (
    SELECT due.*, coalesce(running, 0) + row_number() OVER (PARTITION BY due.account_id ORDER BY next_at) AS turn
    FROM due LEFT JOIN busy USING (account_id)
  ), lanes AS (
    SELECT id, next_at, turn, is_slow, row_number() OVER (PARTITION BY is_slow ORDER BY turn, next_at) AS place FROM turns
  ), chosen AS (
    SELECT id FROM lanes WHERE NOT is_slow OR place <= $4::int ORDER BY turn, next_at LIMIT $3::int
  )
  UPDATE webhook_deliveries d SET lease = $5, leased_until = $6, tries = d.tries + 1
  FROM chosen, webhooks w WHERE d.id = chosen.id AND w.id = d.webhook_id AND d.state = 'pending'
  RETURNING d.id, d.event_id AS "eventId", d.webhook_id AS "webhookId", d.account_id AS "accountId", d.tries,
    d.lease, w.url, w.is_slow AS "isSlow"`;

/** What is to be told to webhooks, and what was. The queue of deliveries is this table: it outlives every process. */
export class WebhookDeliveryRows {
  constructor(
    private readonly db: Database,
    private readonly pool: pg.Pool,
    private readonly clock: Pick<Clock, 'utc'>,
  ) {}

  /** Of one webhook, the newest first. */
  list(webhookId: string, query: DeliveryQuery): Promise<readonly WebhookDelivery[]> {
    const { limit, before, state, type, since, until } = query;
    return this.db
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.webhookId, webhookId),
          before === undefined ? undefined : lt(webhookDeliveries.seq, before),
          state && eq(webhookDeliveries.state, state),
          type === undefined ? undefined : eq(sql`${webhookDeliveries.type}`, type),
          since && gte(webhookDeliveries.createdAt, since),
          until && lt(webhookDeliveries.createdAt, until),
        ),
      )
      .orderBy(desc(webhookDeliveries.seq))
      .limit(limit);
  }

  async get(id: string, webhookId: string): Promise<WebhookDelivery | undefined> {
    const [row] = await this.db.select().from(webhookDeliveries).where(this.#is(id, webhookId));
    return row;
  }

  async event(id: string): Promise<WebhookEvent | undefined> {
    const [row] = await this.db.select().from(webhookEvents).where(eq(webhookEvents.id, id));
    return row;
  }

  /** An event for one webhook, to see whether it works. */
  async addTest(webhookId: string, accountId: string): Promise<WebhookDelivery> {
    return this.db.transaction(async (tx) => {
      const event = {
        id: newId('evt'),
        accountId,
        type: WEBHOOK_TEST,
        subjectId: webhookId,
        createdAt: this.#now(),
      } as const;
      await tx.insert(webhookEvents).values({ ...event, facts: {} });
      const times = { createdAt: this.#now(), nextAt: this.#now() };
      const [row] = await tx
        .insert(webhookDeliveries)
        .values({ id: newId('dlv'), eventId: event.id, webhookId, accountId, type: WEBHOOK_TEST, ...times })
        .returning();
      return row!;
    });
  }

  /** Sent again from the beginning, whatever became of it; one that is under way is left to its end. */
  async replay(id: string, webhookId: string): Promise<WebhookDelivery | undefined> {
    const [row] = await this.db
      .update(webhookDeliveries)
      .set({ state: 'pending', tries: 0, nextAt: this.#now(), closedAt: null })
      .where(
        and(
          this.#is(id, webhookId),
          sql`coalesce(${webhookDeliveries.leasedUntil} <= ${this.#now().toISOString()}, true)`,
        ),
      )
      .returning();
    return row ?? this.get(id, webhookId);
  }

  /** All that failed since then. @returns how many. */
  async replayFailed(webhookId: string, since: Date): Promise<number> {
    const { rowCount } = await this.pool.query(
      `UPDATE webhook_deliveries SET state = 'pending', tries = 0, next_at = $3, closed_at = NULL WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'failed' AND closed_at >= $2 AND type <> $4
        ORDER BY seq LIMIT ${REPLAYED_MAX})`,
      [webhookId, since, this.#now(), WEBHOOK_TEST],
    );
    return rowCount ?? 0;
  }

  /** Takes what is due, as far as there is room. */
  async claim({ perWebhook, all, slow, leaseMs }: DeliveryRoom): Promise<readonly ClaimedDelivery[]> {
    const now = this.#now();
    const any = `SELECT EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'pending' AND next_at <= $1) AS due`;
    const { rows } = await this.pool.query<{ due: boolean }>({ name: 'webhooks-due', text: any, values: [now] });
    if (!rows[0]?.due) return [];
    return inTransaction(this.pool, async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [CLAIM_LOCK]);
      const until = new Date(now.getTime() + leaseMs);
      const values = [now, perWebhook, all, slow, newId('lse'), until];
      return (await client.query<ClaimedDelivery>({ name: 'webhooks-claim', text: CLAIM, values })).rows;
    });
  }

  /** Writes what a try has come to. @returns false where the delivery is not ours any more. */
  async close(
    { id, lease }: Pick<ClaimedDelivery, 'id' | 'lease'>,
    one: WebhookTry,
    after: AfterTry,
  ): Promise<boolean> {
    const answer = one.answer === undefined ? {} : { answer: storableText(one.answer) };
    const { rowCount } = await this.pool.query({
      name: 'webhooks-close',
      text: `UPDATE webhook_deliveries SET state = $3, next_at = coalesce($4::timestamptz, next_at), closed_at = $5, lease = NULL,
        leased_until = NULL, history = (SELECT jsonb_agg(one ORDER BY place) FROM (
          SELECT one, place FROM jsonb_array_elements(history || $6::jsonb) WITH ORDINALITY AS all_tries (one, place)
          ORDER BY place DESC LIMIT ${HISTORY_MAX}) AS last)
        WHERE id = $1 AND lease = $2`,
      values: [
        ...[id, lease, after.state, 'nextAt' in after ? after.nextAt : null],
        ...[after.state === 'pending' ? null : this.#now(), JSON.stringify([{ ...one, ...answer }])],
      ],
    });
    return (rowCount ?? 0) > 0;
  }

  /** A try that was broken off by us, and says nothing of the receiver: whoever comes next makes it. */
  async giveBack({ id, lease }: Pick<ClaimedDelivery, 'id' | 'lease'>): Promise<void> {
    await this.pool.query(
      'UPDATE webhook_deliveries SET lease = NULL, leased_until = NULL, tries = tries - 1 WHERE id = $1 AND lease = $2',
      [id, lease],
    );
  }

  /** Finds webhooks for which too much waits, and those for which it does no more. */
  async noteFull(): Promise<void> {
    await this.pool.query(
      `UPDATE webhooks SET is_full = NOT is_full WHERE is_full <> EXISTS (
        SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id AND d.state = 'pending' OFFSET $1)`,
      [WAITING_MAX - 1],
    );
  }

  /** Removes what is older than it is kept, and what has lost its webhook. @returns how many deliveries. */
  async prune(): Promise<number> {
    const before = new Date(this.#now().getTime() - KEPT_DAYS * 86_400_000);
    const { rowCount } = await this.pool.query(
      `DELETE FROM webhook_deliveries WHERE seq IN (SELECT seq FROM webhook_deliveries d
        WHERE created_at < $1 OR NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = d.webhook_id) LIMIT ${PRUNED_AT_ONCE})`,
      [before],
    );
    await this.pool.query(
      `DELETE FROM webhook_events WHERE id IN (SELECT id FROM webhook_events e WHERE created_at < $1
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id) LIMIT ${PRUNED_AT_ONCE})`,
      [before],
    );
    return rowCount ?? 0;
  }

  #is(id: string, webhookId: string) {
    return and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId));
  }

  #now(): Date {
    return this.clock.utc();
  }
}
