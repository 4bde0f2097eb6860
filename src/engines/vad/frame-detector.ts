import type { LevelBand } from '../../audio/level.ts';
import { FRAME_MS, FRAME_SAMPLES, type PcmFrame, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import type { VadChange, VadDetector, VadOptions } from './contract.ts';
import { FLOOR_MIN_DB, LevelTracker, SILENCE_DB } from './level-tracker.ts';
import { VadMachine } from './vad-state.ts';

/** A second opinion on frames that are loud enough. */
export interface VoiceConfirmer {
  /** @param samples - 160 samples at 8 kHz; called for every frame in order. */
  isVoice(samples: Int16Array): boolean;
  reset(): void;
  close(): void;
}

/** While speech goes on, a frame this much under the threshold still belongs to it. */
const KEEP_DB = 3;
/**
 * A frame so much under the threshold is no voice, also where quieter ones before it made the floor sink a little: by half of what
 * is allowed beneath the floor, for the floor is 1.5 dB over the quietest frame.
 */
const QUIET_UNDER_DB = 4;
const QUIET_BENEATH_DB = 3;
/** An onset is placed where the level first came this close to the threshold. */
const ONSET_DB = 3;

/**
 * Voice activity by level over an adaptive noise floor, and by `confirmer` where there is one. Frames of other lengths
 * than 20 ms are regrouped; a piece of up to 60 ms yields at most one change. Audio is 8 kHz; other rates are refused.
 */
export class FrameDetector implements VadDetector {
  readonly #machine: VadMachine;
  readonly #level = new LevelTracker();
  readonly #block = new Int16Array(FRAME_SAMPLES);
  #blockFill = 0;
  #position = 0; // samples of whole blocks seen
  #closed = false;
  readonly #quiet = { fromDb: 0, toDb: 0 };

  constructor(
    readonly options: VadOptions,
    readonly confirmer?: VoiceConfirmer,
  ) {
    this.#machine = new VadMachine(
      Math.max(1, Math.ceil(options.startMs / FRAME_MS)),
      Math.max(1, Math.ceil(options.hangoverMs / FRAME_MS)),
    );
  }

  get speaking(): boolean {
    return this.#machine.speaking;
  }
  get levelDb(): number {
    return this.#level.levelDb;
  }
  get floorDb(): number {
    return this.#level.floorDb;
  }
  /** None while somebody speaks, or may be about to. */
  get quietBand(): LevelBand | undefined {
    if (this.#machine.state !== 'quiet') return undefined;
    const { floorDb } = this.#level;
    this.#quiet.fromDb = floorDb > FLOOR_MIN_DB ? floorDb - QUIET_BENEATH_DB : SILENCE_DB;
    this.#quiet.toDb = floorDb + this.options.minLevelDb - QUIET_UNDER_DB;
    return this.#quiet;
  }

  push(frame: PcmFrame): VadChange | undefined {
    if (frame.sampleRateHz !== TELEPHONE_RATE_HZ)
      throw new RangeError(`voice activity works at ${TELEPHONE_RATE_HZ} Hz`);
    if (this.#closed) return undefined;
    const { samples } = frame;
    if (this.#blockFill === 0 && samples.length === FRAME_SAMPLES) return this.#pushBlock(samples);
    let change: VadChange | undefined;
    for (let offset = 0; offset < samples.length; ) {
      const take = Math.min(FRAME_SAMPLES - this.#blockFill, samples.length - offset);
      this.#block.set(samples.subarray(offset, offset + take), this.#blockFill);
      this.#blockFill += take;
      offset += take;
      if (this.#blockFill < FRAME_SAMPLES) continue;
      this.#blockFill = 0;
      change = this.#pushBlock(this.#block) ?? change;
    }
    return change;
  }

  reset(): void {
    this.#machine.reset();
    this.#level.reset();
    if (!this.#closed) this.confirmer?.reset();
    this.#blockFill = 0;
    this.#position = 0;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.confirmer?.close();
  }

  #pushBlock(block: Int16Array): VadChange | undefined {
    this.#position += FRAME_SAMPLES;
    const floorBeforeDb = this.#level.floorDb; // the frame itself must not lift what it is measured against
    this.#level.push(block);
    const thresholdDb = Math.min(floorBeforeDb, this.#level.floorDb) + this.options.minLevelDb;
    const loud = this.#level.levelDb >= (this.speaking ? thresholdDb - KEEP_DB : thresholdDb);
    const confirmed = this.confirmer?.isVoice(block) ?? true;
    const voiced = loud && confirmed;
    const onset = voiced ? this.#position - this.#level.samplesSinceOnset(thresholdDb - ONSET_DB) : this.#position;
    return this.#machine.step(voiced, Math.max(0, onset), this.#position);
  }
}
