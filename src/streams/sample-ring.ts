/** Samples in order, never more than `limit`: made once, and nothing is allocated after that. */
export class SampleRing {
  readonly #samples: Int16Array;
  #read = 0;
  #queued = 0;

  constructor(readonly limit: number) {
    if (!(limit >= 1)) throw new RangeError('a ring holds at least one sample');
    this.#samples = new Int16Array(limit);
  }

  get queued(): number {
    return this.#queued;
  }

  /** @returns samples taken: fewer than given when the ring is full. */
  write(samples: Int16Array): number {
    const count = Math.min(samples.length, this.limit - this.#queued);
    const at = (this.#read + this.#queued) % this.limit;
    const untilEnd = Math.min(count, this.limit - at);
    this.#samples.set(samples.subarray(0, untilEnd), at);
    this.#samples.set(samples.subarray(untilEnd, count), 0);
    this.#queued += count;
    return count;
  }

  /** Fills `into` from its start. @returns samples copied. */
  read(into: Int16Array): number {
    const count = Math.min(into.length, this.#queued);
    const untilEnd = Math.min(count, this.limit - this.#read);
    into.set(this.#samples.subarray(this.#read, this.#read + untilEnd));
    into.set(this.#samples.subarray(0, count - untilEnd), untilEnd);
    this.skip(count);
    return count;
  }

  /** Drops the oldest. @returns how many samples. */
  skip(count: number): number {
    const skipped = Math.max(0, Math.min(count, this.#queued));
    this.#read = (this.#read + skipped) % this.limit;
    this.#queued -= skipped;
    return skipped;
  }

  /** @returns samples dropped. */
  clear(): number {
    return this.skip(this.#queued);
  }
}
