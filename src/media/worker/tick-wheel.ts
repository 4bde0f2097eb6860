import { LatenessHistogram } from './lateness.ts';

export const TICK_MS = 1;
export const WHEEL_SLOTS = 20;
/** A tick later than this counts as late in the metrics. */
export const LATE_TICK_MS = 5;
/** Later than this is not caught up packet by packet: whole periods are skipped, and timestamps move on with them. */
export const SKIP_AFTER_MS = 60;

export interface WheelMember {
  /**
   * @param tick - milliseconds since the wheel started; it jumps over what was skipped.
   * @param dueMs - when it was to come: now, or a little earlier where the thread is late.
   */
  onTick(tick: number, dueMs: number): void;
}

export type WheelPeriod = 10 | 20;

/**
 * The one clock of a media thread: an absolute 1 ms wheel of 20 slots. A tick is due at start + n ms whatever happened to
 * the one before, so nothing drifts. Members are spread over the least full slots: sending everybody's packets in one burst
 * costs 3-7 ms of jitter by itself.
 */
export class TickWheel {
  readonly lateness = new LatenessHistogram();
  lateTicks = 0;
  skippedTicks = 0;
  #startMs = 0;
  #tick = 0; // the next to run
  #size = 0;
  readonly #slots: WheelMember[][] = Array.from({ length: WHEEL_SLOTS }, () => []);

  /** Members, not places: one of period 10 sits in two slots. */
  get size(): number {
    return this.#size;
  }

  start(nowMs: number): void {
    this.#startMs = nowMs - this.#tick * TICK_MS;
  }

  join(member: WheelMember, period: WheelPeriod): void {
    let best = 0;
    for (let slot = 1; slot < period; slot += 1) {
      if (this.#load(slot, period) < this.#load(best, period)) best = slot;
    }
    for (let slot = best; slot < WHEEL_SLOTS; slot += period) this.#slots[slot]?.push(member);
    this.#size += 1;
  }

  leave(member: WheelMember): void {
    let found = false;
    for (const slot of this.#slots) {
      const at = slot.indexOf(member);
      if (at < 0) continue;
      slot.splice(at, 1);
      found = true;
    }
    if (found) this.#size -= 1;
  }

  /** Milliseconds until the next tick; negative when it is late. */
  dueInMs(nowMs: number): number {
    return this.#startMs + this.#tick * TICK_MS - nowMs;
  }

  /** Runs what is due, in order, at most one round of the wheel, so that sockets are read in between. */
  run(now: () => number): void {
    this.#skip(-this.dueInMs(now()));
    for (let count = 0; count < WHEEL_SLOTS; count += 1) {
      const nowMs = now();
      const lateMs = -this.dueInMs(nowMs);
      if (lateMs < 0) return;
      this.lateness.add(lateMs);
      if (lateMs > LATE_TICK_MS) this.lateTicks += 1;
      const members = this.#slots[this.#tick % WHEEL_SLOTS] as WheelMember[];
      const tick = this.#tick;
      this.#tick += 1;
      for (let i = members.length - 1; i >= 0; i -= 1) members[i]?.onTick(tick, nowMs - lateMs); // backwards: a member may leave
    }
  }

  /** Whole rounds only: every member misses the same number of its own ticks. */
  #skip(lateMs: number): void {
    if (lateMs <= SKIP_AFTER_MS) return;
    const ticks = Math.floor(lateMs / WHEEL_SLOTS) * WHEEL_SLOTS;
    this.#tick += ticks;
    this.skippedTicks += ticks;
  }

  #load(slot: number, period: WheelPeriod): number {
    let load = 0;
    for (let at = slot; at < WHEEL_SLOTS; at += period) load += this.#slots[at]?.length ?? 0;
    return load;
  }
}
