import { FRAME_MS, FRAME_SAMPLES, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';

/** Beeps of answering machines; ringing and other tones of the network are lower, keys are two tones. */
const FROM_HZ = 550;
const TO_HZ = 2250;
/** Filters are as far apart as 20 ms can tell apart. */
const STEP_HZ = 50;
const MIN_LEVEL = 200; // RMS of 16-bit samples: -44 dBFS
/** Share of a frame's energy that the two filters beside the tone have; of a tone between two of them it is 0.81. */
const MIN_SHARE = 0.72;
/** A beep is that long; a vowel is not as pure for as long. */
const BEEP_MS_MIN = 120;
/** A frame without it may be a fault of the line. */
const GAP_FRAMES_MAX = 1;

export type BeepState = 'none' | 'sounding' | 'over';

/**
 * Finds a beep: one steady tone, by Goertzel filters over frames of 20 ms at 8 kHz. Pure; memory is fixed.
 */
export class BeepDetector {
  readonly #coefficients: readonly number[];
  #hz = 0; // of the tone that may be one, as it began: a siren does not keep it
  #frames = 0;
  #gap = 0;
  #state: BeepState = 'none';

  constructor() {
    const count = (TO_HZ - FROM_HZ) / STEP_HZ + 1;
    const hzOf = (filter: number): number => FROM_HZ + filter * STEP_HZ;
    this.#coefficients = Array.from(
      { length: count },
      (_, i) => 2 * Math.cos((2 * Math.PI * hzOf(i)) / TELEPHONE_RATE_HZ),
    );
  }

  /** Of the whole stream: a beep that is over stays over. */
  get state(): BeepState {
    return this.#state;
  }

  /** @param frame - 160 samples. @returns whether it is part of a tone, be that a beep or not. */
  push(frame: Int16Array): boolean {
    const hz = this.#toneOf(frame);
    const goesOn = hz !== undefined && this.#frames > 0 && Math.abs(hz - this.#hz) <= STEP_HZ;
    if (goesOn) {
      this.#frames += 1;
      this.#gap = 0;
    } else if (this.#frames > 0 && this.#gap < GAP_FRAMES_MAX && hz === undefined) {
      this.#gap += 1;
    } else {
      if (this.#state === 'sounding') this.#state = 'over';
      this.#frames = hz === undefined ? 0 : 1;
      this.#hz = hz ?? 0;
      this.#gap = 0;
    }
    if (this.#frames * FRAME_MS >= BEEP_MS_MIN) this.#state = 'sounding';
    return hz !== undefined;
  }

  /** @returns the frequency of the one tone that a frame is, to 50 Hz. */
  #toneOf(frame: Int16Array): number | undefined {
    let energy = 0;
    for (let i = 0; i < frame.length; i += 1) energy += (frame[i] as number) ** 2;
    if (frame.length !== FRAME_SAMPLES || energy < MIN_LEVEL ** 2 * FRAME_SAMPLES) return undefined;
    let [best, bestPair, before] = [0, 0, 0];
    for (let filter = 0; filter < this.#coefficients.length; filter += 1) {
      const power = goertzel(frame, this.#coefficients[filter] as number);
      if (power + before > bestPair) {
        bestPair = power + before;
        best = power >= before ? filter : filter - 1;
      }
      before = power;
    }
    // A sine of power P in N samples gives a filter on it P * N^2 / 2 where its energy is P * N.
    const share = (bestPair * 2) / (energy * FRAME_SAMPLES);
    return share >= MIN_SHARE ? FROM_HZ + best * STEP_HZ : undefined;
  }
}

/** Power of one frequency in a frame (Goertzel). */
function goertzel(frame: Int16Array, coefficient: number): number {
  let [s1, s2] = [0, 0];
  for (let i = 0; i < frame.length; i += 1) {
    const s0 = (frame[i] as number) + coefficient * s1 - s2;
    s2 = s1;
    s1 = s0;
  }
  return s1 * s1 + s2 * s2 - coefficient * s1 * s2;
}
