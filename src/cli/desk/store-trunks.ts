import { readFileSync } from 'node:fs';
import { systemClock } from '../../core/clock.ts';
import { isOn, type Trunk } from '../../core/trunk.ts';
import type { Store } from '../../store/store.ts';
import { explainCall, sourceText } from '../../trunks/explain-call.ts';
import { explainCallOut } from '../../trunks/explain-call-out.ts';
import { storeTrunk } from '../../trunks/import-trunks.ts';
import { hostUri } from '../../trunks/trunk-router.ts';
import { pingHost } from '../options-ping.ts';
import type { Settings } from '../settings.ts';
import type { PhonesDesk, PingedHost, RoutingDesk, TrunksDesk, TrunkView, WebhooksDesk } from './desk.ts';
import { note } from './shell-note.ts';

const viewOf = (trunk: Trunk): TrunkView => {
  const { id, accountId, definition } = trunk;
  return { id, name: definition.name, accountId, definition, enabled: isOn(trunk) };
};

export const trunksOfStore = (store: Store, { config: { sip } }: Settings): TrunksDesk => ({
  put: async (account, trunk) => {
    const file = { ...trunk, account, unset: [], byOperator: true };
    return viewOf(await storeTrunk(store, file, sip.realm));
  },
  list: async (of) => {
    const trunks = await (of === undefined ? store.trunks.list() : store.trunks.listFor(of));
    const states = await store.trunkStates.list();
    return trunks.map((trunk) => ({ ...viewOf(trunk), status: states.get(trunk.id) ?? [] }));
  },
  hasPassword: async ({ id }) => (await store.trunks.secretsOf(id)).password !== undefined,
  ping: async (trunk) => ({
    asked: 'Asked by OPTIONS from a free port of this command, not from the port of the gateway.',
    hosts: await pingAll(trunk, sip.tls),
  }),
  setEnabled: async ({ id }, enabled) => void (await store.trunks.setEnabled(id, enabled)),
  remove: async ({ id }) => void (await store.trunks.remove(id)),
});

function pingAll({ definition }: TrunkView, settings: Settings['config']['sip']['tls']): Promise<PingedHost[]> {
  const { hosts = [], transport = 'udp' } = definition ?? {};
  const { caFile, ...tls } = settings;
  const trust = { ...tls, ...(caFile !== undefined && { ca: readFileSync(caFile, 'utf8') }) };
  return Promise.all(
    hosts.map(async (host) => {
      const asked = await pingHost(hostUri(host, transport), systemClock, trust);
      if (!asked.ok) {
        return { uri: host.uri, ok: false, why: asked.why, ...(asked.address && { address: asked.address }) };
      }
      const { status, phrase, answerMs, address } = asked;
      return { uri: host.uri, ok: true, status, phrase, answer_ms: answerMs, address };
    }),
  );
}

export const phonesOfStore = (store: Store, { config }: Settings): PhonesDesk => ({
  create: async (accountId, { name, username }) => {
    const { realm } = config.sip;
    const made = await store.phones.create(accountId, { name, username, realm });
    return made === 'taken' ? made : { ...made, realm };
  },
  list: (of) => store.phones.list(of),
  realms: async ({ username }) => {
    const realm = (await store.phones.digestOf(username))?.digest.realm;
    return { realm, usable: realm === config.sip.realm };
  },
  remove: async ({ id }) => void (await store.phones.remove(id)),
});

export const routingOfStore = (store: Store, { config: { sip }, logger }: Settings): RoutingDesk => ({
  in: async (call) => {
    const { sender, seen, agent, end, remedy = '' } = await explainCall(store, sip, systemClock, call);
    return {
      ...{ taken: !end, sender, source: sender === 'admitted' ? sourceText(seen.source) : null },
      ...{ called: seen.called, caller: seen.from, agent: agent?.definition.name ?? null },
      ...{ account_id: agent?.accountId ?? null, reason: end?.reason ?? null, detail: end?.detail ?? '', remedy },
    };
  },
  out: (call) => explainCallOut({ store, sip, clock: systemClock, logger }, call),
});

export const webhooksOfStore = (store: Store): WebhooksDesk => ({
  list: async (of) => {
    const accounts = of === undefined ? (await store.accounts.list()).map(({ id }) => id) : [of];
    const perAccount = accounts.map(async (id) => {
      const health = await store.webhooks.health(id);
      return (await store.webhooks.list(id)).map((webhook) => {
        const { pending = 0, failed = 0, lastDeliveredAt = null } = health.get(webhook.id) ?? {};
        const { url, events, enabled, disabledReason, failingSince } = webhook;
        return {
          ...{ webhook_id: webhook.id, account_id: id, url, events, enabled, disabled_reason: disabledReason },
          ...{ failing_since: failingSince?.toISOString() ?? null, pending, failed },
          last_delivered_at: lastDeliveredAt?.toISOString() ?? null,
        };
      });
    });
    return (await Promise.all(perAccount)).flat();
  },
  get: async (id) => {
    const webhook = await store.webhooks.get(id);
    return webhook && { webhook_id: id, account_id: webhook.accountId, enabled: webhook.enabled };
  },
  deliveries: async ({ webhook_id }, { limit, state }) => {
    const rows = await store.webhookDeliveries.list(webhook_id, { limit, ...(state && { state }) });
    return rows.map((row) => ({
      ...{ delivery_id: row.id, event_id: row.eventId, type: row.type, state: row.state, tries: row.tries },
      next_at: row.state === 'pending' ? row.nextAt.toISOString() : null,
      ...{ created_at: row.createdAt.toISOString(), history: row.history },
    }));
  },
  replaySince: async ({ webhook_id: id, account_id }, since) => {
    const replayed = await store.webhookDeliveries.replayFailed(id, since);
    const what = { sent_again_since: since.toISOString(), replayed };
    await note(store, account_id, 'replayWebhookDeliveries', { kind: 'webhook', id }, what);
    return replayed;
  },
  replayOne: async ({ webhook_id: id, account_id }, delivery) => {
    if (!(await store.webhookDeliveries.replay(delivery, id))) return false;
    await note(store, account_id, 'replayWebhookDeliveries', { kind: 'webhook', id }, { sent_again: delivery });
    return true;
  },
});
