import type { Static } from '@sinclair/typebox';
import type { TrunkDefinition } from '../../core/trunk.ts';
import type { PhoneShape, WholePhone } from '../../manage/routes/phones.ts';
import type { CallInShape, CallOutShape } from '../../manage/routes/routing.ts';
import type { TrunkShape, WholeTrunk } from '../../manage/routes/trunks.ts';
import type { DeliveryShape, ListedDelivery, WebhookShape } from '../../manage/schemas/webhooks.ts';
import type { PhonesDesk, PingedHost, RoutingDesk, TrunksDesk, TrunkView, WebhooksDesk } from '../desk/desk.ts';
import { ifKnown, type ManageClient, part, unless } from './manage-client.ts';
import type { Reach } from './reach.ts';

type Trunk = Static<typeof TrunkShape>;
type Phone = Static<typeof PhoneShape>;
type Webhook = Static<typeof WebhookShape>;
type Delivery = Static<typeof DeliveryShape>;
interface Ping {
  readonly items: readonly {
    uri: string;
    ok: boolean;
    status: number | null;
    reason: string;
    answer_ms: number | null;
  }[];
}

const trunkView = (accountId: string, { id, name, owner, definition, enabled }: Trunk): TrunkView => ({
  ...{ id, name, enabled, accountId: owner === 'account' ? accountId : undefined },
  definition: (definition ?? undefined) as TrunkDefinition | undefined,
});

export function farTrunks(client: ManageClient, reach: Reach): TrunksDesk {
  const one = ({ id }: TrunkView): string => `/trunks/${part(id)}`;
  const list = (of: string) => client.all<Trunk>({ path: '/trunks', accountId: of });
  const ownerOf = async (of: string | undefined): Promise<string> => of ?? (await reach.who()).account_id;
  return {
    put: async (of, { definition, password, inboundPassword }) => {
      const accountId = await ownerOf(of);
      const owner = of === undefined ? 'operator' : 'account';
      const known = (await list(accountId)).find((one) => one.name === definition.name && one.owner === owner);
      const secrets = {
        ...(password !== undefined && { password }),
        ...(inboundPassword !== undefined && { inbound_password: inboundPassword }),
      };
      const body = { definition, ...secrets };
      const trunk = known
        ? await client.ask<Trunk>({ method: 'PUT', path: `/trunks/${known.id}`, accountId, body })
        : await client.ask<Trunk>({ method: 'POST', path: '/trunks', accountId, body: { ...body, owner } });
      return trunkView(accountId, trunk);
    },
    list: async (of) => {
      const rows = await reach.each(of, async (accountId) =>
        (await list(accountId)).map((trunk) => ({ ...trunkView(accountId, trunk), status: trunk.status })),
      );
      if (of !== undefined) return rows;
      // Those of the operator are seen with every account; all of them come by name, as from the database.
      const once = [...new Map(rows.map((trunk) => [trunk.id, trunk])).values()];
      return once.sort((a, b) => (`${a.name} ${a.id}` < `${b.name} ${b.id}` ? -1 : 1));
    },
    hasPassword: async (trunk) => {
      const accountId = await ownerOf(trunk.accountId);
      const found = await client.ask<Static<typeof WholeTrunk>>({ path: one(trunk), accountId });
      return found.has_password === true;
    },
    ping: async (trunk) => {
      const accountId = await ownerOf(trunk.accountId);
      const { items } = await client.ask<Ping>({ method: 'POST', path: `${one(trunk)}/ping`, accountId });
      return { asked: 'Asked by OPTIONS by the gateway, from where its calls go out.', hosts: items.map(pinged) };
    },
    setEnabled: async (trunk, enabled) => {
      const accountId = await ownerOf(trunk.accountId);
      await client.ask({ method: 'PUT', path: `${one(trunk)}/enabled`, accountId, body: { enabled } });
    },
    remove: async (trunk) => {
      const accountId = await ownerOf(trunk.accountId);
      await ifKnown(client.ask({ method: 'DELETE', path: one(trunk), accountId }));
    },
  };
}

const pinged = ({ uri, ok, status, reason, answer_ms }: Ping['items'][number]): PingedHost =>
  ok
    ? { uri, ok, ...(status !== null && { status }), phrase: reason, ...(answer_ms !== null && { answer_ms }) }
    : { uri, ok, why: reason };

