import { randomBytes } from 'node:crypto';
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import { SECRET_OVERLAP_HOURS, WEBHOOK_SECRET_PREFIX } from '../core/webhook.ts';
import type { Database } from './database.ts';
import type { SecretBox } from './secrets.ts';
import { webhookDeliveries, webhooks } from './webhook-schema.ts';

/** Of one account. */
export const WEBHOOKS_MAX = 20;
const SECRET_BYTES = 32;
const OVERLAP_MS = SECRET_OVERLAP_HOURS * 3_600_000;

const { sealed: _sealed, sealedBefore: _before, ...SHAPE } = getTableColumns(webhooks);
export type Webhook = Omit<typeof webhooks.$inferSelect, 'sealed' | 'sealedBefore'>;
export type NewWebhook = Pick<Webhook, 'url' | 'events' | 'description' | 'enabled'>;

/** How it goes with a webhook. */
export interface WebhookHealth {
  readonly pending: number;
  readonly failed: number; // of those that are kept
  readonly lastDeliveredAt: Date | null;
}

/** Where programs of an account are told what happens. Their secrets sign, so they are kept sealed and not as a hash. */
export class WebhookRows {
  constructor(
    private readonly db: Database,
    private readonly secrets: () => SecretBox,
    private readonly clock: Pick<Clock, 'utc'>,
  ) {}

  list(accountId: string): Promise<readonly Webhook[]> {
    const mine = eq(webhooks.accountId, accountId);
    return this.db.select(SHAPE).from(webhooks).where(mine).orderBy(asc(webhooks.createdAt), asc(webhooks.id));
  }

  /** Another account's webhook is as unknown as none. */
  async get(id: string, accountId?: string): Promise<Webhook | undefined> {
    const which = accountId === undefined ? eq(webhooks.id, id) : this.#is(id, accountId);
    const [row] = await this.db.select(SHAPE).from(webhooks).where(which);
    return row;
  }

  /** @returns the webhook and its secret for the only time; `full` where the account has as many as it may. */
  async create(accountId: string, made: NewWebhook): Promise<{ webhook: Webhook; secret: string } | 'full'> {
    if ((await this.db.$count(webhooks, eq(webhooks.accountId, accountId))) >= WEBHOOKS_MAX) return 'full';
    const id = newId('whk');
    const secret = newSecret();
    const sealed = this.secrets().seal(secret, id);
    const [webhook] = await this.db
      .insert(webhooks)
      .values({ id, accountId, sealed, ...made })
      .returning(SHAPE);
    return { webhook: webhook!, secret };
  }

  /** One that is enabled again begins anew: as if it had never failed. */
  async change(id: string, accountId: string, to: Partial<NewWebhook>): Promise<Webhook | undefined> {
    const isBack = to.enabled === true;
    const [row] = await this.db
      .update(webhooks)
      .set({
        ...to,
        ...(isBack && { disabledReason: null, failingSince: null, isFull: false }),
        updatedAt: this.#now(),
      })
      .where(this.#is(id, accountId))
      .returning(SHAPE);
    if (row && !row.enabled) await this.#giveUp(id);
    return row;
  }

  /** Because of what it answers. @returns undefined where somebody was sooner. */
  async disable(id: string, reason: 'gone' | 'failing'): Promise<Webhook | undefined> {
    const [row] = await this.db
      .update(webhooks)
      .set({ enabled: false, disabledReason: reason, updatedAt: this.#now() })
      .where(and(eq(webhooks.id, id), webhooks.enabled))
      .returning(SHAPE);
    if (row) await this.#giveUp(id);
    return row;
  }

  /** @returns the new secret for the only time; the one before signs as well for a day. */
  async rotate(id: string, accountId: string): Promise<{ webhook: Webhook; secret: string } | undefined> {
    const secret = newSecret();
    const sealed = this.secrets().seal(secret, id);
    const beforeUntil = new Date(this.#now().getTime() + OVERLAP_MS);
    const [webhook] = await this.db
      .update(webhooks)
      .set({ sealedBefore: sql`${getTableColumns(webhooks).sealed}`, sealed, beforeUntil, updatedAt: this.#now() })
      .where(this.#is(id, accountId))
      .returning(SHAPE);
    return webhook && { webhook, secret };
  }

  /** What signs now, the newest first. @throws OperatorError where the key is not the one that they were sealed with. */
  async secretsOf(id: string): Promise<readonly string[]> {
    const [row] = await this.db.select().from(webhooks).where(eq(webhooks.id, id));
    if (!row) return [];
    const isTwo = row.sealedBefore !== null && row.beforeUntil !== null && row.beforeUntil > this.#now();
    return [row.sealed, ...(isTwo ? [row.sealedBefore!] : [])].map((sealed) => this.secrets().open(sealed, id));
  }

  async remove(id: string, accountId: string): Promise<boolean> {
    const rows = await this.db.delete(webhooks).where(this.#is(id, accountId)).returning({ id: webhooks.id });
    if (rows.length === 0) return false;
    await this.db.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id));
    return true;
  }

  /** What a try has shown: the time since when nothing came through, and whether answers are slow in coming. */
  async noteTry(
    id: string,
    shown: { readonly success: boolean; readonly isSlow: boolean },
  ): Promise<Webhook | undefined> {
    const failingSince = shown.success ? null : sql`coalesce(${webhooks.failingSince}, ${this.#now().toISOString()})`;
    const isNews = shown.success ? sql`${webhooks.failingSince} IS NOT NULL` : sql`true`;
    const [row] = await this.db
      .update(webhooks)
      .set({ failingSince, isSlow: shown.isSlow })
      .where(and(eq(webhooks.id, id), sql`(${isNews} OR ${webhooks.isSlow} <> ${shown.isSlow})`))
      .returning(SHAPE);
    return row;
  }

  /** By webhook, of those of an account. */
  async health(accountId: string): Promise<ReadonlyMap<string, WebhookHealth>> {
    const { rows } = await this.db.execute<{ id: string; pending: number; failed: number; last: string | null }>(sql`
      SELECT w.id, (SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'pending') AS pending,
        (SELECT count(*)::int FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'failed') AS failed,
        (SELECT max(closed_at) FROM webhook_deliveries WHERE webhook_id = w.id AND state = 'delivered') AS last
      FROM webhooks w WHERE w.account_id = ${accountId}`);
    return new Map(
      rows.map(({ id, pending, failed, last }) => [
        id,
        { pending, failed, lastDeliveredAt: last === null ? null : new Date(last) },
      ]),
    );
  }

  #is(id: string, accountId: string) {
    return and(eq(webhooks.id, id), eq(webhooks.accountId, accountId));
  }

  /** What waited for a webhook that gets nothing more: to be sent again by hand, where it is wanted. */
  async #giveUp(id: string): Promise<void> {
    const waiting = and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.state, 'pending'));
    await this.db
      .update(webhookDeliveries)
      .set({ state: 'failed', closedAt: this.#now(), lease: null, leasedUntil: null })
      .where(waiting);
  }

  #now(): Date {
    return this.clock.utc();
  }
}

/** 256 random bits, as the specification of Standard Webhooks writes them. */
const newSecret = (): string => `${WEBHOOK_SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
