import { type LevelBand, meanSquare, powerOf } from '../../audio/level.ts';

import { allocateCells, type SharedCells } from './shared-cells.ts';

/** Of one watch: the word of the media thread that counts frames beside the band, and two numbers of the main thread. */
export const WATCH_CELLS = 3;
const FROM = 1; // the band, as mean squares
const TO = 2;
/** At or below this a frame is digital silence: suppressed by the sender, it is not what the line sounds like. */
const DIGITAL_SILENCE = powerOf(-85);

/** Wiped, it has no band: every frame stirs. */
export const allocateQuietWatch = (): SharedCells => allocateCells([WATCH_CELLS])[0];

/**
 * Tells the main thread that something was heard which it should look at now, without a message: the media thread compares the level of
 * each frame with the band that the main thread last said is quiet. A band that is half written costs a look too many or too few, once.
 */
export class QuietWatch {
  readonly #words: Int32Array;
  readonly #numbers: Float64Array;
  readonly #at: number;
  readonly #stirs: number;
  constructor({ words, numbers, at }: SharedCells) {
    this.#words = words;
    this.#numbers = numbers;
    this.#at = at;
    this.#stirs = 2 * at;
  }

  /** Main. @param band - undefined: nothing is quiet. */
  set quiet(band: LevelBand | undefined) {
    this.#numbers[this.#at + FROM] = band ? powerOf(band.fromDb) : 0;
    this.#numbers[this.#at + TO] = band ? powerOf(band.toDb) : 0;
  }

  /** Main. Another number later says that something stirred in between. */
  get stirs(): number {
    return Atomics.load(this.#words, this.#stirs);
  }

  /** Media thread, after the frame can be read. */
  heard(frame: Int16Array): void {
    const to = this.#numbers[this.#at + TO] as number;
    if (to > 0 && this.#isQuiet(meanSquare(frame), to)) return;
    Atomics.add(this.#words, this.#stirs, 1);
  }

  #isQuiet(power: number, to: number): boolean {
    return power < to && (power <= DIGITAL_SILENCE || power >= (this.#numbers[this.#at + FROM] as number));
  }
}
