import type { CallRegistry } from '../call/call-registry.ts';
import { type Clock, repeat } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { GatewayRows, NodeFacts } from '../store/gateways.ts';
import type { ServiceState } from './service-state.ts';

export interface NodeReportDeps {
  readonly gateways: Pick<GatewayRows, 'tell'>;
  readonly service: Pick<ServiceState, 'park' | 'phase'>;
  readonly registry: Pick<CallRegistry, 'size' | 'paused'>;
  readonly facts: () => Omit<NodeFacts, 'phase' | 'calls'>;
  readonly leadMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const REPORT_MS = 2_000;

/** Tells the other gateways on the database how this one is, and hears whether it is to be empty (`nidaa nodes`, `nidaa drain`). */
export class NodeReport {
  readonly #stop: () => void;
  #telling = false;
  #isWanted = false;

  constructor(private readonly deps: NodeReportDeps) {
    this.#stop = repeat(deps.clock, REPORT_MS, () => void this.tell());
  }

  /** Never rejects: without a database the last wish stands. */
  async tell(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    const { gateways, service, registry, facts, logger } = this.deps;
    try {
      const isWanted = await gateways.tell({ ...facts(), phase: service.phase, calls: registry.size });
      if (isWanted !== this.#isWanted)
        logger.warn({ calls: registry.size }, isWanted ? 'to be empty' : 'to serve again');
      this.#isWanted = isWanted;
    } catch (error) {
      logger.debug({ error: errorText(error) }, 'the other gateways were not told how this one is');
    } finally {
      this.#telling = false;
    }
    registry.paused = service.park(this.#isWanted, this.deps.leadMs);
  }

  close(): void {
    this.#stop();
  }
}
