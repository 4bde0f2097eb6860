import type { CallRegistry } from '../call/call-registry.ts';
import type { CallRouter } from '../call/call-router.ts';
import type { CallSetupDeps } from '../call/call-setup.ts';
import { OutgoingCalls } from '../call/outgoing-calls.ts';
import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { DialPump } from '../outbound/dial-pump.ts';
import { OrderEvents } from '../outbound/order-events.ts';
import type { Store } from '../store/store.ts';
import type { TrunkDirectory } from '../trunks/trunk-directory.ts';

export interface OutboundParts {
  readonly config: Config;
  readonly store: Store;
  /** What every call needs, in or out. */
  readonly calls: CallSetupDeps;
  readonly registry: CallRegistry;
  readonly router: CallRouter;
  readonly directory: Pick<TrunkDirectory, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Calls out: dials what is ordered from now on. */
export function startOutbound(parts: OutboundParts): { readonly events: OrderEvents; readonly pump: DialPump } {
  const { config, store, calls, registry, router, directory, clock, logger, metrics } = parts;
  const events = new OrderEvents(logger);
  const pump = new DialPump({
    ...{ store, router, registry, events, clock, logger, metrics, settings: config.outbound },
    calls: new OutgoingCalls(calls),
    limitsOf: (trunkId) => {
      const { callsOut, callsPerSecondOut } = directory.get(trunkId)?.definition.limits ?? {};
      if (callsOut === undefined || callsPerSecondOut === undefined) return undefined;
      return { calls: callsOut, perSecond: callsPerSecondOut };
    },
  });
  pump.start();
  return { events, pump };
}
