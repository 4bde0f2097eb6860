import { silentLogger } from '../../src/core/logger.ts';
import type { WebhookEventType } from '../../src/core/webhook.ts';
import type { WebhookDelivery } from '../../src/store/webhook-deliveries.ts';
import { type DispatcherDeps, WebhookDispatcher } from '../../src/webhooks/dispatcher.ts';
import { createPoster } from '../../src/webhooks/post.ts';
import { FakeClock } from './fake-clock.ts';
import { callOf, DEFINITION } from './manage-things.ts';
import { openTestStore } from './postgres-store.ts';
import { until } from './until.ts';

const HOUR_MS = 3_600_000;

/** Webhooks over a database of their own, at a time that moves when it is told to. */
export async function webhookRig() {
  // Ahead of the database: what it writes down now is due.
  const clock = new FakeClock(Date.now() + HOUR_MS);
  const test = await openTestStore(clock);
  const { store } = test;
  const accountId = (await store.accounts.create('first')).id;
  const agentId = (await store.agents.create(accountId, DEFINITION, 'live')).id;
  const post = createPoster({ clock, timeoutMs: 10_000, userAgent: 'Nidaa/test', allowedHosts: ['127.0.0.1'] });
  const dispatchers: WebhookDispatcher[] = [];
  return {
    ...{ store, clock, accountId, agentId },
    dispatcher(deps: Partial<DispatcherDeps> = {}): WebhookDispatcher {
      const made = new WebhookDispatcher({ store, post, clock, logger: silentLogger, random: () => 0, ...deps });
      dispatchers.push(made);
      return made;
    },
    /** @returns its id and secret. */
    async hook(url: string, events: readonly WebhookEventType[], owner = accountId) {
      const made = await store.webhooks.create(owner, { url, events, description: '', enabled: true });
      if (made === 'full') throw new Error('full');
      return { id: made.webhook.id, secret: made.secret };
    },
    /** A call that has begun and was answered. */
    call: async (): Promise<string> => (await callOf(store, accountId, agentId)).call,
    /** What a webhook is told, the oldest first. */
    deliveries: async (id: string): Promise<readonly WebhookDelivery[]> =>
      (await store.webhookDeliveries.list(id, { limit: 1_000 })).toReversed(),
    close: async () => {
      let isClosed = false;
      const closed = Promise.all(dispatchers.map((one) => one.close())).then(() => {
        isClosed = true;
      });
      await until(() => {
        clock.advance(3_000); // what is still under way is broken off
        return isClosed;
      }, 'the end of all dispatchers');
      await closed;
      await test.close();
    },
  };
}
export type WebhookRig = Awaited<ReturnType<typeof webhookRig>>;
