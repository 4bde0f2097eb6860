import type { Clock, Timer } from '../../core/clock.ts';

/** Decoders that nobody has now. One that nobody took for `unusedMs` is closed, however busy the others are. */
export class SpareDecoders<Decoder extends { close(): void }> {
  /** The least recently used first. */
  readonly #spare: { readonly decoder: Decoder; readonly sinceMs: number }[] = [];
  #timer: Timer | undefined;

  /** @param onClosed - another one may be made. */
  constructor(
    readonly clock: Clock,
    readonly unusedMs: number,
    readonly onClosed: () => void,
  ) {}

  keep(decoder: Decoder): void {
    this.#spare.push({ decoder, sinceMs: this.clock.nowMs() });
    this.#watch();
  }

  /** The one of those that `suit` that was used last, so that what is too much stays unused; else the one that was used first. */
  take(suits: (decoder: Decoder) => boolean = () => true): Decoder | undefined {
    const at = this.#spare.findLastIndex(({ decoder }) => suits(decoder));
    return this.#spare.splice(Math.max(at, 0), 1)[0]?.decoder;
  }

  closeAll(): void {
    this.clock.clearTimer(this.#timer);
    this.#timer = undefined;
    for (const { decoder } of this.#spare.splice(0)) this.#close(decoder);
  }

  #watch(): void {
    const oldest = this.#spare[0];
    if (this.#timer || !oldest) return;
    const dueMs = oldest.sinceMs + this.unusedMs - this.clock.nowMs();
    this.#timer = this.clock.setTimer(Math.max(0, dueMs), () => {
      this.#timer = undefined;
      const untilMs = this.clock.nowMs() - this.unusedMs;
      const used = this.#spare.findIndex(({ sinceMs }) => sinceMs > untilMs);
      const unused = this.#spare.splice(0, used < 0 ? this.#spare.length : used);
      for (const { decoder } of unused) this.#close(decoder);
      this.#watch();
    });
  }

  #close(decoder: Decoder): void {
    decoder.close();
    this.onClosed();
  }
}
