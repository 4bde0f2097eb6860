/** Whether a media worker may take another call, from its own measurements. */
export interface AdmissionLimits {
  readonly maxCalls: number;
  readonly maxLatenessP99Ms: number;
  readonly maxCpuPercent: number;
}

/** Measured: p99 jitter rises from 5 to 100 ms within a few calls once a core passes 85 %, so refuse well before. */
export const DEFAULT_LATENESS_P99_MS = 3;
export const DEFAULT_CPU_PERCENT = 70;

/** Bad measurements in a row that close the door, good ones that open it: one spike refuses nobody. */
const CLOSE_AFTER = 3;
const OPEN_AFTER = 2;

/**
 * Below this share of its calls a worker is not the reason of bad measurements: something else on the machine is, and
 * refusing calls would not make it better.
 */
const BLAMELESS_SHARE = 0.15;

export class Admission {
  #bad = 0;
  #good = 0;
  #open = true;
  constructor(readonly limits: AdmissionLimits) {}

  /** One measurement, about once a second. */
  measure(latenessP99Ms: number, cpuPercent: number): void {
    const over = latenessP99Ms > this.limits.maxLatenessP99Ms || cpuPercent > this.limits.maxCpuPercent;
    this.#bad = over ? this.#bad + 1 : 0;
    this.#good = over ? 0 : this.#good + 1;
    if (this.#bad >= CLOSE_AFTER) this.#open = false;
    if (this.#good >= OPEN_AFTER) this.#open = true;
  }

  /** @param calls - calls the worker has now. */
  admits(calls: number): boolean {
    if (calls >= this.limits.maxCalls) return false;
    return this.#open || calls < this.limits.maxCalls * BLAMELESS_SHARE;
  }
}
