import type { QualityTimeline } from '../media-port.ts';
import { estimateMos } from '../rtp/mos.ts';

/** A stretch of a call that is judged by itself. */
export const STRETCH_MS = 5_000;
/** An hour; longer calls have longer stretches. */
export const STRETCHES_MAX = 720;

/** What is counted since the call began, and how it is now. */
export interface QualityReading {
  readonly expected: number; // packets, by their numbers
  readonly missing: number; // of those, lost or too late
  readonly jitterMs: number;
  readonly delayMs: number; // mouth to ear
}

/** One stretch; undefined: nothing came, as on hold. */
type Stretch = { readonly lossPercent: number; readonly jitterMs: number; readonly mos: number } | undefined;

/** How the media of one call was over time. Bounded: where it is full, two stretches become one, the worse of both. */
export class QualityLog {
  #stretches: Stretch[] = [];
  #everyMs = STRETCH_MS;
  #fromMs: number | undefined;
  #dueMs = 0;
  #expected = 0;
  #missing = 0;

  /** To be called at least as often as a stretch is long. @param nowMs - monotonic. */
  look(nowMs: number, read: () => QualityReading): void {
    if (this.#fromMs === undefined) {
      this.#fromMs = nowMs;
      this.#dueMs = nowMs + this.#everyMs;
      const { expected, missing } = read();
      this.#expected = expected;
      this.#missing = missing;
    }
    if (nowMs < this.#dueMs) return;
    this.#add(read());
    // A thread that stood still has seen nothing meanwhile.
    for (this.#dueMs += this.#everyMs; this.#dueMs <= nowMs; this.#dueMs += this.#everyMs) this.#push(undefined);
  }

  /** The last stretch may be shorter. Undefined where nobody has looked for a whole one. */
  timeline(): QualityTimeline | undefined {
    if (this.#fromMs === undefined || this.#stretches.length === 0) return undefined;
    return {
      ...{ fromMs: this.#fromMs, everyMs: this.#everyMs },
      lossPercent: this.#stretches.map((one) => (one ? rounded(one.lossPercent, 10) : null)),
      jitterMs: this.#stretches.map((one) => (one ? rounded(one.jitterMs, 10) : null)),
      mos: this.#stretches.map((one) => (one ? rounded(one.mos, 100) : null)),
    };
  }

  #add({ expected, missing, jitterMs, delayMs }: QualityReading): void {
    // A sender that began anew is counted anew.
    const came = Math.max(0, expected - this.#expected);
    const lost = Math.min(came, Math.max(0, missing - this.#missing));
    this.#expected = expected;
    this.#missing = missing;
    if (came === 0) return this.#push(undefined);
    const lossPercent = (lost * 100) / came;
    this.#push({ lossPercent, jitterMs, mos: estimateMos({ delayMs, lossPercent }) });
  }

  #push(stretch: Stretch): void {
    this.#stretches.push(stretch);
    if (this.#stretches.length < STRETCHES_MAX) return;
    const pairs: Stretch[] = [];
    for (let at = 0; at + 1 < this.#stretches.length; at += 2)
      pairs.push(worse(this.#stretches[at], this.#stretches[at + 1]));
    this.#stretches = pairs;
    this.#everyMs *= 2;
  }
}

function worse(one: Stretch, other: Stretch): Stretch {
  if (!one || !other) return one ?? other;
  return {
    lossPercent: Math.max(one.lossPercent, other.lossPercent),
    jitterMs: Math.max(one.jitterMs, other.jitterMs),
    mos: Math.min(one.mos, other.mos),
  };
}

const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts;
