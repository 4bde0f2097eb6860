/** What may be wished for at any time is done at once, and then no more often than every so long. */
export class Pace {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWished = false;

  constructor(
    private readonly everyMs: number,
    private readonly act: () => void,
  ) {}

  wish(): void {
    if (this.#timer !== undefined) {
      this.#isWished = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isWished) this.wish();
    }, this.everyMs);
    this.#isWished = false;
    this.act();
  }

  /** Nothing is done any more of what was wished for. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWished = false;
  }
}
