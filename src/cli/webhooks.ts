import { OperatorError } from '../core/errors.ts';
import { accountIdOf } from './accounts.ts';
import type { CommandContext } from './context.ts';
import type { DeliveryView, Desk, WebhookView } from './desk/desk.ts';
import { emit, table } from './output.ts';

const toSecond = (time: string): string => time.slice(0, 19);

function stateOf({ enabled, disabled_reason, failing_since }: WebhookView): string {
  if (!enabled) return disabled_reason === null ? 'disabled' : `disabled: ${disabled_reason}`;
  return failing_since ? `failing since ${toSecond(failing_since)}` : 'in force';
}

export function listWebhooks(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const rows = await desk.webhooks.list(await accountIdOf(desk, options.account));
    emit(context.out, rows, () =>
      table(
        context.out,
        ['id', 'state', 'waiting', 'given up', 'last delivered', 'url', 'events'],
        rows.map((row) => [
          ...[row.webhook_id, stateOf(row), String(row.pending), String(row.failed)],
          ...[row.last_delivered_at ? toSecond(row.last_delivered_at) : 'never', row.url, row.events.join(' ')],
        ]),
      ),
    );
  });
}

export interface DeliveryOptions {
  readonly state?: DeliveryView['state'];
  readonly limit: number;
}

export function listDeliveries(context: CommandContext, id: string, { state, limit }: DeliveryOptions): Promise<void> {
  return context.withDesk(async (desk) => {
    const webhook = await webhookOf(desk, id);
    const rows = await desk.webhooks.deliveries(webhook, { limit, ...(state && { state }) });
    emit(context.out, rows, () =>
      table(
        context.out,
        ['id', 'event', 'made', 'state', 'tries', 'last answer'],
        rows.map((row) => [
          ...[row.delivery_id, row.type, toSecond(row.created_at), row.state, String(row.tries)],
          lastAnswer(row),
        ]),
      ),
    );
  });
}

function lastAnswer({ history }: DeliveryView): string {
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
  return context.withDesk(async (desk) => {
    const webhook = await webhookOf(desk, id);
    if (!webhook.enabled)
      throw new OperatorError(`${id} is disabled. Enable it first: PATCH /manage/v1/webhooks/${id}.`);
    const replayed = await (delivery === undefined
      ? desk.webhooks.replaySince(webhook, from)
      : replayOne(desk, webhook, delivery));
    emit(context.out, { webhook_id: id, replayed }, () => context.out.write(`sent again: ${replayed}\n`));
  });
}

type Webhook = Awaited<ReturnType<typeof webhookOf>>;

async function replayOne({ webhooks }: Desk, webhook: Webhook, delivery: string): Promise<number> {
  if (await webhooks.replayOne(webhook, delivery)) return 1;
  const { webhook_id: id } = webhook;
  throw new OperatorError(`${id} has no delivery ${delivery}. \`webhooks deliveries ${id}\` shows them.`);
}

async function webhookOf({ webhooks }: Desk, id: string) {
  const webhook = await webhooks.get(id);
  if (!webhook) throw new OperatorError(`No webhook ${id}. \`webhooks list\` shows them.`);
  return webhook;
}
