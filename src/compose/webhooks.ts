import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Store } from '../store/store.ts';
import { POST_MS_MAX, WebhookDispatcher } from '../webhooks/dispatcher.ts';
import { createPoster } from '../webhooks/post.ts';

export interface WebhookParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
}

/** Programs of accounts are told from now on. */
export function startWebhooks({ config, store, clock, logger, version }: WebhookParts): WebhookDispatcher {
  const { allowedHosts } = config.webhooks;
  const post = createPoster({ allowedHosts, clock, timeoutMs: POST_MS_MAX, userAgent: `Nidaa/${version} (webhooks)` });
  const dispatcher = new WebhookDispatcher({ store, post, clock, logger, random: Math.random });
  dispatcher.start();
  return dispatcher;
}
