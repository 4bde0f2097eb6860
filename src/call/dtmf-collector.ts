import type { Clock, Timer } from '../core/clock.ts';

export interface CollectRule {
  readonly maxDigits: number;
  readonly terminator: string; // '' for none; not part of the result
  readonly timeoutMs: number; // after the last key
}

/** Keys gathered into one caller turn: done at the terminator, at `maxDigits`, or when no key follows in time. */
export class DtmfCollector {
  #keys = '';
  #timer: Timer | undefined;
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

  push(key: string): void {
    this.clock.clearTimer(this.#timer);
    if (key === this.rule.terminator && this.#keys !== '') return this.#complete();
    this.#keys += key;
    if (this.#keys.length >= this.rule.maxDigits) return this.#complete();
    this.#timer = this.clock.setTimer(this.rule.timeoutMs, () => this.#complete());
  }

  close(): void {
    this.clock.clearTimer(this.#timer);
    this.#keys = '';
  }

  #complete(): void {
    this.clock.clearTimer(this.#timer);
    const digits = this.#keys;
    this.#keys = '';
    this.onComplete(digits);
  }
}
