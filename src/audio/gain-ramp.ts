/** Loudness that changes over 60 ms, which nobody hears as a click. One stream of samples. */
export class GainRamp {
  readonly #step: number;
  #gain = 1;

  constructor(sampleRateHz: number) {
    this.#step = 1 / (0.06 * sampleRateHz);
  }

  /** Changes the first `count` samples in place, on the way to `gainDb` (0: as they are; at most 0). */
  apply(samples: Int16Array, count: number, gainDb: number): void {
    const target = gainDb < 0 ? 10 ** (gainDb / 20) : 1;
    if (count === 0) this.#gain = target; // Nothing sounds: the next sound is as loud as it should be.
    if (this.#gain === 1 && target === 1) return;
    for (let i = 0; i < count; i += 1) {
      if (this.#gain < target) this.#gain = Math.min(target, this.#gain + this.#step);
      else if (this.#gain > target) this.#gain = Math.max(target, this.#gain - this.#step);
      samples[i] = Math.round((samples[i] as number) * this.#gain);
    }
  }
}
