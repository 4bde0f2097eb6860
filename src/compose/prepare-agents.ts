import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { ReplyEngine } from '../engines/reply/contract.ts';
import type { Store } from '../store/store.ts';

/** More than these are prepared by their first caller, which takes a tenth of a second. */
const PREPARED_MAX = 32;

/**
 * Lets the reply engine prepare every agent that can be dialled, one after the other, so that nobody's first sentence waits
 * for it. Sends nothing anywhere: greeting and expectation are made in the process. Never rejects.
 */
export async function prepareAgents(
  { numbers }: Pick<Store, 'numbers'>,
  reply: Pick<ReplyEngine, 'greeting' | 'expects'>,
  logger: Logger,
): Promise<void> {
  try {
    for (const { number } of (await numbers.list()).slice(0, PREPARED_MAX)) {
      const agent = await numbers.resolve(number);
      await nextTurn();
      if (!agent) continue;
      reply.greeting(agent, {}, 'voice');
      reply.expects(agent, [], {});
    }
  } catch (error) {
    logger.warn({ error: errorText(error) }, 'agents were not prepared: their first callers wait a little longer');
  }
}
