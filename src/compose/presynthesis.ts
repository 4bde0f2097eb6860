import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Agent } from '../core/agent.ts';
import { type Clock, delay } from '../core/clock.ts';
import { errorText, ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { AgentSpeech } from '../engines/speech-pipeline.ts';
import type { ReadyPhrase } from './ready-phrases.ts';

/** An agent in force, as far as it takes to see that it is another one by now. */
export interface LiveAgent {
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
}

export interface PresynthesisParts {
  /** Those that take calls; the same list where nothing was published. */
  readonly live: () => Promise<readonly LiveAgent[]>;
  readonly agentOf: (agent: LiveAgent) => Promise<Agent | undefined>;
  readonly phrasesOf: (agent: Agent) => readonly ReadyPhrase[];
  /** Speech that nobody waits for: it is given up where somebody needs the voice. */
  readonly speechOf: (agent: Agent) => AgentSpeech;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'speechAhead'>;
  readonly logger: Logger;
}

/** What was published is looked for so often: also what another process has published. The start itself is over by the first time. */
const LOOK_EVERY_MS = 30_000;
/** A voice that is in use is asked for again. */
const AGAIN_AFTER_MS = 1_000;
const TRIES_MAX = 30;
/** A phrase that no voice says is left after so many looks, until its agent is published anew. */
const LOOKS_MAX = 3;
/** Each has some 400 KB of its own in a memory of 256 MB, the last changed first; more would push each other out. */
export const PRESYNTHESIS_AGENTS_MAX = 300;

/**
 * Has what every agent says again and again spoken before anybody calls: one phrase after the other, greetings first, only while
 * nobody uses the voice, once for each text and voice. Ends with `signal`.
 */
export class Presynthesis {
  /** Agent and version -> looks that did not end well; `Infinity` where nothing is left to do. */
  readonly #looked = new Map<string, number>();

  constructor(private readonly parts: PresynthesisParts) {}

  /** Looks again and again, half a minute from now on. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(this.parts.clock, LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      await this.#unlessItFails(() => this.look(signal));
    }
  }

  /** What the very first callers hear; a voice that is in use is left at once. Never rejects. */
  greet(signal: AbortSignal): Promise<void> {
    return this.#unlessItFails(async () => {
      for (const one of await this.#live()) {
        const agent = signal.aborted ? undefined : await this.parts.agentOf(one);
        if (agent) await this.#speak(agent, 'greeting', signal, 1);
      }
    });
  }

  /** Once through the agents that were not seen yet. @throws what reading agents throws. */
  async look(signal: AbortSignal): Promise<void> {
    const live = await this.#live();
    const keys = new Set(live.map(keyOf));
    for (const key of this.#looked.keys()) if (!keys.has(key)) this.#looked.delete(key);
    const fresh = live.filter((agent) => (this.#looked.get(keyOf(agent)) ?? 0) < LOOKS_MAX);
    const failed = new Set<LiveAgent>();
    for (const part of ['greeting', 'rest'] as const) {
      for (const one of fresh) {
        if (signal.aborted) return;
        const agent = failed.has(one) ? undefined : await this.parts.agentOf(one);
        if (agent && !(await this.#speak(agent, part, signal))) failed.add(one);
      }
    }
    for (const one of fresh)
      this.#looked.set(keyOf(one), failed.has(one) ? (this.#looked.get(keyOf(one)) ?? 0) + 1 : Infinity);
  }

  async #live(): Promise<readonly LiveAgent[]> {
    return (await this.parts.live()).slice(0, PRESYNTHESIS_AGENTS_MAX);
  }

  async #unlessItFails(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.logger.warn(
        { error: errorText(error) },
        'agents were not spoken ahead: first callers wait a little longer',
      );
    }
  }

  /** @returns whether all was said. */
  async #speak(agent: Agent, part: 'greeting' | 'rest', signal: AbortSignal, triesMax = TRIES_MAX): Promise<boolean> {
    const { phrasesOf, speechOf, metrics } = this.parts;
    const phrases = phrasesOf(agent);
    const speech = speechOf(agent);
    for (const phrase of part === 'greeting' ? phrases.slice(0, 1) : phrases.slice(1)) {
      const outcome = await this.#say(speech, phrase, signal, triesMax);
      if (signal.aborted) return false;
      metrics.speechAhead.inc({ outcome });
      if (outcome !== 'ready') return false;
    }
    return true;
  }

  async #say(
    speech: AgentSpeech,
    { text, language }: ReadyPhrase,
    signal: AbortSignal,
    triesMax: number,
  ): Promise<'ready' | 'busy' | 'failed'> {
    const { clock, logger } = this.parts;
    for (let tries = 0; tries < triesMax && !signal.aborted; tries += 1) {
      if (tries > 0) await delay(clock, AGAIN_AFTER_MS, signal);
      try {
        for await (const chunk of speech(text, language, signal)) if (chunk.length > 0) await nextTurn();
        return 'ready';
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === 'unavailable')) {
          logger.warn({ error: errorText(error) }, 'a phrase was not spoken ahead');
          return 'failed';
        }
      }
    }
    return 'busy';
  }
}

const keyOf = ({ id, version }: LiveAgent): string => `${id} ${version}`;
