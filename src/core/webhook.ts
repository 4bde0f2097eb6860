/** What a program of an account can be told of. The database tells it (`store/migrations/0023_webhooks.sql`). */
export const WEBHOOK_EVENTS = [
  'call.started',
  'call.answered',
  'call.transferred',
  'call.ended',
  'call.analysed',
  'call.refused',
  'order.ended',
  'trunk.down',
  'trunk.up',
  'balance.low',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];
/** Sent when somebody wants to see whether a webhook works. */
export const WEBHOOK_TEST = 'webhook.test';

/** What is sent, whatever has happened. `data` is of the type. */
export interface WebhookBody {
  readonly id: string; // of the event: the same in every try and for every webhook
  readonly type: WebhookEventType | typeof WEBHOOK_TEST;
  readonly created_at: string; // ISO 8601
  readonly account_id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How signing secrets begin, as the specification of Standard Webhooks has it; base64 follows. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
/** So long the secret before signs as well, after a new one was made. */
export const SECRET_OVERLAP_HOURS = 24;
