import { backchannelsOf, withBackchannels } from '../call/barge-in.ts';
import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { EngineSet } from '../engines/engine-set.ts';
import type { SpeechPipeline } from '../engines/speech-pipeline.ts';
import type { Store } from '../store/store.ts';
import { conversationSettings, openStt } from './conversation-parts.ts';
import { prepareAgents } from './prepare-agents.ts';
import { PRESYNTHESIS_AGENTS_MAX, Presynthesis } from './presynthesis.ts';
import { readyPhrases } from './ready-phrases.ts';

export interface ReadyAgentsParts {
  readonly config: Config;
  readonly store: Store;
  readonly engines: EngineSet;
  readonly speech: SpeechPipeline;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/**
 * Makes agents ready for their first callers: greetings, then what their recognisers listen for; what else they say again and again
 * half a minute later, and of those that are published from then on. Never rejects.
 */
export async function readyAgents(parts: ReadyAgentsParts, ending: AbortSignal): Promise<void> {
  const { config, store, engines, speech, clock, metrics, logger } = parts;
  const ahead = new Presynthesis({
    live: () => store.agents.live(PRESYNTHESIS_AGENTS_MAX),
    agentOf: ({ accountId, id }) => store.agents.get(accountId, id),
    phrasesOf: (agent) => readyPhrases(agent, engines.reply, engines.hears(agent) ? 'voice' : 'keypad'),
    speechOf: (agent) => speech.aheadOf(agent),
    ...{ clock, metrics, logger },
  });
  const { presynthesis } = config.speech;
  if (presynthesis) await ahead.greet(ending);
  await prepareAgents({
    ...{ numbers: store.numbers, reply: engines.reply, logger },
    openStt: (agent, hints) => {
      const all = withBackchannels(hints, backchannelsOf(agent, conversationSettings(config)));
      return openStt(engines, agent, all, ending);
    },
  });
  if (presynthesis) void ahead.run(ending);
}
