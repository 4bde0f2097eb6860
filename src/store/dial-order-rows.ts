import { and, desc, eq, getTableColumns, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Database } from './database.ts';
import { type DialOrderState, dialAttempts, dialOrders } from './schema.ts';

export type DialOrderRow = typeof dialOrders.$inferSelect;
export type DialAttemptRow = typeof dialAttempts.$inferSelect;
export type NewDialOrder = Pick<
  DialOrderRow,
  | 'id'
  | 'accountId'
  | 'agentId'
  | 'target'
  | 'from'
  | 'trunk'
  | 'variables'
  | 'maxRingSeconds'
  | 'onMachine'
  | 'message'
  | 'retrySeconds'
  | 'timeZone'
  | 'idempotencyKey'
  | 'requestSha256'
  | 'nextAt'
  | 'expiresAt'
>;

export interface DialEnd {
  readonly party: string;
  readonly reason: string;
  readonly detail?: string;
}

/** What may not be passed when an order is taken to be dialled. */
export interface DialLimits {
  /** Of the trunk by which it goes, if it goes by one. */
  readonly trunk: { readonly id: string; readonly calls: number; readonly perSecond: number } | undefined;
  readonly accountCalls: number;
  readonly accountPerSecond: number;
  readonly dayStart: Date;
  readonly dayCalls: number;
  readonly dayCents: number;
}

export type ClaimOutcome =
  | 'claimed'
  | 'gone' // cancelled, or another gateway has it
  | 'trunk-full'
  | 'trunk-rate'
  | 'account-full'
  | 'account-rate'
  | 'daily-calls'
  | 'daily-spend';

/** What an account has done today, and what waits. */
export interface DialUsage {
  readonly queued: number;
  readonly callsToday: number;
  readonly centsToday: number;
}

export interface DialOrderQuery {
  readonly accountId?: string;
  readonly states?: readonly DialOrderState[];
  readonly limit?: number; // default 50
  /** Only orders older than this one: the next page. */
  readonly before?: { readonly createdAt: Date; readonly id: string };
}

const LIST_MAX = 1_000;
const DUE_OF_LANE = 10;
const DUE_MAX = 200;
const DETAIL_CHARACTERS_MAX = 500;
const LIVE: readonly DialOrderState[] = ['dialling', 'ringing', 'answered'];
/** An order that was taken is known to who took it much sooner. */
const LOST_SECONDS = 15;

const now = sql`clock_timestamp()`;
const clean = (text: string): string => text.replaceAll('\0', '').slice(0, DETAIL_CHARACTERS_MAX);
const why = ({ party, reason, detail }: DialEnd) => ({
  ...{ endParty: party, endReason: reason, endDetail: detail === undefined ? null : clean(detail) },
});

/** What an order comes to that nobody has under way any more: one that was cancelled meanwhile ends in the place of waiting. */
const unlessCancelled = (otherwise: SQL, cancelled: SQL): SQL =>
  sql`CASE WHEN ${dialOrders.cancelAt} IS NULL THEN ${otherwise} ELSE ${cancelled} END`;
const waitsAgain = (end?: DialEnd) => ({
  state: unlessCancelled(sql`'queued'`, sql`'ended'`),
  endedAt: unlessCancelled(sql`NULL`, now),
  endParty: unlessCancelled(sql`${end?.party ?? null}`, sql`'gateway'`),
  endReason: unlessCancelled(sql`${end?.reason ?? null}`, sql`'cancelled'`),
  endDetail: unlessCancelled(sql`${end?.detail === undefined ? null : clean(end.detail)}`, sql`NULL`),
});

/** Orders to call somebody. Each write asks for the state that it may follow on, so that late news changes nothing. */
export class DialOrderRows {
  constructor(
    private readonly db: Database,
    private readonly pool: pg.Pool,
    private readonly gateway: { readonly id: string; readonly node: string },
  ) {}

  /** @returns the order; of a key that was used before the order of that time, whatever is in this one. */
  async insert(order: NewDialOrder): Promise<{ readonly order: DialOrderRow; readonly isNew: boolean }> {
    const [made] = await this.db.insert(dialOrders).values(order).onConflictDoNothing().returning();
    if (made) return { order: made, isNew: true };
    const known = await this.byKey(order.accountId, order.idempotencyKey ?? '');
    if (!known) throw new Error('an order was neither made nor found');
    return { order: known, isNew: false };
  }

