import type { Clock } from '../core/clock.ts';
import type { Trunk } from '../core/trunk.ts';

export type LineDirection = 'in' | 'out';
/** Why there is no line now: `calls` at once, or `rate` of new ones. */
export type LineProblem = 'calls' | 'rate';

interface Bucket {
  calls: number; // that may begin now
  atMs: number;
}

/** Trunks that are remembered; one that is forgotten begins with a full allowance. */
const TRUNKS_MAX = 2_000;

/** How many calls trunks of this process carry, and how fast new ones may begin: a token bucket of one second. */
export class TrunkLines {
  readonly #taken = new Map<string, number>();
  readonly #buckets = new Map<string, Bucket>(); // the longest unused first

  constructor(private readonly clock: Clock) {}

  /** Calls out that hold a line. */
  takenOut(trunkId: string): number {
    return this.#taken.get(trunkId) ?? 0;
  }

  /** A call in: it holds its line for as long as its leg lives, which is counted by who has the legs. */
  problemIn({ id, definition: { limits } }: Trunk, living: number): LineProblem | undefined {
    if (living >= limits.callsIn) return 'calls';
    return this.#begin(`in ${id}`, limits.callsPerSecondIn) ? undefined : 'rate';
  }

  /** A line for a call out. @returns what gives it back, any number of times; or why there is none. */
  takeOut({ id, definition: { limits } }: Trunk): (() => void) | LineProblem {
    if (this.takenOut(id) >= limits.callsOut) return 'calls';
    if (!this.#begin(`out ${id}`, limits.callsPerSecondOut)) return 'rate';
    this.#taken.set(id, this.takenOut(id) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = this.takenOut(id) - 1;
      if (left > 0) this.#taken.set(id, left);
      else this.#taken.delete(id);
    };
  }

  #begin(key: string, perSecond: number): boolean {
    const nowMs = this.clock.nowMs();
    const burst = Math.max(1, perSecond);
    const known = this.#buckets.get(key);
    const calls = known ? Math.min(burst, known.calls + ((nowMs - known.atMs) * perSecond) / 1000) : burst;
    const may = calls >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { calls: may ? calls - 1 : calls, atMs: nowMs });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > TRUNKS_MAX && oldest !== undefined) this.#buckets.delete(oldest);
    return may;
  }
}
