const [seconds, nanoseconds] = process.hrtime();
/** `performance.now()` counts from its own thread's start; the system's monotonic clock is the same for all threads. */
const offsetMs = seconds * 1000 + nanoseconds / 1e6 - performance.now();

/** Monotonic milliseconds that mean the same in every thread of the process. */
export function monotonicMs(): number {
  return performance.now() + offsetMs;
}