  async byKey(accountId: string, key: string): Promise<DialOrderRow | undefined> {
    const mine = and(eq(dialOrders.accountId, accountId), eq(dialOrders.idempotencyKey, key));
    const [row] = await this.db.select().from(dialOrders).where(mine);
    return row;
  }

  /** Another account's order is as unknown as none. */
  async get(id: string, accountId?: string): Promise<DialOrderRow | undefined> {
    const mine = accountId === undefined ? undefined : eq(dialOrders.accountId, accountId);
    const [row] = await this.db
      .select()
      .from(dialOrders)
      .where(and(eq(dialOrders.id, id), mine));
    return row;
  }

  /** The order that a call was made for. */
  async ofCall(callId: string, accountId: string): Promise<DialOrderRow | undefined> {
    const mine = and(eq(dialOrders.callId, callId), eq(dialOrders.accountId, accountId));
    const [row] = await this.db.select().from(dialOrders).where(mine).limit(1);
    return row;
  }

  /** Newest first. */
  list({ accountId, states, limit = 50, before }: DialOrderQuery = {}): Promise<readonly DialOrderRow[]> {
    const older =
      before && sql`(${dialOrders.createdAt}, ${dialOrders.id}) < (${before.createdAt.toISOString()}, ${before.id})`;
    return this.db
      .select()
      .from(dialOrders)
      .where(
        and(
          accountId === undefined ? undefined : eq(dialOrders.accountId, accountId),
          states && inArray(dialOrders.state, [...states]),
          older,
        ),
      )
      .orderBy(desc(dialOrders.createdAt), desc(dialOrders.id))
      .limit(Math.min(limit, LIST_MAX));
  }

  attemptsOf(id: string): Promise<readonly DialAttemptRow[]> {
    return this.db.select().from(dialAttempts).where(eq(dialAttempts.orderId, id)).orderBy(dialAttempts.attempt);
  }

  async usage(accountId: string, dayStart: Date): Promise<DialUsage> {
    const { rows } = await this.pool.query<{ queued: number; calls: number; cents: string }>({
      name: 'dial-usage',
      text: `SELECT (SELECT count(*)::int FROM dial_orders WHERE account_id = $1 AND state = 'queued') AS queued,
        (SELECT count(*)::int FROM dial_attempts WHERE account_id = $1 AND dialling_at >= $2) AS calls,
        dial_spend($1, $2) AS cents`,
      values: [accountId, dayStart],
    });
    const { queued, calls, cents } = rows[0]!;
    return { queued, callsToday: calls, centsToday: Number(cents) };
  }

  /** Orders whose time has come, the oldest of every account and trunk, so that a trunk that is full holds up no other. */
  async due(): Promise<readonly DialOrderRow[]> {
    const lane = sql`SELECT DISTINCT account_id, trunk FROM dial_orders WHERE state = 'queued'`;
    const first = sql`SELECT id FROM dial_orders o WHERE o.state = 'queued' AND o.account_id = lane.account_id
      AND o.trunk IS NOT DISTINCT FROM lane.trunk AND o.next_at <= ${now} ORDER BY o.next_at, o.id LIMIT ${DUE_OF_LANE}`;
    const ids = sql`SELECT due.id FROM (${lane}) AS lane CROSS JOIN LATERAL (${first}) AS due`;
    return this.db
      .select()
      .from(dialOrders)
      .where(sql`${dialOrders.id} IN (${ids})`)
      .orderBy(dialOrders.nextAt, dialOrders.id)
      .limit(DUE_MAX);
  }

  /** Marks an order as dialled by us, with its Call-ID, if no limit is passed by that. */
  async claim(id: string, sipCallId: string, limits: DialLimits): Promise<ClaimOutcome> {
    const { trunk, accountCalls, accountPerSecond, dayStart, dayCalls, dayCents } = limits;
    const { rows } = await this.pool.query<{ outcome: ClaimOutcome }>({
      name: 'dial-claim',
      text: 'SELECT dial_claim($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11) AS outcome',
      values: [
        ...[id, this.gateway.id, sipCallId, trunk?.id ?? null, trunk?.calls ?? null, trunk?.perSecond ?? null],
        ...[accountCalls, accountPerSecond, dayStart, dayCalls, dayCents],
      ],
    });
    return rows[0]!.outcome;
  }

