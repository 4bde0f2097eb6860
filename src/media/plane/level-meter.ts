import { meanSquare, powerOf, SILENCE_DBFS } from '../../audio/level.ts';
import type { CallLevels } from '../../core/call-levels.ts';

import { allocateCells, type SharedCells } from './shared-cells.ts';

/** Of one meter. */
export const METER_CELLS = 2;
/** Its words. */
const ARMED = 0; // frames that are still measured
const HEARD = 1; // mean squares: the loudest frame since the last reading
const SAID = 2;
/** Two seconds after the last reading nobody looks any more. */
const ARMED_FRAMES = 100;
const SILENCE = powerOf(SILENCE_DBFS);

export const allocateMeter = (): SharedCells => allocateCells([METER_CELLS])[0];

/**
 * Measures on the media thread while somebody reads, without a message: each reading asks for the next two seconds. While nobody
 * reads, a frame costs one look at shared memory.
 */
export class LevelMeter {
  readonly #words: Int32Array;
  readonly #at: number;
  constructor({ words, at }: SharedCells) {
    this.#words = words;
    this.#at = 2 * at;
  }

  /** Main. */
  read(): CallLevels {
    Atomics.store(this.#words, this.#at + ARMED, ARMED_FRAMES);
    return { heardDb: this.#take(HEARD), saidDb: this.#take(SAID) };
  }

  /** Media thread: one frame of the caller. */
  heard(frame: Int16Array): void {
    const left = Atomics.load(this.#words, this.#at + ARMED);
    if (left <= 0) return;
    Atomics.store(this.#words, this.#at + ARMED, left - 1);
    this.#keep(HEARD, frame);
  }

  /** Media thread: what is played in one packet. */
  said(samples: Int16Array): void {
    if (Atomics.load(this.#words, this.#at + ARMED) > 0) this.#keep(SAID, samples);
  }

  #keep(word: number, samples: Int16Array): void {
    const cell = this.#at + word;
    const power = Math.round(meanSquare(samples));
    if (power > Atomics.load(this.#words, cell)) Atomics.store(this.#words, cell, power);
  }

  #take(word: number): number {
    const power = Atomics.exchange(this.#words, this.#at + word, 0);
    return power <= SILENCE ? SILENCE_DBFS : Math.max(SILENCE_DBFS, 10 * Math.log10(power / powerOf(0)));
  }
}
