import { Type } from '@sinclair/typebox';
import { bareName, isAllowedHost, isInside } from '../../core/guarded-request.ts';
import { sentence } from '../../core/notice.ts';
import type { Webhook } from '../../store/webhooks.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import {
  idParam,
  known,
  type ManageOperation,
  operation,
  requireMatch,
  tag as setTag,
  versionTag,
} from '../operation.ts';
import { PAGE_QUERY, pageOf, pageOfAll } from '../pages.ts';
import * as shapes from '../schemas/webhooks.ts';

const tag = 'Webhooks';
const scope = 'account';
const params = idParam('webhook');
const tagOf = ({ id, updatedAt }: Webhook): string => versionTag(id, updatedAt);

/** Where programs are told what happens. */
export function webhookOperations({ store, webhookHosts }: ManageDeps): ManageOperation[] {
  const webhookOf = async (accountId: string, id: string): Promise<Webhook> =>
    known(await store.webhooks.get(id, accountId), 'webhook', id);
  const whole = async (webhook: Webhook) =>
    shapes.presentWebhook(webhook, (await store.webhooks.health(webhook.accountId)).get(webhook.id));
  return [
    operation(
      {
        ...{ id: 'listWebhooks', method: 'GET', path: '/webhooks', tag, scope, summary: 'List webhooks, oldest first' },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(shapes.WebhookShape) },
      },
      async ({ accountId, query }) => {
        const [rows, health] = await Promise.all([store.webhooks.list(accountId), store.webhooks.health(accountId)]);
        return pageOfAll(
          rows,
          query,
          ({ id }) => id,
          (row) => shapes.presentWebhook(row, health.get(row.id)),
        );
      },
    ),
    operation(
      {
        ...{ id: 'createWebhook', method: 'POST', path: '/webhooks', tag, scope, status: 201, showsSecret: true },
        summary: 'Make a webhook',
        description: 'Its secret, with which messages are signed, is shown this once (Standard Webhooks, `whsec_...`).',
        ...{ body: shapes.NewWebhookBody, answer: shapes.WebhookWithSecret, errors: ['not_possible', 'full'] },
      },
      async ({ accountId, body, changed }) => {
        const { url, events, description = '', enabled = true } = body;
        const made = { url: readUrl(url, webhookHosts), events, description, enabled };
        const created = await store.webhooks.create(accountId, made);
        if (created === 'full') throw new ManageError('full', 'webhooks');
        const { webhook, secret } = created;
        changed({ kind: 'webhook', id: webhook.id, after: shapes.notedWebhook(webhook) });
        return { webhook: shapes.presentWebhook(webhook), secret };
      },
    ),
    operation(
      {
        ...{ id: 'getWebhook', method: 'GET', path: '/webhooks/{id}', tag, scope, params, tagged: true },
        ...{ summary: 'Get a webhook, and how it goes with it', answer: shapes.WebhookShape },
      },
      async ({ accountId, params: { id }, reply }) => {
        const webhook = await webhookOf(accountId, id);
        setTag(reply, tagOf(webhook));
        return whole(webhook);
      },
    ),
    operation(
      {
        ...{ id: 'changeWebhook', method: 'PATCH', path: '/webhooks/{id}', tag, scope, params, tagged: true },
        summary: 'Change a webhook, disable it, or enable it again',
        description: 'What waits for one that is disabled is given up, and can be sent again by hand.',
        ...{ body: shapes.WebhookChange, answer: shapes.WebhookShape, errors: ['not_possible'] },
      },
      async ({ accountId, params: { id }, body, request, reply, changed }) => {
        const before = await webhookOf(accountId, id);
        requireMatch(request, tagOf(before));
        const to = { ...body, ...(body.url !== undefined && { url: readUrl(body.url, webhookHosts) }) };
        const after = known(await store.webhooks.change(id, accountId, to), 'webhook', id);
        changed({ kind: 'webhook', id, before: shapes.notedWebhook(before), after: shapes.notedWebhook(after) });
        setTag(reply, tagOf(after));
        return whole(after);
      },
    ),
    operation(
      {
        ...{ id: 'deleteWebhook', method: 'DELETE', path: '/webhooks/{id}', tag, scope, params, tagged: true },
        summary: 'Delete a webhook and all its deliveries',
      },
      async ({ accountId, params: { id }, request, changed }) => {
        const before = await webhookOf(accountId, id);
        requireMatch(request, tagOf(before));
        await store.webhooks.remove(id, accountId);
        changed({ kind: 'webhook', id, before: shapes.notedWebhook(before) });
        return undefined;
      },
    ),
    operation(
      {
        ...{ id: 'rotateWebhookSecret', method: 'POST', path: '/webhooks/{id}/rotate-secret', tag, scope, params },
        ...{ summary: 'Make a new signing secret', showsSecret: true, answer: shapes.WebhookWithSecret },
        description: 'It is shown this once. The secret before signs as well for 24 hours.',
      },
      async ({ accountId, params: { id }, changed }) => {
        const { webhook, secret } = known(await store.webhooks.rotate(id, accountId), 'webhook', id);
        changed({ kind: 'webhook', id, after: { secret: 'made anew' } });
        return { webhook: await whole(webhook), secret };
      },
    ),
  ];
}

/** @throws ManageError where a message could never go there. Names are judged again when they are resolved. */
function readUrl(text: string, allowedHosts: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw refused(sentence('refused.no-https-url'));
  if (url.username !== '' || url.password !== '') throw refused(sentence('refused.user-in-address'));
  if (isAllowedHost(url, allowedHosts)) return url.href;
  if (url.protocol !== 'https:') throw refused(sentence('refused.only-https'));
  if (isInside(bareName(url))) {
    throw refused(sentence('refused.webhook-inside', { host: url.host }));
  }
  return url.href;
}

const refused = (why: string): ManageError => new ManageError('not_possible', why);
