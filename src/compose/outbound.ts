import type { CallRegistry } from '../call/call-registry.ts';
import type { CallRouter } from '../call/call-router.ts';
import type { CallSetupDeps } from '../call/call-setup.ts';
import { OutgoingCalls } from '../call/outgoing-calls.ts';
import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { DialPump, type TrunkPace } from '../outbound/dial-pump.ts';
import { OrderEvents } from '../outbound/order-events.ts';
import type { Store } from '../store/store.ts';
import { TtlCache } from '../store/ttl-cache.ts';

export interface OutboundParts {
  readonly config: Config;
  readonly store: Store;
  /** What every call needs, in or out. */
  readonly calls: CallSetupDeps;
  readonly registry: CallRegistry;
  readonly router: CallRouter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Limits of trunks are so old at most. */
const LIMITS_TTL_MS = 5_000;
const TRUNKS_MAX = 1_000;

/** Calls out: dials what is ordered from now on. */
export function startOutbound(parts: OutboundParts): { readonly events: OrderEvents; readonly pump: DialPump } {
  const { config, store, calls, registry, router, clock, logger, metrics } = parts;
  const events = new OrderEvents(logger);
  const limits = new TtlCache<TrunkPace | undefined>(clock, LIMITS_TTL_MS, TRUNKS_MAX);
  const pump = new DialPump({
    ...{ store, router, registry, events, clock, logger, metrics, settings: config.outbound },
    calls: new OutgoingCalls(calls),
    limitsOf: (trunkId) =>
      limits.get(trunkId, async () => {
        const trunk = (await store.trunks.list()).find(({ id }) => id === trunkId);
        const { callsOut, callsPerSecondOut } = trunk?.definition.limits ?? {};
        if (callsOut === undefined || callsPerSecondOut === undefined) return undefined;
        return { calls: callsOut, perSecond: callsPerSecondOut };
      }),
  });
  pump.start();
  return { events, pump };
}