  /** The INVITE may leave from now on. @returns false where it must not: somebody has cancelled. */
  async sent(id: string, attempt: number, callId: string): Promise<boolean> {
    const isWanted = sql`${dialOrders.cancelAt} IS NULL`;
    return (await this.#ours(id, attempt, ['dialling'], { sentAt: now, callId }, isWanted)) !== undefined;
  }

  async ringing(id: string, attempt: number): Promise<boolean> {
    return (await this.#ours(id, attempt, ['dialling'], { state: 'ringing', ringingAt: now })) !== undefined;
  }

  async answered(id: string, attempt: number): Promise<boolean> {
    const values = { state: 'answered' as const, answeredAt: now };
    return (await this.#ours(id, attempt, ['dialling', 'ringing'], values)) !== undefined;
  }

  /**
   * What became of an attempt: the end of the order, or another call in a while.
   * @returns the state then; undefined where the order is not ours any more.
   */
  finish(id: string, attempt: number, end: DialEnd, waitSeconds?: number): Promise<DialOrderState | undefined> {
    const next =
      waitSeconds === undefined
        ? { state: 'ended' as const, endedAt: now, ...why(end) }
        : { ...waitsAgain(end), nextAt: sql`${now} + make_interval(secs => ${waitSeconds})` };
    // One step: a death between would leave an attempt that never ended.
    return this.db.transaction(async (tx) => {
      const [row] = await tx
        .update(dialOrders)
        .set(next)
        .where(this.#isOurs(id, attempt, LIVE))
        .returning({ state: dialOrders.state });
      const which = and(eq(dialAttempts.orderId, id), eq(dialAttempts.attempt, attempt));
      if (row) await tx.update(dialAttempts).set({ endedAt: now, endReason: end.reason }).where(which);
      return row?.state;
    });
  }

  /** Nothing has left: the order waits again as if it had not been taken. @returns as `finish`. */
  hold(id: string, attempt: number, waitSeconds: number): Promise<DialOrderState | undefined> {
    return this.db.transaction(async (tx) => {
      const taken = { attempt: sql`${dialOrders.attempt} - 1`, callId: null, sipCallId: null, sentAt: null };
      const [held] = await tx
        .update(dialOrders)
        .set({ ...waitsAgain(), ...taken, nextAt: sql`${now} + make_interval(secs => ${waitSeconds})` })
        .where(this.#isOurs(id, attempt, ['dialling']))
        .returning({ state: dialOrders.state });
      if (held)
        await tx.delete(dialAttempts).where(and(eq(dialAttempts.orderId, id), eq(dialAttempts.attempt, attempt)));
      return held?.state;
    });
  }

  /** Ends an order that waits. */
  async refuse(id: string, end: DialEnd): Promise<boolean> {
    const rows = await this.db
      .update(dialOrders)
      .set({ state: 'ended', endedAt: now, ...why(end) })
      .where(and(eq(dialOrders.id, id), eq(dialOrders.state, 'queued')))
      .returning({ id: dialOrders.id });
    return rows.length > 0;
  }

  /** An order that waits is looked at again then. */
  async postpone(id: string, nextAt: Date): Promise<void> {
    await this.db
      .update(dialOrders)
      .set({ nextAt })
      .where(and(eq(dialOrders.id, id), eq(dialOrders.state, 'queued')));
  }

  /** @returns the order after that: one that waited has ended, one under way will; undefined where there is none. */
  async cancel(id: string, accountId?: string): Promise<DialOrderRow | undefined> {
    const isQueued = sql`${dialOrders.state} = 'queued'`;
    const ifQueued = (value: SQL, otherwise: SQL): SQL =>
      sql`CASE WHEN ${isQueued} THEN ${value} ELSE ${otherwise} END`;
    const columns = getTableColumns(dialOrders);
    await this.db
      .update(dialOrders)
      .set({
        cancelAt: sql`coalesce(${dialOrders.cancelAt}, ${now})`,
        state: ifQueued(sql`'ended'`, sql`${columns.state}`),
        endedAt: ifQueued(sql`${now}`, sql`${columns.endedAt}`),
        endParty: ifQueued(sql`'gateway'`, sql`${columns.endParty}`),
        endReason: ifQueued(sql`'cancelled'`, sql`${columns.endReason}`),
        endDetail: ifQueued(sql`NULL`, sql`${columns.endDetail}`),
      })
      .where(
        and(
          eq(dialOrders.id, id),
          sql`${dialOrders.state} <> 'ended'`,
          accountId === undefined ? undefined : eq(dialOrders.accountId, accountId),
        ),
      );
    return this.get(id, accountId);
  }

  /** Orders of ours under way that somebody wants to end. */
  async cancelWanted(): Promise<readonly string[]> {
    const rows = await this.db
      .select({ id: dialOrders.id })
      .from(dialOrders)
      .where(
        and(
          eq(dialOrders.gateway, this.gateway.id),
          inArray(dialOrders.state, [...LIVE]),
          sql`${dialOrders.cancelAt} IS NOT NULL`,
        ),
      );
    return rows.map(({ id }) => id);
  }

  /** Ends what has waited beyond its time. @returns their rows. */
  async expire(): Promise<readonly DialOrderRow[]> {
    return this.db
      .update(dialOrders)
      .set({ state: 'ended', endedAt: now, endParty: 'gateway', endReason: 'expired' })
      .where(and(eq(dialOrders.state, 'queued'), lt(dialOrders.expiresAt, now)))
      .returning();
  }

  /**
   * Closes what dead gateways had under way. One whose INVITE may have left is not dialled again; its line counts as taken for
   * `lineSeconds`, for the other side may not know yet. One that surely never left waits again, or ends where it was cancelled.
   *
   * @param running - orders that we have under way; what else is marked as ours was lost between us and the database.
   * @returns their rows as they are now.
   */
  async recover(lineSeconds: number, running: readonly string[]): Promise<readonly DialOrderRow[]> {
    const lives = sql`SELECT 1 FROM gateways g WHERE g.id = ${dialOrders.gateway} AND g.node <> ${this.gateway.node}
      AND gateway_lives(g)`;
    const lost = sql`${dialOrders.diallingAt} < ${now} - make_interval(secs => ${LOST_SECONDS})`;
    const known = running.length > 0 ? sql`${dialOrders.id} NOT IN ${running}` : sql`true`;
    const dead = sql`CASE WHEN ${dialOrders.gateway} = ${this.gateway.id} THEN ${lost} AND ${known}
      ELSE NOT EXISTS (${lives}) END`;
    // One step: who looks between would see an order that the dead one still has, and a death between would leave an attempt
    // that nobody made, whose number the next one could not take.
    return this.db.transaction(async (tx) => {
      const interrupted = await tx
        .update(dialOrders)
        .set({
          ...{ state: 'ended', endedAt: now, endParty: 'gateway', endReason: 'interrupted' },
          lineUntil: sql`${now} + make_interval(secs => ${lineSeconds})`,
        })
        .where(and(inArray(dialOrders.state, [...LIVE]), sql`${dialOrders.sentAt} IS NOT NULL`, dead))
        .returning();
      const kept = await tx
        .update(dialOrders)
        .set({
          ...waitsAgain(),
          attempt: sql`${dialOrders.attempt} - 1`,
          nextAt: now,
          sipCallId: null,
          callId: null,
        })
        .where(and(eq(dialOrders.state, 'dialling'), sql`${dialOrders.sentAt} IS NULL`, dead))
        .returning();
      for (const { id, attempt } of kept) {
        const which = and(eq(dialAttempts.orderId, id), eq(dialAttempts.attempt, attempt + 1));
        await tx.delete(dialAttempts).where(which);
      }
      return [...interrupted, ...kept];
    });
  }

  /** @returns the state then; undefined where nothing was written. */
  async #ours(
    id: string,
    attempt: number,
    from: readonly DialOrderState[],
    values: Parameters<ReturnType<Database['update']>['set']>[0],
    further?: SQL,
  ): Promise<DialOrderState | undefined> {
    const [row] = await this.db
      .update(dialOrders)
      .set(values as Partial<DialOrderRow>)
      .where(and(this.#isOurs(id, attempt, from), further))
      .returning({ state: dialOrders.state });
    return row?.state;
  }

  #isOurs(id: string, attempt: number, from: readonly DialOrderState[]): SQL | undefined {
    return and(
      eq(dialOrders.id, id),
      eq(dialOrders.attempt, attempt),
      eq(dialOrders.gateway, this.gateway.id),
      inArray(dialOrders.state, [...from]),
    );
  }
}
