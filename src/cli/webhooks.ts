import { OperatorError } from '../core/errors.ts';
import type { Store } from '../store/store.ts';
import type { WebhookDelivery } from '../store/webhook-deliveries.ts';
import type { Webhook } from '../store/webhooks.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { note } from './management.ts';
import { emit, table } from './output.ts';

const stateOf = ({ enabled, disabledReason, failingSince }: Webhook): string => {
  if (!enabled) return disabledReason === null ? 'disabled' : `disabled: ${disabledReason}`;
  return failingSince ? `failing since ${failingSince.toISOString().slice(0, 19)}` : 'in force';
};

export function listWebhooks(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withStore(async (store) => {
    const of =
      options.account === undefined ? await store.accounts.list() : [await findAccount(store, options.account)];
    const rows: { webhook: Webhook; pending: number; failed: number; last: Date | null }[] = [];
    for (const { id } of of) {
      const health = await store.webhooks.health(id);
      for (const webhook of await store.webhooks.list(id)) {
        const { pending = 0, failed = 0, lastDeliveredAt: last = null } = health.get(webhook.id) ?? {};
        rows.push({ webhook, pending, failed, last });
      }
    }
    const json = rows.map(({ webhook, pending, failed, last }) => ({
      ...{ webhook_id: webhook.id, account_id: webhook.accountId, url: webhook.url, events: webhook.events },
      ...{ enabled: webhook.enabled, disabled_reason: webhook.disabledReason, failing_since: webhook.failingSince },
      ...{ pending, failed, last_delivered_at: last },
    }));
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'state', 'waiting', 'given up', 'last delivered', 'url', 'events'],
        rows.map(({ webhook, pending, failed, last }) => [
          ...[webhook.id, stateOf(webhook), String(pending), String(failed)],
          ...[last?.toISOString().slice(0, 19) ?? 'never', webhook.url, webhook.events.join(' ')],
        ]),
      ),
    );
  });
}

export interface DeliveryOptions {
  readonly state?: WebhookDelivery['state'];
  readonly limit: number;
}

export function listDeliveries(context: CommandContext, id: string, { state, limit }: DeliveryOptions): Promise<void> {
  return context.withStore(async (store) => {
    const webhook = await webhookOf(store, id);
    const rows = await store.webhookDeliveries.list(webhook.id, { limit, ...(state && { state }) });
    const json = rows.map((row) => ({
      ...{ delivery_id: row.id, event_id: row.eventId, type: row.type, state: row.state, tries: row.tries },
      ...{ next_at: row.state === 'pending' ? row.nextAt : null, created_at: row.createdAt, history: row.history },
    }));
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'event', 'made', 'state', 'tries', 'last answer'],
        rows.map((row) => [
          ...[row.id, row.type, row.createdAt.toISOString().slice(0, 19), row.state, String(row.tries)],
          lastAnswer(row),
        ]),
      ),
    );
  });
}

function lastAnswer({ history }: WebhookDelivery): string {
  const last = history.at(-1);
  return last ? (last.error ?? String(last.status)) : '-';
}

export interface ReplayOptions {
  readonly since?: string;
  readonly delivery?: string;
}

export function replayDeliveries(context: CommandContext, id: string, options: ReplayOptions): Promise<void> {
  const { since, delivery } = options;
  if ((since === undefined) === (delivery === undefined)) throw new OperatorError('Give either --since or --delivery.');
  const from = new Date(since ?? 0);
  if (Number.isNaN(from.getTime())) throw new OperatorError(`${since} is no time such as 2026-01-31T08:00:00Z.`);
  return context.withStore(async (store) => {
    const webhook = await webhookOf(store, id);
    if (!webhook.enabled)
      throw new OperatorError(`${id} is disabled. Enable it first: PATCH /manage/v1/webhooks/${id}.`);
    const replayed = await (delivery === undefined
      ? store.webhookDeliveries.replayFailed(id, from)
      : replayOne(store, id, delivery));
    const what = delivery === undefined ? { sent_again_since: from.toISOString(), replayed } : { sent_again: delivery };
    await note(store, webhook.accountId, 'replayWebhookDeliveries', { kind: 'webhook', id }, what);
    emit(context.out, { webhook_id: id, replayed }, () => context.out.write(`sent again: ${replayed}\n`));
  });
}

async function replayOne(store: Store, id: string, delivery: string): Promise<number> {
  if (await store.webhookDeliveries.replay(delivery, id)) return 1;
  throw new OperatorError(`${id} has no delivery ${delivery}. \`webhooks deliveries ${id}\` shows them.`);
}

async function webhookOf(store: Store, id: string): Promise<Webhook> {
  const webhook = await store.webhooks.get(id);
  if (!webhook) throw new OperatorError(`No webhook ${id}. \`webhooks list\` shows them.`);
  return webhook;
}
