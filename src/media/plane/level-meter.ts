import { meanSquare, powerOf, SILENCE_DBFS } from '../../audio/level.ts';
import type { CallLevels } from '../../core/call-levels.ts';

const ARMED = 0; // frames that are still measured
const HEARD = 1; // mean squares: the loudest frame since the last reading
const SAID = 2;
const CELLS = 3;
/** Two seconds after the last reading nobody looks any more. */
const ARMED_FRAMES = 100;
const SILENCE = powerOf(SILENCE_DBFS);

export const allocateMeter = (): SharedArrayBuffer => new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);

/**
 * Measures on the media thread while somebody reads, without a message: each reading asks for the next two seconds. While nobody
 * reads, a frame costs one look at shared memory.
 */
export class LevelMeter {
  readonly #cells: Int32Array;
  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
  }

  /** Main. */
  read(): CallLevels {
    Atomics.store(this.#cells, ARMED, ARMED_FRAMES);
    return { heardDb: this.#take(HEARD), saidDb: this.#take(SAID) };
  }

  /** Media thread: one frame of the caller. */
  heard(frame: Int16Array): void {
    const left = Atomics.load(this.#cells, ARMED);
    if (left <= 0) return;
    Atomics.store(this.#cells, ARMED, left - 1);
    this.#keep(HEARD, frame);
  }

  /** Media thread: what is played in one packet. */
  said(samples: Int16Array): void {
    if (Atomics.load(this.#cells, ARMED) > 0) this.#keep(SAID, samples);
  }

  #keep(cell: number, samples: Int16Array): void {
    const power = Math.round(meanSquare(samples));
    if (power > Atomics.load(this.#cells, cell)) Atomics.store(this.#cells, cell, power);
  }

  #take(cell: number): number {
    const power = Atomics.exchange(this.#cells, cell, 0);
    return power <= SILENCE ? SILENCE_DBFS : Math.max(SILENCE_DBFS, 10 * Math.log10(power / powerOf(0)));
  }
}
