import type { Language } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import type { MediaPort } from '../media/media-port.ts';
import type { CallTicker } from './call-ticker.ts';
import { type Synthesize, Utterance } from './speech-output.ts';
import type { SpokenTurn } from './turn-log.ts';

export interface WhisperDeps {
  readonly port: MediaPort; // the person's
  readonly synthesize: Synthesize;
  readonly clock: Clock;
  readonly ticker: CallTicker;
}

export interface WhisperHandlers {
  /** All of it was played. */
  said(): void;
  /** It cannot be spoken, or not to its end. */
  failed(error: unknown): void;
}

/** What the agent says to a person whom the caller does not hear yet. Used once. */
export class Whisper {
  readonly #utterance: Utterance;
  readonly #beganMs: number;
  #isOver = false;
  readonly #ticking = {
    tick: (): void => this.#utterance.pump(),
    broken: (error: unknown): void => this.#fail(error),
  };

  constructor(
    private readonly deps: WhisperDeps,
    private readonly handlers: WhisperHandlers,
  ) {
    const { port, synthesize, clock } = deps;
    this.#beganMs = clock.nowMs();
    this.#utterance = new Utterance(port, synthesize, clock, {
      firstAudio: () => undefined,
      firstPacket: () => undefined,
      done: () => this.#done(),
      failed: (error) => this.#fail(error),
    });
  }

  say(sentences: readonly string[], language: Language): void {
    this.deps.ticker.add(this.#ticking);
    for (const sentence of sentences) void this.#utterance.say(sentence, language);
    this.#utterance.finish();
  }

  /** Silent from now on. @returns what was heard of it, for the record; undefined where that is nothing. Idempotent. */
  stop(): SpokenTurn | undefined {
    this.#isOver = true;
    this.deps.ticker.remove(this.#ticking);
    const { heard, heardMs } = this.#utterance.cut();
    if (heard === '') return undefined;
    const { characters } = this.#utterance;
    const times = { endpointMs: this.#beganMs };
    return { text: heard, heardMs, times, characters, reply: false, aside: true, toPerson: true };
  }

  #done(): void {
    if (this.#isOver) return;
    this.deps.ticker.remove(this.#ticking);
    this.handlers.said();
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.deps.ticker.remove(this.#ticking);
    this.handlers.failed(error);
  }
}