export function farPhones(client: ManageClient, reach: Reach): PhonesDesk {
  const one = ({ id }: { readonly id: string }): string => `/phones/${part(id)}`;
  const viewOf = (accountId: string, { id, name, user }: Phone) => ({ id, accountId, name, username: user });
  return {
    create: async (accountId, { name, username }) => {
      const body = { name, user: username };
      type Made = { phone: Phone; password: string; realm: string };
      const asked = client.ask<Made>({ method: 'POST', path: '/phones', accountId, body });
      const made = await unless('taken', asked, () => 'taken' as const);
      return made === 'taken' ? made : { ...made, phone: viewOf(accountId, made.phone) };
    },
    list: async (of) => {
      const rows = await reach.each(of, async (accountId) =>
        (await client.all<Phone>({ path: '/phones', accountId })).map((phone) => viewOf(accountId, phone)),
      );
      return rows.sort((a, b) => (`${a.name} ${a.id}` < `${b.name} ${b.id}` ? -1 : 1));
    },
    realms: async (phone) => {
      const { accountId } = phone;
      const { realm, usable } = await client.ask<Static<typeof WholePhone>>({ path: one(phone), accountId });
      return { realm: realm ?? undefined, usable };
    },
    remove: async (phone) => {
      await ifKnown(client.ask({ method: 'DELETE', path: one(phone), accountId: phone.accountId }));
    },
  };
}

export const farRouting = (client: ManageClient): RoutingDesk => ({
  in: async ({ number, address, caller, digest }) => {
    const query = { number, address, caller, digest };
    const answer = await client.ask<Static<typeof CallInShape>>({ path: '/routing/in', query });
    const { taken, sender, source, called, agent, account_id, reason, detail, remedy } = answer;
    return { taken, sender, source, called, caller: answer.caller, agent, account_id, reason, detail, remedy };
  },
  out: async ({ accountId, target, from, trunk }) => {
    const query = { to: target, from, trunk };
    const asked = client.ask<Static<typeof CallOutShape>>({ path: '/routing/out', accountId, query });
    const { reason, detail, ...way } = await asked;
    return { ...way, ...(reason !== null && { reason, detail }) };
  },
});

export function farWebhooks(client: ManageClient, reach: Reach): WebhooksDesk {
  const one = (id: string): string => `/webhooks/${part(id)}`;
  return {
    list: (of) =>
      reach.each(of, async (accountId) =>
        (await client.all<Webhook>({ path: '/webhooks', accountId })).map((webhook) => {
          const { id, url, events, enabled, disabled_reason, failing_since, pending, failed } = webhook;
          return {
            ...{ webhook_id: id, account_id: accountId, url, events, enabled, disabled_reason, failing_since },
            ...{ pending, failed, last_delivered_at: webhook.last_delivered_at },
          };
        }),
      ),
    get: (id) =>
      reach.find(id, async (accountId) => {
        const { enabled } = await client.ask<Webhook>({ path: one(id), accountId });
        return { webhook_id: id, account_id: accountId, enabled };
      }),
    deliveries: async ({ webhook_id, account_id: accountId }, { limit, state }) => {
      const ask = { path: `${one(webhook_id)}/deliveries`, accountId, query: { state, history: 'true' } };
      const rows = await client.all<Static<typeof ListedDelivery>>(ask, limit);
      return rows.map(({ id, event_id, type, state: now, tries, next_at, created_at, history = [] }) => ({
        ...{ delivery_id: id, event_id, type, state: now, tries, next_at, created_at },
        history: history.map(tryOf),
      }));
    },
    replaySince: async ({ webhook_id, account_id: accountId }, since) => {
      const body = { since: since.toISOString() };
      const path = `${one(webhook_id)}/replay`;
      return (await client.ask<{ replayed: number }>({ method: 'POST', path, accountId, body })).replayed;
    },
    replayOne: async ({ webhook_id, account_id: accountId }, delivery) => {
      const path = async () => `${one(webhook_id)}/deliveries/${part(delivery)}/replay`;
      const asked = path().then((to) => client.ask<object>({ method: 'POST', path: to, accountId }));
      return (await ifKnown(asked)) !== undefined;
    },
  };
}

const tryOf = ({ answer, ...one }: Delivery['history'][number]) => ({ ...one, ...(answer !== null && { answer }) });
