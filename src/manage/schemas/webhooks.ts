import { type Static, Type } from '@sinclair/typebox';
import { noticeOf } from '../../core/notice.ts';
import { WEBHOOK_EVENTS, WEBHOOK_TEST } from '../../core/webhook.ts';
import type { WebhookDelivery } from '../../store/webhook-deliveries.ts';
import type { Webhook, WebhookHealth } from '../../store/webhooks.ts';
import { NoticeShape, named, oneOf, orNull, timestamp } from '../schema-names.ts';

export const URL_CHARS_MAX = 2_000;
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
const EVERY_TYPE = [...WEBHOOK_EVENTS, WEBHOOK_TEST] as const;
export const EventType = oneOf(WEBHOOK_EVENTS);

const EDITABLE = {
  url: Type.String({
    minLength: 1,
    maxLength: URL_CHARS_MAX,
    description: 'https; http where the operator allows the host.',
  }),
  events: Type.Array(EventType, { minItems: 1, uniqueItems: true, description: 'What it is told.' }),
  description: Type.String({ maxLength: 500 }),
  enabled: Type.Boolean({ description: 'One that is not gets nothing; enabled again it begins anew.' }),
};
export const NewWebhookBody = Type.Object(
  {
    ...{ url: EDITABLE.url, events: EDITABLE.events },
    ...{ description: Type.Optional(EDITABLE.description), enabled: Type.Optional(EDITABLE.enabled) },
  },
  { additionalProperties: false },
);
export const WebhookChange = Type.Partial(Type.Object(EDITABLE), { minProperties: 1, additionalProperties: false });

export const WebhookShape = named(
  'Webhook',
  Type.Object({
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(EventType),
    description: Type.String(),
    enabled: Type.Boolean(),
    disabled_reason: orNull(
      oneOf(
        ['gone', 'failing'] as const,
        'gone: it answered 410. failing: nothing came through for 24 hours. Null: by hand.',
      ),
    ),
    failing_since: orNull(timestamp('Nothing came through since then.')),
    secret_before_until: orNull(timestamp('The secret before signs as well until then, which may be past.')),
    pending: Type.Integer({ description: 'Deliveries that wait.' }),
    full: Type.Boolean({ description: 'Too many wait: it is told nothing more until some are done.' }),
    failed: Type.Integer({ description: 'Deliveries that were given up, of the last 30 days.' }),
    last_delivered_at: orNull(timestamp()),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);
export const WebhookWithSecret = Type.Object({ webhook: WebhookShape, secret: Type.String() });

const NO_HEALTH: WebhookHealth = { pending: 0, failed: 0, lastDeliveredAt: null };

export function presentWebhook(webhook: Webhook, health: WebhookHealth = NO_HEALTH): Static<typeof WebhookShape> {
  const { id, url, events, description, enabled, disabledReason, failingSince, beforeUntil } = webhook;
  const { pending, failed, lastDeliveredAt } = health;
  return {
    ...{ id, url, events: [...events], description, enabled, disabled_reason: disabledReason },
    ...{ failing_since: failingSince?.toISOString() ?? null, secret_before_until: beforeUntil?.toISOString() ?? null },
    ...{ full: webhook.isFull, pending, failed, last_delivered_at: lastDeliveredAt?.toISOString() ?? null },
    ...{ created_at: webhook.createdAt.toISOString(), updated_at: webhook.updatedAt.toISOString() },
  };
}

/** For the audit log. */
export const notedWebhook = ({ url, events, description, enabled }: Webhook) => ({ url, events, description, enabled });

const HEAD = {
  id: Type.String(),
  event_id: Type.String({ description: 'Sent as `webhook-id`.' }),
  type: oneOf(EVERY_TYPE),
  state: oneOf(DELIVERY_STATES, 'failed: given up, to be sent again by hand.'),
  tries: Type.Integer({ description: 'Since it was made, or sent again by hand.' }),
  next_at: orNull(timestamp('When it is tried next.')),
  last_status: orNull(Type.Integer()),
  last_error: orNull(Type.String()),
  last_error_notice: orNull(NoticeShape),
  created_at: timestamp(),
  closed_at: orNull(timestamp()),
};
export const DeliveryHead = named('WebhookDeliveryHead', Type.Object(HEAD));
const History = Type.Array(
  Type.Object({
    ...{ at: timestamp(), status: orNull(Type.Integer()), ms: Type.Integer(), error: orNull(Type.String()) },
    error_notice: orNull(NoticeShape),
    answer: orNull(Type.String({ description: 'Its first 500 characters.' })),
  }),
  { description: 'The last 20 tries.' },
);
export const ListedDelivery = Type.Object({ ...HEAD, history: Type.Optional(History) });
export const DeliveryShape = named(
  'WebhookDelivery',
  Type.Object({
    ...HEAD,
    body: orNull(
      Type.Object(
        {
          ...{ id: Type.String(), type: oneOf(EVERY_TYPE), created_at: timestamp(), account_id: Type.String() },
          data: Type.Record(Type.String(), Type.Unknown()),
        },
        { description: 'As it would be sent now: what was erased meanwhile is not in it.' },
      ),
    ),
    history: History,
  }),
);

export function presentDelivery(delivery: WebhookDelivery): Static<typeof DeliveryHead> {
  const { id, eventId, type, state, tries, nextAt, history, createdAt, closedAt } = delivery;
  const last = history.at(-1);
  return {
    ...{ id, event_id: eventId, type, state, tries, next_at: state === 'pending' ? nextAt.toISOString() : null },
    ...{ last_status: last?.status ?? null, last_error: last?.error ?? null },
    last_error_notice: noticeOf(last?.error ?? '', 'webhook') ?? null,
    ...{ created_at: createdAt.toISOString(), closed_at: closedAt?.toISOString() ?? null },
  };
}

export const presentHistory = ({ history }: WebhookDelivery): Static<typeof History> =>
  history.map(({ answer = null, ...one }) => ({
    ...{ ...one, answer },
    error_notice: noticeOf(one.error ?? '', 'webhook') ?? null,
  }));
