import type { Metrics } from '../core/metrics.ts';
import type { TellUse } from '../core/service-use.ts';
import type { Capability } from './guard.ts';

/** Counts what one engine takes of its service. */
export function usedMetric({ engineUsed }: Metrics, capability: Capability, engine: string): TellUse {
  return (_service, unit, amount) => engineUsed.inc({ capability, engine, unit }, amount);
}
