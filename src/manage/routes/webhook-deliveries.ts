import { Type } from '@sinclair/typebox';
import { sentence } from '../../core/notice.ts';
import type { WebhookDelivery } from '../../store/webhook-deliveries.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { bodyOf } from '../../webhooks/event-data.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { afterNumber, limitOf, PAGE_QUERY, page, pageOf } from '../pages.ts';
import { oneOf } from '../schema-names.ts';
import * as shapes from '../schemas/webhooks.ts';

const tag = 'Webhooks';
const scope = 'account';
const params = idParam('webhook');
const both = Type.Object({
  ...params.properties,
  delivery: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the delivery.' }),
});
const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

/** What webhooks were told, and how they took it. */
export function webhookDeliveryOperations({ store, tellWebhooks }: ManageDeps): ManageOperation[] {
  const { webhookDeliveries: deliveries } = store;
  const webhookOf = async (accountId: string, id: string): Promise<Webhook> =>
    known(await store.webhooks.get(id, accountId), 'webhook', id);
  const deliveryOf = async (accountId: string, id: string, delivery: string): Promise<WebhookDelivery> => {
    const webhook = await webhookOf(accountId, id);
    return known(await deliveries.get(delivery, webhook.id), 'delivery', delivery);
  };
  const enabledOf = async (accountId: string, id: string): Promise<Webhook> => {
    const webhook = await webhookOf(accountId, id);
    if (!webhook.enabled) throw new ManageError('not_possible', sentence('refused.webhook-disabled'));
    return webhook;
  };
  return [
    operation(
      {
        ...{ id: 'listWebhookDeliveries', method: 'GET', path: '/webhooks/{id}/deliveries', tag, scope, params },
        summary: 'List what a webhook was told, newest first; 30 days are kept',
        query: Type.Object({
          ...PAGE_QUERY,
          state: Type.Optional(oneOf(shapes.DELIVERY_STATES)),
          event: Type.Optional(shapes.EventType),
          since: moment('Made then or later.'),
          until: moment('Made before that.'),
          history: Type.Optional(oneOf(['true', 'false'] as const, 'Every try of each.')),
        }),
        answer: pageOf(shapes.ListedDelivery),
      },
      async ({ accountId, params: { id }, query }) => {
        const limit = limitOf(query);
        const before = afterNumber(query);
        const webhook = await webhookOf(accountId, id);
        const rows = await deliveries.list(webhook.id, {
          limit: limit + 1,
          ...(before !== undefined && { before }),
          ...(query.state && { state: query.state }),
          ...(query.event && { type: query.event }),
          ...(query.since !== undefined && { since: new Date(query.since) }),
          ...(query.until !== undefined && { until: new Date(query.until) }),
        });
        const withTries = query.history === 'true';
        return page(
          rows,
          limit,
          ({ seq }) => [seq],
          (row) => ({ ...shapes.presentDelivery(row), ...(withTries && { history: shapes.presentHistory(row) }) }),
        );
      },
    ),
    operation(
      {
        ...{ id: 'getWebhookDelivery', method: 'GET', path: '/webhooks/{id}/deliveries/{delivery}', tag, scope },
        summary: 'Get a delivery: what is sent, every try, and what was answered',
        ...{ params: both, answer: shapes.DeliveryShape },
      },
      async ({ accountId, params: { id, delivery } }) => {
        const found = await deliveryOf(accountId, id, delivery);
        const event = await deliveries.event(found.eventId);
        const body = event ? await bodyOf(store, event) : null;
        return {
          ...shapes.presentDelivery(found),
          body: body && { ...body, data: { ...body.data } },
          history: shapes.presentHistory(found),
        };
      },
    ),
    operation(
      {
        ...{
          id: 'replayWebhookDelivery',
          method: 'POST',
          path: '/webhooks/{id}/deliveries/{delivery}/replay',
          tag,
          scope,
        },
        summary: 'Send a delivery again, under the same id; one that waits is tried now',
        ...{ params: both, status: 202, answer: shapes.DeliveryHead, errors: ['not_possible'] },
      },
      async ({ accountId, params: { id, delivery }, changed }) => {
        const webhook = await enabledOf(accountId, id);
        const again = known(await deliveries.replay(delivery, webhook.id), 'delivery', delivery);
        changed({ kind: 'webhook', id, after: { sent_again: delivery } });
        tellWebhooks();
        return shapes.presentDelivery(again);
      },
    ),
    operation(
      {
        ...{ id: 'replayFailedWebhookDeliveries', method: 'POST', path: '/webhooks/{id}/replay', tag, scope, params },
        summary: 'Send everything again that was given up since a time, 10,000 at once',
        ...{ body: Type.Object({ since: Type.String({ format: 'date-time' }) }), status: 202 },
        ...{ answer: Type.Object({ replayed: Type.Integer() }), errors: ['not_possible'] },
      },
      async ({ accountId, params: { id }, body, changed }) => {
        const webhook = await enabledOf(accountId, id);
        const replayed = await deliveries.replayFailed(webhook.id, new Date(body.since));
        changed({ kind: 'webhook', id, after: { sent_again_since: body.since, replayed } });
        tellWebhooks();
        return { replayed };
      },
    ),
    operation(
      {
        ...{ id: 'testWebhook', method: 'POST', path: '/webhooks/{id}/test', tag, scope, params, status: 202 },
        summary: 'Send a test, once; the delivery that is answered tells how it went',
        description: 'A webhook that is disabled gets it too. What comes of it changes nothing about the webhook.',
        answer: shapes.DeliveryHead,
      },
      async ({ accountId, params: { id }, changed }) => {
        const webhook = await webhookOf(accountId, id);
        const delivery = await deliveries.addTest(webhook.id, accountId);
        changed({ kind: 'webhook', id, after: { tested: delivery.id } });
        tellWebhooks();
        return shapes.presentDelivery(delivery);
      },
    ),
  ];
}
