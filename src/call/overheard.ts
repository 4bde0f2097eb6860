import type { Clock } from '../core/clock.ts';
import type { SttHints } from '../engines/stt/contract.ts';
import type { CallerAudio } from '../media/media-port.ts';
import type { CallTicker } from './call-ticker.ts';
import type { HearingParts } from './ears.ts';
import { OneSide, type Said } from './one-side.ts';

/** People talk of anything. */
const HINTS: SttHints = { phrases: [], expect: ['free'] };

/** One thing that one of two people said to the other. */
export interface Overheard extends Said {
  readonly role: 'caller' | 'person';
}

export interface OverhearingDeps {
  readonly clock: Clock;
  readonly ticker: CallTicker;
  readonly hearing: () => HearingParts; // for each side its own
  readonly heard: (said: Overheard) => void;
}

/**
 * Writes down what two people say who were joined. It reads both: nobody else may meanwhile. What was said in the last
 * moment before it is closed is not waited for.
 */
export class Overhearing {
  readonly #sides: readonly OneSide[];
  readonly #ticking = {
    tick: (): void => {
      for (const side of this.#sides) side.tick();
    },
    broken: (): void => this.close(), // they go on talking
  };

  constructor(
    private readonly deps: OverhearingDeps,
    caller: CallerAudio,
    person: CallerAudio,
  ) {
    const { clock, hearing, heard, ticker } = deps;
    const side = (role: Overheard['role'], port: CallerAudio): OneSide =>
      new OneSide(port, clock, hearing(), HINTS, (said) => heard({ role, ...said }));
    this.#sides = [side('caller', caller), side('person', person)];
    ticker.add(this.#ticking);
  }

  /** Idempotent. */
  close(): void {
    this.deps.ticker.remove(this.#ticking);
    for (const side of this.#sides) side.close();
  }
}
