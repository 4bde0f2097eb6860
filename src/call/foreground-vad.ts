import type { LevelBand } from '../audio/level.ts';
import { FRAME_SAMPLES, type PcmFrame } from '../audio/pcm.ts';
import { SpeechLevels } from '../audio/speech-levels.ts';
import type { VadChange, VadDetector } from '../engines/vad/contract.ts';

/**
 * When speech is over though a detector still hears a voice: `softFrames` of the last `frames`, and all of the last `sinceFrames`, are
 * softer than the voice that spoke last by `behindDb` and stand out of the noise by less than `standsOutDb`, as the softest
 * syllable does on a quiet line.
 */
const ENDS = [
  { softFrames: 15, frames: 15, sinceFrames: 15, behindDb: 15, standsOutDb: 14 },
  // One person who talks behind the caller leaves gaps in which the line is quiet, and several have loud moments. A voice so soft for
  // so long is a pause at least (in none of 60 sentences on a quiet line it was more): how long that lasts is still to be seen.
  { softFrames: 25, frames: 29, sinceFrames: 10, behindDb: 15, standsOutDb: Number.POSITIVE_INFINITY },
  { softFrames: 43, frames: 50, sinceFrames: 10, behindDb: 12, standsOutDb: Number.POSITIVE_INFINITY },
] as const;
const FRAMES_MAX = 50;
/** A line with less noise has nobody behind the caller, or one person at most. */
const QUIET_LINE_DB = -58;
/** Of its level per frame, so that whoever goes on behind it is not taken for it: 2 dB a second. */
const FORGET_DB = 0.04;
/** It begins again with a voice as loud as before, but for so much, in so many of the last frames: a word has gaps, too. */
const AGAIN = { loudFrames: 10, frames: 14, behindDb: 12 } as const;

/**
 * Voice activity of whoever speaks into the telephone. Where other people talk behind the caller, a detector of voices hears
 * one without an end: here speech ends when it falls back to what is behind it, and begins again above that.
 *
 *   as the detector --soft for 0.3 to 0.9 s--> behind --10 loud frames, or the detector's end--> as the detector
 */
export class ForegroundVad implements VadDetector {
  readonly #levels = new SpeechLevels();
  #behind = false;
  #loudDb = Number.NEGATIVE_INFINITY; // of the voice that spoke last
  readonly #lastDb: number[] = []; // levels of the last frames since it began, or ended
  #position = 0;

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
  get heldFrames(): number {
    return this.vad.heldFrames ?? 0;
  }
  get quietBand(): LevelBand | undefined {
    return this.vad.quietBand;
  }

  /** @param frame - 20 ms. */
  push(frame: PcmFrame): VadChange | undefined {
    const change = this.vad.push(frame);
    this.#position += FRAME_SAMPLES;
    this.#levels.push(this.vad.levelDb);
    const wasBehind = this.#behind;
    if (!this.vad.speaking) {
      this.#forget();
      this.#loudDb = Number.NEGATIVE_INFINITY;
      return wasBehind ? undefined : change;
    }
    if (!wasBehind) this.#loudDb = Math.max(this.#levels.loudDb(), this.#loudDb - FORGET_DB);
    this.#lastDb.push(this.vad.levelDb);
    if (this.#lastDb.length > FRAMES_MAX) this.#lastDb.shift();
    const frames = wasBehind ? this.#louderFrames() : this.#softerFrames();
    if (frames === 0) return change;
    this.#forget();
    this.#behind = !wasBehind;
    return { type: wasBehind ? 'start' : 'end', atSample: this.#position - frames * FRAME_SAMPLES };
  }

  reset(): void {
    this.vad.reset();
    this.#forget();
    this.#position = 0;
  }

  close(): void {
    this.vad.close();
  }

  /** Since when it is over, in frames; 0 where it is not. */
  #softerFrames(): number {
    const { floorDb } = this.vad;
    for (const { softFrames, frames, sinceFrames, behindDb, standsOutDb } of ENDS) {
      if (floorDb < QUIET_LINE_DB && standsOutDb < Number.POSITIVE_INFINITY) continue;
      const softDb = Math.min(this.#loudDb - behindDb, floorDb + standsOutDb);
      const soft = this.#lastDb.slice(-frames).map((levelDb) => levelDb < softDb);
      // Of late without exception: a louder voice that begins is no end of the one before it.
      const isOver = soft.filter(Boolean).length >= softFrames && soft.slice(-sinceFrames).every(Boolean);
      if (isOver) return sinceFrames;
    }
    return 0;
  }

  /** Since when it has begun again. */
  #louderFrames(): number {
    const loud = this.#lastDb.slice(-AGAIN.frames).map((levelDb) => levelDb >= this.#loudDb - AGAIN.behindDb);
    return loud.filter(Boolean).length >= AGAIN.loudFrames ? loud.length - loud.indexOf(true) : 0;
  }

  #forget(): void {
    this.#behind = false;
    this.#lastDb.length = 0;
  }
}
