import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Agent } from '../core/agent.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { ReplyEngine } from '../engines/reply/contract.ts';
import type { SttHints, SttStream } from '../engines/stt/contract.ts';
import type { Store } from '../store/store.ts';

/** More than these are prepared by their first caller, which takes a tenth of a second. */
const PREPARED_MAX = 32;

export interface AgentPreparation {
  readonly numbers: Pick<Store['numbers'], 'list' | 'resolve'>;
  readonly reply: Pick<ReplyEngine, 'expects'>;
  /** Recognition for a call of this agent; undefined where there is none in its language. */
  openStt(agent: Agent, hints: SttHints): SttStream | undefined;
  readonly logger: Logger;
}

/** Has every agent that can be dialled compiled in steps, one after the other. Never rejects. */
export async function compileAgents({
  numbers,
  compile,
  logger,
}: Pick<AgentPreparation, 'numbers' | 'logger'> & { compile(agent: Agent): Promise<void> }): Promise<void> {
  try {
    for (const { number } of (await numbers.list()).slice(0, PREPARED_MAX)) {
      const agent = await numbers.resolve(number);
      if (agent) await compile(agent);
    }
  } catch (error) {
    logger.warn({ error: errorText(error) }, 'agents were not compiled: their first callers wait a little longer');
  }
}

/**
 * Has every agent that can be dialled compiled, if it is not, and what it expects to hear made known to the recogniser, once for all
 * and one after the other, so that no caller waits for it. Sends nothing anywhere: the expectation is made in the process, and the
 * recogniser gets no audio. Never rejects.
 */
export async function prepareAgents(preparation: AgentPreparation): Promise<void> {
  const { numbers, reply, openStt, logger } = preparation;
  let prepared = 0;
  try {
    for (const { number } of (await numbers.list()).slice(0, PREPARED_MAX)) {
      const agent = await numbers.resolve(number);
      await nextTurn();
      if (!agent) continue;
      const { hints } = reply.expects(agent, [], {});
      await listen(openStt(agent, hints));
      prepared += 1;
    }
    logger.info({ agents: prepared }, 'agents are prepared');
  } catch (error) {
    logger.warn({ error: errorText(error) }, 'agents were not prepared: their first callers wait a little longer');
  }
}

/** Opened and ended: models are loaded and the grammar is made, which takes seconds on a machine that does much else. */
async function listen(stream: SttStream | undefined): Promise<void> {
  stream?.end();
  for await (const event of stream ?? []) void event;
}
