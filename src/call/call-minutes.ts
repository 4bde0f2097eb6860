import type { CallBook } from '../billing/contract.ts';
import type { Clock, Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import { type CallEnd, callEnd } from './call-end.ts';

const MINUTE_MS = 60_000;

export interface CallMinutesDeps {
  readonly callId: string;
  readonly book: CallBook;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxCallMs: number;
  /** The credit or the time allowed is used up. */
  readonly timeUp: (end: CallEnd) => void;
  /** What cannot be charged is not given away. */
  readonly failed: (end: CallEnd) => void;
}

/** The minutes of an answered call: each is paid as it begins, and there is a last one. */
export class CallMinutes {
  #begun = 1; // the first one is the book's own, with the answer
  #startedAtMs: number | undefined;
  #minuteTimer: Timer | undefined;
  #limitTimer: Timer | undefined;
  #over = false;

  constructor(private readonly deps: CallMinutesDeps) {}

  /** The call is answered. */
  start(): void {
    const { clock, maxCallMs, timeUp } = this.deps;
    this.#startedAtMs = clock.nowMs();
    this.#limitTimer = clock.setTimer(maxCallMs, () => timeUp(callEnd('gateway', 'max-duration')));
    this.#awaitMinute(this.#startedAtMs);
  }

  /** Nothing more is charged. Idempotent. @returns ms since the answer, 0 without one. */
  stop(): number {
    const { clock } = this.deps;
    this.#over = true;
    clock.clearTimer(this.#minuteTimer);
    clock.clearTimer(this.#limitTimer);
    return this.#startedAtMs === undefined ? 0 : Math.round(clock.nowMs() - this.#startedAtMs);
  }

  #awaitMinute(startedAtMs: number): void {
    const { clock } = this.deps;
    const dueMs = startedAtMs + this.#begun * MINUTE_MS;
    this.#minuteTimer = clock.setTimer(dueMs - clock.nowMs(), () => void this.#startMinute(startedAtMs));
  }

  async #startMinute(startedAtMs: number): Promise<void> {
    const { book, callId, logger, timeUp, failed } = this.deps;
    try {
      const credit = await book.startMinute(callId, this.#begun);
      if (this.#over) return;
      if (credit === 'insufficient-credit') return timeUp(callEnd('gateway', 'credit-exhausted'));
      this.#begun += 1;
      this.#awaitMinute(startedAtMs);
    } catch (error) {
      logger.error({ error: errorText(error) }, 'a minute could not be charged');
      failed(callEnd('gateway', 'internal', sentence('end.charging-failed')));
    }
  }
}
