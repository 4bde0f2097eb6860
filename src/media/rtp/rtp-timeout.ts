import type { Direction } from '../description.ts';

/** Notices that the caller's media has stopped. On hold (any direction but `sendrecv`) silence is expected. */
export class RtpTimeout {
  #lastHeardMs: number | undefined; // undefined: not watching
  #fired = false;
  constructor(readonly timeoutMs: number) {}

  configure(direction: Direction, nowMs: number): void {
    if (direction !== 'sendrecv') this.#lastHeardMs = undefined;
    else this.#lastHeardMs ??= nowMs;
  }

  heard(nowMs: number): void {
    if (this.#lastHeardMs === undefined) return;
    this.#lastHeardMs = nowMs;
    this.#fired = false;
  }

  /** @returns true once per silence. */
  expired(nowMs: number): boolean {
    if (this.#fired || this.#lastHeardMs === undefined || nowMs - this.#lastHeardMs < this.timeoutMs) return false;
    this.#fired = true;
    return true;
  }
}
