import { FRAME_SAMPLES, type PcmFrame } from '../audio/pcm.ts';
import { SpeechLevels } from '../audio/speech-levels.ts';
import type { VadChange, VadDetector } from '../engines/vad/contract.ts';

/** What is softer than the voice that spoke last by so much does not go on with it, */
const BEHIND_DB = 15;
/** unless it stands out of everything else. On a quiet line the softest syllable does. */
const STANDS_OUT_DB = 14;
/** A line with less noise has nobody behind the caller. */
const QUIET_LINE_DB = -58;
/** So long it must be softer to be an end, and as loud again to be a beginning. */
const END_FRAMES = 15;
const START_FRAMES = 10;

/**
 * Voice activity of whoever speaks into the telephone. Where other people talk behind the caller, a detector of voices hears
 * one without an end: here speech ends when it falls back to what is behind it, and begins again above that.
 *
 *   as the detector --15 soft frames--> behind --10 loud frames, or the detector's end--> as the detector
 */
export class ForegroundVad implements VadDetector {
  readonly #levels = new SpeechLevels();
  #behind = false;
  #loudDb = Number.NEGATIVE_INFINITY; // of the voice that spoke last
  #run = 0; // frames that contradict the state
  #position = 0;
  #lastNear = 0;

  constructor(private readonly vad: VadDetector) {}

  get speaking(): boolean {
    return this.vad.speaking && !this.#behind;
  }
  get levelDb(): number {
    return this.vad.levelDb;
  }
  get floorDb(): number {
    return this.vad.floorDb;
  }

  /** @param frame - 20 ms. */
  push(frame: PcmFrame): VadChange | undefined {
    const change = this.vad.push(frame);
    this.#position += FRAME_SAMPLES;
    this.#levels.push(this.vad.levelDb);
    const wasBehind = this.#behind;
    if (!this.vad.speaking) {
      this.#forget();
      return wasBehind ? undefined : change;
    }
    if (!wasBehind) this.#loudDb = this.#levels.loudDb();
    const near = wasBehind ? this.#standsOut : this.#standsOut || this.vad.floorDb < QUIET_LINE_DB;
    if (near && !wasBehind) this.#lastNear = this.#position;
    this.#run = near === wasBehind ? this.#run + 1 : 0;
    if (this.#run < (wasBehind ? START_FRAMES : END_FRAMES)) return change;
    const atSample = wasBehind ? this.#position - START_FRAMES * FRAME_SAMPLES : this.#lastNear;
    this.#behind = !wasBehind;
    this.#run = 0;
    return { type: wasBehind ? 'start' : 'end', atSample };
  }

  reset(): void {
    this.vad.reset();
    this.#forget();
    this.#position = 0;
  }

  close(): void {
    this.vad.close();
  }

  get #standsOut(): boolean {
    return this.vad.levelDb >= Math.min(this.#loudDb - BEHIND_DB, this.vad.floorDb + STANDS_OUT_DB);
  }

  #forget(): void {
    this.#behind = false;
    this.#run = 0;
    this.#lastNear = this.#position;
  }
}
