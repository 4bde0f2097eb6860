import type { Clock } from '../core/clock.ts';
import type { SttHints, SttStream } from '../engines/stt/contract.ts';
import type { VadDetector } from '../engines/vad/contract.ts';
import type { MediaPort } from '../media/media-port.ts';
import type { CallTicker } from './call-ticker.ts';
import { SpeechInput } from './speech-input.ts';

/** Silence after which what was said is one turn of the record. */
const TURN_PAUSE_MS = 700;
/** People talk of anything. */
const HINTS: SttHints = { phrases: [], expect: ['free'] };

/** One thing that one of two people said to the other. Times are those of the clock. */
export interface Overheard {
  readonly role: 'caller' | 'person';
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** What hearing one side takes. */
export interface HearingParts {
  readonly vad: VadDetector;
  readonly openStt: (hints: SttHints, signal: AbortSignal) => SttStream | undefined;
}

export interface OverhearingDeps {
  readonly clock: Clock;
  readonly ticker: CallTicker;
  readonly hearing: () => HearingParts; // for each side its own
  readonly heard: (said: Overheard) => void;
}

type Stretch = Pick<Overheard, 'startMs' | 'endMs'>;

/** One side of a talk that the agent has no part in. */
class Side {
  readonly #input: SpeechInput;
  #startMs: number | undefined;
  #endMs: number | undefined;
  /** Whose words are still to come, in order; no more than the recogniser owes. */
  readonly #settled: Stretch[] = [];

  constructor(
    role: Overheard['role'],
    port: MediaPort,
    private readonly clock: Clock,
    { vad, openStt }: HearingParts,
    heard: (said: Overheard) => void,
  ) {
    this.#input = new SpeechInput(port, vad, clock, (signal) => openStt(HINTS, signal), {
      speechStart: (atMs) => {
        this.#startMs ??= atMs;
        this.#endMs = undefined;
      },
      speechEnd: (atMs) => {
        this.#endMs = atMs;
      },
      resumed: () => undefined,
      interim: () => undefined,
      early: () => false,
      final: (text) => {
        const stretch = this.#settled.shift();
        if (stretch && text.trim() !== '') heard({ role, text, ...stretch });
      },
      recogniserFailed: () => {
        this.#settled.length = 0; // they go on unheard
      },
    });
  }

  tick(): void {
    this.#input.tick();
    const [startMs, endMs] = [this.#startMs, this.#endMs];
    if (startMs === undefined || endMs === undefined || this.clock.nowMs() - endMs < TURN_PAUSE_MS) return;
    this.#startMs = undefined;
    this.#endMs = undefined;
    if (this.#input.settle()) this.#settled.push({ startMs, endMs });
  }

  close(): void {
    this.#input.close();
  }
}

/**
 * Writes down what two people say who were joined. It reads both ports: nobody else may meanwhile. What was said in the last
 * moment before it is closed is not waited for.
 */
export class Overhearing {
  readonly #sides: readonly Side[];
  readonly #ticking = {
    tick: (): void => {
      for (const side of this.#sides) side.tick();
    },
    broken: (): void => this.close(), // they go on talking
  };

  constructor(
    private readonly deps: OverhearingDeps,
    caller: MediaPort,
    person: MediaPort,
  ) {
    const { clock, hearing, heard, ticker } = deps;
    this.#sides = [
      new Side('caller', caller, clock, hearing(), heard),
      new Side('person', person, clock, hearing(), heard),
    ];
    ticker.add(this.#ticking);
  }

  /** Idempotent. */
  close(): void {
    this.deps.ticker.remove(this.#ticking);
    for (const side of this.#sides) side.close();
  }
}
