import { performance } from 'node:perf_hooks'; // the global of that name is a getter

/** Readings of both clocks; the best of them counts. */
const READINGS = 10;

/**
 * How far one clock is ahead of another. Between two readings a busy machine may do something else for a long time: the
 * reading that took least is the truest.
 */
export function clockOffsetMs(ahead: () => number, behind: () => number): number {
  let best = { tookMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let i = 0; i < READINGS; i += 1) {
    const before = behind();
    const there = ahead();
    const after = behind();
    const tookMs = after - before;
    if (tookMs < best.tookMs) best = { tookMs, offsetMs: there - (before + after) / 2 };
  }
  return best.offsetMs;
}

function systemMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** `performance.now()` counts from its own thread's start; the system's monotonic clock is the same for all threads. */
const offsetMs = clockOffsetMs(systemMs, () => performance.now());

/** Monotonic milliseconds that mean the same in every thread of the process. */
export function monotonicMs(): number {
  return performance.now() + offsetMs;
}
