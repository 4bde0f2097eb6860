import { type Counter, Registry } from 'prom-client';
import { callMetrics } from './metrics/call-metrics.ts';
import { engineMetrics } from './metrics/engine-metrics.ts';
import { mediaMetrics } from './metrics/media-metrics.ts';
import { processMetrics } from './metrics/process-metrics.ts';
import { serviceMetrics } from './metrics/service-metrics.ts';
import { sipMetrics } from './metrics/sip-metrics.ts';

/**
 * Every metric of the gateway in one place; `/metrics` renders `registry`. Labels have few values, and never personal data.
 * What each means stands in `metrics/README.md`.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers: [Registry] = [registry];
  return {
    registry,
    ...callMetrics(registers),
    ...sipMetrics(registers),
    ...mediaMetrics(registers),
    ...engineMetrics(registers),
    ...serviceMetrics(registers),
    ...processMetrics(registers),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Follows a count that somebody else keeps, and that begins again when he does. */
export class CountFollower {
  readonly #last = new Map<string, number>();

  /** The count is `total` now. */
  follow<L extends string>(counter: Counter<L>, labels: Partial<Record<L, string>>, total: number): void {
    const key = JSON.stringify(labels);
    const last = this.#last.get(key);
    this.#last.set(key, total);
    // One that is told as 0 at first is seen to rise by whoever looks at differences.
    if (total !== last) counter.inc(labels, last === undefined || total < last ? total : total - last);
  }
}
