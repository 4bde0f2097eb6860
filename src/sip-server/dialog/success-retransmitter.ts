import type { Clock, Timer } from '../../core/clock.ts';
import type { TimerBase } from '../transaction/timers.ts';

/**
 * Repeats a 2xx to an INVITE until its ACK: T1 doubling to T2, on every transport, for 64*T1 (RFC 3261 §13.3.1.4).
 * With the default timers: at 0.5, 1.5, 3.5, 7.5, 11.5 ... 31.5 s, then `onTimeout` at 32 s.
 */
export class SuccessRetransmitter {
  #repeatTimer: Timer | undefined;
  #endTimer: Timer | undefined;
  #intervalMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly base: TimerBase,
    private readonly repeat: () => void,
    onTimeout: () => void,
  ) {
    this.#intervalMs = base.t1Ms;
    this.#endTimer = clock.setTimer(64 * base.t1Ms, () => {
      this.stop();
      onTimeout();
    });
    this.#arm();
  }

  /** The ACK came, or nobody waits for it any more. */
  stop(): void {
    this.clock.clearTimer(this.#repeatTimer);
    this.clock.clearTimer(this.#endTimer);
    this.#repeatTimer = undefined;
    this.#endTimer = undefined;
  }

  #arm(): void {
    this.#repeatTimer = this.clock.setTimer(this.#intervalMs, () => {
      this.#intervalMs = Math.min(this.#intervalMs * 2, this.base.t2Ms);
      this.#arm();
      this.repeat();
    });
  }
}
