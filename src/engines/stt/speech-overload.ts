/**
 * Whether there is more speech than can be answered in time: from more than `stretchesMax` stretches at once until there are
 * no more than half as many, so that what is given up then is not made anew at every other stretch.
 */
export class SpeechOverload {
  #over = false;
  constructor(readonly stretchesMax: number) {}

  /** @param stretches - there are now. */
  look(stretches: number): boolean {
    this.#over = stretches > (this.#over ? this.stretchesMax / 2 : this.stretchesMax);
    return this.#over;
  }
}
