import { type Clock, repeat } from '../../core/clock.ts';

/** A media thread says how it is every second, idle or not. */
const LOOK_EVERY_MS = 1_000;
/** So many looks in a row without a word: it hangs. A thread that waits for a processor so long plays nothing either. */
export const SILENT_LOOKS_MAX = 5;

/**
 * Notices a thread that has stopped talking. What counts is looks, not time: when this thread itself stood still for long, what
 * the other one said meanwhile is read before the next look.
 */
export class ThreadPulse {
  #silentLooks = 0;
  #stop: (() => void) | undefined;

  constructor(
    readonly clock: Clock,
    readonly onSilent: () => void,
  ) {}

  start(): void {
    this.#stop ??= repeat(this.clock, LOOK_EVERY_MS, () => this.#look());
  }
  /** Anything was heard of it. */
  beat(): void {
    this.#silentLooks = 0;
  }
  stop(): void {
    this.#stop?.();
  }

  #look(): void {
    this.#silentLooks += 1;
    if (this.#silentLooks < SILENT_LOOKS_MAX) return;
    this.stop();
    this.onSilent();
  }
}
