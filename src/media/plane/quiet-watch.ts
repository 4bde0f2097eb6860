import { type LevelBand, meanSquare, powerOf } from '../../audio/level.ts';

const STIRS = 0; // of the media thread: frames beside the band
const FROM = 1; // of the main thread: the band, as mean squares
const TO = 2;
const CELLS = 3;
/** At or below this a frame is digital silence: suppressed by the sender, it is not what the line sounds like. */
const DIGITAL_SILENCE = powerOf(-85);

/** Wiped, it has no band: every frame stirs. */
export const allocateQuietWatch = (): SharedArrayBuffer => new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);

/**
 * Tells the main thread that something was heard which it should look at now, without a message: the media thread compares the level of
 * each frame with the band that the main thread last said is quiet. A band that is half written costs a look too many or too few, once.
 */
export class QuietWatch {
  readonly #cells: Int32Array;
  readonly #bounds: Float32Array;
  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
    this.#bounds = new Float32Array(memory);
  }

  /** Main. @param band - undefined: nothing is quiet. */
  set quiet(band: LevelBand | undefined) {
    this.#bounds[FROM] = band ? powerOf(band.fromDb) : 0;
    this.#bounds[TO] = band ? powerOf(band.toDb) : 0;
  }

  /** Main. Another number later says that something stirred in between. */
  get stirs(): number {
    return Atomics.load(this.#cells, STIRS);
  }

  /** Media thread, after the frame can be read. */
  heard(frame: Int16Array): void {
    const to = this.#bounds[TO] as number;
    if (to > 0 && this.#isQuiet(meanSquare(frame), to)) return;
    Atomics.add(this.#cells, STIRS, 1);
  }

  #isQuiet(power: number, to: number): boolean {
    return power < to && (power <= DIGITAL_SILENCE || power >= (this.#bounds[FROM] as number));
  }
}
