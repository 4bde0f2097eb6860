import { setMaxListeners } from 'node:events';
import type { Clock, Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { WEBHOOK_TEST } from '../core/webhook.ts';
import type { Store } from '../store/store.ts';
import type { AfterTry, ClaimedDelivery } from '../store/webhook-deliveries.ts';
import { backOffMs } from './back-off.ts';
import { bodyOf, type EventSource } from './event-data.ts';
import type { Post, Posted } from './post.ts';
import { signatureHeaders } from './signature.ts';

export interface DispatcherDeps {
  readonly store: EventSource & Pick<Store, 'webhooks' | 'webhookDeliveries' | 'audit'>;
  readonly post: Post;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number; // 0..1
}

/** Requests under way: of one webhook, of this gateway, and of those to receivers that are slow or dead. */
export const AT_ONCE = { perWebhook: 2, all: 16, slow: 8 } as const;
/** The longest a receiver may take for a message. */
export const POST_MS_MAX = 10_000;
/** Longer than a try can take: whose lease is over has died. */
const LEASE_MS = 30_000;
const LOOK_EVERY_MS = 1_000;
/** A receiver that takes longer shares fewer places with its like. */
const SLOW_MS = 2_000;
/** A webhook through which nothing came for that long is disabled. */
const FAILING_MS_MAX = 24 * 3_600_000;
const GONE = 410;
const CLOSE_MS_MAX = 3_000;
const COMPLAINT_EVERY_MS = 60_000;

/**
 * Brings what waits in the table of deliveries to its receivers. Each gateway on a database takes what is due under a lease, so
 * that two never have the same one, and what a dead one had under way comes to another when its lease is over: at least once,
 * under the same id.
 */
export class WebhookDispatcher {
  readonly #running = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #slow = 0;
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #complainedMs = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;

  constructor(private readonly deps: DispatcherDeps) {
    setMaxListeners(AT_ONCE.all, this.#ending.signal); // each request listens
  }

  /** From now on, looking once a second. */
  start(): void {
    this.#timer = this.deps.clock.setTimer(LOOK_EVERY_MS, () => this.start());
    void this.look();
  }

  /** Begins what is due, as far as there is room; what ends makes room for the next. Never rejects. */
  look(): Promise<void> {
    if (this.#closing) return Promise.resolve();
    this.#lookAgain = true;
    this.#looking ??= this.#lookOver().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Nothing is under way, and nothing else is due. */
  async idle(): Promise<void> {
    await this.look();
    while (this.#running.size > 0 || this.#looking) await (this.#looking ?? Promise.race(this.#running));
  }

  /** Waits a little for requests under way, then breaks them off: they are made again later. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.deps.clock.clearTimer(this.#timer);
    await this.#looking;
    const late = this.deps.clock.setTimer(CLOSE_MS_MAX, () => this.#ending.abort());
    await Promise.all(this.#running);
    this.deps.clock.clearTimer(late);
  }

  async #lookOver(): Promise<void> {
    while (this.#lookAgain) {
      this.#lookAgain = false;
      try {
        await this.#fill();
      } catch (error) {
        this.#complain(error);
      }
    }
  }

  async #fill(): Promise<void> {
    const all = AT_ONCE.all - this.#running.size;
    if (all <= 0) return;
    const room = {
      perWebhook: AT_ONCE.perWebhook,
      all,
      slow: Math.max(0, AT_ONCE.slow - this.#slow),
      leaseMs: LEASE_MS,
    };
    for (const claimed of await this.deps.store.webhookDeliveries.claim(room)) this.#begin(claimed);
  }

  #begin(claimed: ClaimedDelivery): void {
    const slow = claimed.isSlow ? 1 : 0;
    this.#slow += slow;
    const work = this.#deliver(claimed)
      .catch((error: unknown) => this.#complain(error)) // Its lease ends by itself.
      .finally(() => {
        this.#running.delete(work);
        this.#slow -= slow;
        void this.look();
      });
    this.#running.add(work);
  }

  async #deliver(claimed: ClaimedDelivery): Promise<void> {
    const { store, clock, post } = this.deps;
    const at = clock.utc();
    const event = await store.webhookDeliveries.event(claimed.eventId);
    const secrets = await store.webhooks.secretsOf(claimed.webhookId);
    if (!event || secrets.length === 0) return this.#settle(claimed, at, NOTHING, { state: 'failed' });
    const body = JSON.stringify(await bodyOf(store, event));
    const headers = signatureHeaders({ id: event.id, at, body }, secrets);
    const { retryAfterMs, ...posted } = await post(claimed.url, headers, body, this.#ending.signal);
    if (posted.status === null && this.#ending.signal.aborted) return store.webhookDeliveries.giveBack(claimed);
    const isTest = event.type === WEBHOOK_TEST;
    const tries = isTest ? Number.POSITIVE_INFINITY : claimed.tries;
    await this.#settle(claimed, at, posted, this.#after(posted, tries, retryAfterMs));
    if (!isTest) await this.#judge(claimed, posted);
  }

  #after({ error, status }: Posted, tries: number, askedMs: number | undefined): AfterTry {
    if (error === null) return { state: 'delivered' };
    const waitMs = status === GONE ? undefined : backOffMs(tries, this.deps.random(), askedMs);
    if (waitMs === undefined) return { state: 'failed' };
    return { state: 'pending', nextAt: new Date(this.deps.clock.utc().getTime() + waitMs) };
  }

  async #settle(claimed: ClaimedDelivery, at: Date, posted: Posted, after: AfterTry): Promise<void> {
    const { store, logger } = this.deps;
    await store.webhookDeliveries.close(claimed, { at: at.toISOString(), ...posted }, after);
    if (after.state !== 'failed') return;
    const { id, webhookId, tries } = claimed;
    logger.warn({ delivery: id, webhook: webhookId, tries, error: posted.error }, 'a webhook message was given up');
  }

  /** What the webhook itself has come to by this try. */
  async #judge({ webhookId }: ClaimedDelivery, { error, status, ms }: Posted): Promise<void> {
    const { webhooks } = this.deps.store;
    if (status === GONE) return this.#disable(webhookId, 'gone');
    const isSlow = ms >= SLOW_MS;
    const { failingSince } = (await webhooks.noteTry(webhookId, { success: error === null, isSlow })) ?? {};
    if (!failingSince || error === null) return;
    const forMs = this.deps.clock.utc().getTime() - failingSince.getTime();
    if (forMs >= FAILING_MS_MAX) await this.#disable(webhookId, 'failing');
  }

  async #disable(id: string, reason: 'gone' | 'failing'): Promise<void> {
    const { store, logger } = this.deps;
    const webhook = await store.webhooks.disable(id, reason);
    if (!webhook) return;
    logger.warn({ webhook: id, reason }, 'a webhook was disabled');
    await store.audit.add([
      {
        ...{ accountId: webhook.accountId, actor: { kind: 'gateway', id: 'gateway', name: 'gateway' } as const },
        ...{ action: 'disableWebhook', target: { kind: 'webhook', id } as const, requestId: '' },
        ...{ before: { enabled: true }, after: { enabled: false, disabled_reason: reason } },
      },
    ]);
  }

  #complain(error: unknown): void {
    const nowMs = this.deps.clock.nowMs();
    if (nowMs - this.#complainedMs < COMPLAINT_EVERY_MS) return;
    this.#complainedMs = nowMs;
    this.deps.logger.warn({ error: errorText(error) }, 'webhooks wait');
  }
}

/** Its event or its webhook was removed while it waited. */
const NOTHING: Posted = { status: null, ms: 0, error: 'there is nothing to send any more' };
