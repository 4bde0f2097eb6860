/** Whoever takes nothing for so long is given up. */
const STUCK_MS_MAX = 10_000;

/**
 * Tells a reader who is slow from one who is not there any more: what was sent and is not unsent has been taken. Frames cost some bytes
 * besides their contents, fewer than anybody takes who takes anything.
 */
export class ReaderWatch {
  #sentBytes = 0;
  #takenBytes = 0;
  #stuckSinceMs: number | undefined;

  /** @param unsentBytesMax - with more than that unsent there is nothing to wait for. */
  constructor(readonly unsentBytesMax: number) {}

  sent(frame: string | Buffer): void {
    this.#sentBytes += Buffer.byteLength(frame);
  }

  /** Whether the reader has to be given up; to be asked every second or so. */
  isStuck(unsentBytes: number, nowMs: number): boolean {
    const takenBytes = this.#sentBytes - unsentBytes;
    if (unsentBytes === 0 || takenBytes > this.#takenBytes) {
      this.#takenBytes = takenBytes;
      this.#stuckSinceMs = undefined;
    }
    if (unsentBytes > 0) this.#stuckSinceMs ??= nowMs;
    return unsentBytes > this.unsentBytesMax || nowMs - (this.#stuckSinceMs ?? nowMs) >= STUCK_MS_MAX;
  }
}
