import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock, Timer } from '../core/clock.ts';
import type { DescriptorSupply, OpenedAll } from '../core/descriptors.ts';

/** Phone calls are signalled on the same thread: above this mean delay new API work makes them late. */
export const OVERLOADED_MEAN_MS = 250;
/** The thread must have worked so much of the time itself: when another program had the machine, refusing helps nobody. */
export const OVERLOADED_OWN_SHARE = 0.8;
export const SAMPLE_MS = 500;
/** Samples in a row: one long task of our own is a moment too. */
export const OVERLOADED_SAMPLES = 4;
const RESOLUTION_MS = 20;

/** What is known of the main thread. */
export interface LoopProbe {
  /** Mean delay of the event loop since the last call. */
  meanDelayMs(): number;
  /** Processor time of the main thread so far. */
  ownCpuMs(): number;
  close(): void;
}

/**
 * Whether new work should be refused: for two seconds the event loop was late, and by our own work. Looks twice a second.
 */
export class LoadGauge {
  #timer: Timer | undefined;
  #lateSamples = 0;
  #sampledMs: number;
  #cpuMs: number;

  /** @param descriptors - what every request takes of; there is none without. */
  constructor(
    private readonly clock: Clock,
    private readonly descriptors: DescriptorSupply = { short: false, take: () => () => undefined },
    private readonly probe: LoopProbe = systemProbe(),
  ) {
    this.#sampledMs = clock.nowMs();
    this.#cpuMs = probe.ownCpuMs();
    this.#wait();
  }

  /** @returns undefined when one more request or socket cannot be served. */
  admit(): OpenedAll | undefined {
    return this.#lateSamples < OVERLOADED_SAMPLES ? this.descriptors.take() : undefined;
  }

  close(): void {
    this.clock.clearTimer(this.#timer);
    this.probe.close();
  }

  #wait(): void {
    this.#timer = this.clock.setTimer(SAMPLE_MS, () => {
      this.#sample();
      this.#wait();
    });
  }

  #sample(): void {
    const [nowMs, cpuMs] = [this.clock.nowMs(), this.probe.ownCpuMs()];
    const ownShare = (cpuMs - this.#cpuMs) / (nowMs - this.#sampledMs);
    const isLate = this.probe.meanDelayMs() > OVERLOADED_MEAN_MS && ownShare >= OVERLOADED_OWN_SHARE;
    this.#lateSamples = isLate ? this.#lateSamples + 1 : 0;
    this.#sampledMs = nowMs;
    this.#cpuMs = cpuMs;
  }
}

function systemProbe(): LoopProbe {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return {
    meanDelayMs: () => {
      const meanMs = delay.mean / 1e6 - RESOLUTION_MS;
      delay.reset();
      return meanMs;
    },
    ownCpuMs: mainThreadCpuMs,
    close: () => delay.disable(),
  };
}

/** Linux tells it of the main thread alone (first figure, in nanoseconds); elsewhere it is that of the whole process. */
function mainThreadCpuMs(): number {
  try {
    return Number.parseInt(readFileSync('/proc/self/schedstat', 'utf8'), 10) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}
