import type { Clock } from '../../core/clock.ts';

/** How much speech a recogniser has to follow, and whether it does. */
export interface SpeechLoad {
  /** Stretches of speech without a final. */
  readonly stretches: number;
  /** Of ten finals of the last half minute nine came so soon after the end of their stretch; 0 when there were none. */
  readonly finalMs: number;
  /** More than it can follow: finals are late for everybody, or will be. */
  readonly behind: boolean;
}

/** What counts as late. */
export interface LoadLimits {
  readonly finalMs: number;
  /** Stretches at once that are followed. */
  readonly stretches: number;
}

/** Finals older than that say nothing of now. */
const WINDOW_MS = 30_000;
const FINALS_MAX = 64;
/** One slow final is an accident. */
const FINALS_MIN = 4;
const QUANTILE = 0.9;

/** Judges by the finals of the last half minute, and by the stretches that wait now, which tell before a final is late. */
export class SpeechLoadMeter {
  readonly #finals: { readonly atMs: number; readonly tookMs: number }[] = [];
  constructor(
    readonly limits: LoadLimits,
    readonly clock: Clock,
  ) {}

  /** @param tookMs - from the end of a stretch to its final. */
  settled(tookMs: number): void {
    this.#finals.push({ atMs: this.clock.nowMs(), tookMs });
    if (this.#finals.length > FINALS_MAX) this.#finals.shift();
  }

  /** @param stretches - without a final now. */
  load(stretches: number): SpeechLoad {
    const sinceMs = this.clock.nowMs() - WINDOW_MS;
    while (this.#finals[0] && this.#finals[0].atMs <= sinceMs) this.#finals.shift();
    const sorted = this.#finals.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    const finalMs = sorted[Math.ceil(sorted.length * QUANTILE) - 1] ?? 0;
    const late = sorted.length >= FINALS_MIN && finalMs > this.limits.finalMs;
    return { stretches, finalMs, behind: late || stretches > this.limits.stretches };
  }
}
