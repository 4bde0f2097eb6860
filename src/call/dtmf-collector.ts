import type { Clock, Timer } from '../core/clock.ts';
import type { ReplyExpectation, ReplyRequest } from '../engines/reply/contract.ts';

export interface CollectRule {
  readonly maxDigits: number;
  readonly terminator: string; // '' for none; not part of the result
  readonly timeoutMs: number; // after the last key
}

/** Keys that nobody asked for: as many as come within this time of each other are one number. */
const UNASKED: CollectRule = { maxDigits: 20, terminator: '#', timeoutMs: 1_200 };

/**
 * How keys are gathered now. A single key acts at once where a menu of keys is spoken or a choice was given; where anything may
 * be said, `4521#` is one number, whatever may be done with it.
 */
export function collectRule({ hints, collect }: ReplyExpectation, mode: ReplyRequest['mode']): CollectRule {
  return mode === 'voice' && collect.maxDigits === 1 && hints.expect.includes('free') ? UNASKED : collect;
}

/** Keys gathered into one caller turn: done at the terminator, at `maxDigits`, or when no key follows in time. */
export class DtmfCollector {
  #keys = '';
  #timer: Timer | undefined;
  #habit = { key: '', untilMs: 0 }; // the terminator of a number that was complete without it
  constructor(
    private readonly clock: Clock,
    private rule: CollectRule,
    private readonly onComplete: (digits: string) => void,
  ) {}

  get collecting(): boolean {
    return this.#keys !== '';
  }

  setRule(rule: CollectRule): void {
    this.rule = rule;
  }

  /**
   * A number that its length completed is often followed by the terminator all the same, out of habit: that key, once and
   * in time, says nothing. After a choice of one key it is a key like any other, since menus give it a meaning.
   */
  isHabit(key: string): boolean {
    const { key: expected, untilMs } = this.#habit;
    this.#habit = { key: '', untilMs: 0 };
    return key === expected && this.clock.nowMs() < untilMs;
  }

  push(key: string): void {
    this.clock.clearTimer(this.#timer);
    const { terminator, maxDigits, timeoutMs } = this.rule;
    if (key === terminator && this.#keys !== '') return this.#complete();
    this.#keys += key;
    if (this.#keys.length < maxDigits) return this.#await();
    if (maxDigits > 1) this.#habit = { key: terminator, untilMs: this.clock.nowMs() + timeoutMs };
    this.#complete();
  }

  /** The wait for the next key stops; the keys so far stay. */
  pause(): void {
    this.clock.clearTimer(this.#timer);
  }
  /** The wait begins anew. */
  resume(): void {
    if (this.collecting) this.#await();
  }

  /** Forgets what was gathered. */
  close(): void {
    this.clock.clearTimer(this.#timer);
    this.#keys = '';
  }

  #await(): void {
    this.clock.clearTimer(this.#timer);
    this.#timer = this.clock.setTimer(this.rule.timeoutMs, () => this.#complete());
  }

  #complete(): void {
    this.clock.clearTimer(this.#timer);
    const digits = this.#keys;
    this.#keys = '';
    this.onComplete(digits);
  }
}
