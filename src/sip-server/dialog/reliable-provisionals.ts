import { randomInt } from 'node:crypto';
import type { Clock, Timer } from '../../core/clock.ts';
import type { TimerBase } from '../transaction/timers.ts';

export interface ReliableProvisional {
  readonly rseq: number;
  /** It carried an offer or answer: the final 2xx waits for its PRACK (RFC 3262 §5). */
  readonly hasDescription: boolean;
  send(): void;
}

/** An application that answers faster than its peer acknowledges is stopped here. */
const WAITING_MAX = 8;
/** RFC 3262 §3: the first RSeq is chosen from 1 to 2^31-1. */
const RSEQ_FIRST_MAX = 2 ** 31 - 1;

/**
 * The reliable provisional answers of one INVITE on the UAS side (RFC 3262 §3): one unacknowledged at a time, repeated
 * at T1 doubling without a cap, given up after 64*T1.
 */
export class ReliableProvisionals {
  readonly #waiting: ReliableProvisional[] = [];
  #current: ReliableProvisional | undefined;
  #nextRseq: number;
  #repeatTimer: Timer | undefined;
  #endTimer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly base: TimerBase,
    private readonly onTimeout: () => void,
    /** One was acknowledged: what waited for it may go on. */
    private readonly onAcknowledged: () => void,
    firstRseq = randomInt(1, RSEQ_FIRST_MAX),
  ) {
    this.#nextRseq = firstRseq;
  }

  /** True while a description is not acknowledged: no 2xx yet. */
  get blocksSuccess(): boolean {
    return this.#current?.hasDescription === true || this.#waiting.some((next) => next.hasDescription);
  }

  /**
   * Takes the next RSeq for an answer.
   * @returns undefined when too many already wait.
   */
  reserve(): number | undefined {
    if (this.#waiting.length >= WAITING_MAX) return undefined;
    const rseq = this.#nextRseq;
    this.#nextRseq += 1;
    return rseq;
  }

  /** Sends it now, or after the one before it is acknowledged. */
  submit(provisional: ReliableProvisional): void {
    if (this.#current) this.#waiting.push(provisional);
    else this.#begin(provisional);
  }

  waitsFor(rseq: number): boolean {
    return this.#current?.rseq === rseq;
  }

  /** @returns false when this RSeq is not the one waiting: the PRACK gets 481. */
  acknowledge(rseq: number): boolean {
    if (this.#current?.rseq !== rseq) return false;
    this.#clearTimers();
    this.#current = undefined;
    const next = this.#waiting.shift();
    if (next) this.#begin(next);
    this.onAcknowledged();
    return true;
  }

  /** A final answer leaves, or the INVITE is gone. */
  stop(): void {
    this.#clearTimers();
    this.#current = undefined;
    this.#waiting.length = 0;
  }

  #begin(provisional: ReliableProvisional): void {
    this.#current = provisional;
    this.#endTimer = this.clock.setTimer(64 * this.base.t1Ms, () => {
      this.stop();
      this.onTimeout();
    });
    this.#arm(this.base.t1Ms);
    provisional.send();
  }

  #arm(intervalMs: number): void {
    this.#repeatTimer = this.clock.setTimer(intervalMs, () => {
      this.#arm(intervalMs * 2);
      this.#current?.send();
    });
  }

  #clearTimers(): void {
    this.clock.clearTimer(this.#repeatTimer);
    this.clock.clearTimer(this.#endTimer);
  }
}
