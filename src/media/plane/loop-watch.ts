import { type Clock, repeat } from '../../core/clock.ts';
import type { ThreadSigns } from './thread-signs.ts';

const LOOK_EVERY_MS = 20;
/**
 * A thread that has had so much of a processor since it was first seen at the same beat is taken for one that computes without an end: a
 * tick, and a look at the network, take a few ms. One that merely waits for a processor had none: that is no fault of its own, and
 * `ThreadPulse` has more patience.
 */
const STUCK_CPU_MS = 60;

/** Notices within about a tenth of a second that a media thread computes and does not loop. Watches only while it has calls. */
export class LoopWatch {
  #seen: number | undefined; // beats at the last look
  #cpuMs: number | undefined; // of the thread, when it was seen at the same beat
  #stop: (() => void) | undefined;

  constructor(
    readonly clock: Clock,
    readonly signs: Pick<ThreadSigns, 'beats'>,
    /** Processor time of the thread so far; undefined where the system does not tell. */
    readonly cpuMs: () => number | undefined,
    readonly onStuck: () => void,
  ) {}

  /** Cheap to repeat. */
  start(): void {
    this.#stop ??= repeat(this.clock, LOOK_EVERY_MS, () => this.#look());
  }
  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#seen = undefined;
    this.#cpuMs = undefined;
  }

  #look(): void {
    const { beats } = this.signs;
    const isSame = beats !== undefined && beats === this.#seen;
    this.#seen = beats;
    if (!isSame) this.#cpuMs = undefined;
    const cpuMs = isSame ? this.cpuMs() : undefined;
    if (cpuMs === undefined) return;
    this.#cpuMs ??= cpuMs;
    if (cpuMs - this.#cpuMs < STUCK_CPU_MS) return;
    this.stop();
    this.onStuck();
  }
}
