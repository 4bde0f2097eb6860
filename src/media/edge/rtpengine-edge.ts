import type { Clock } from '../../core/clock.ts';
import { randomToken } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Metrics } from '../../core/metrics.ts';
import { sentence } from '../../core/notice.ts';
import { EdgeEngine } from './edge-engine.ts';
import { type EngineState, inTurn } from './engine-state.ts';
import type { EdgeCall, MediaEdge } from './media-edge.ts';
import { NgClient } from './ng-client.ts';
import { RtpengineCall, type RtpengineCallOptions } from './rtpengine-call.ts';

export interface RtpengineEdgeOptions extends Pick<RtpengineCallOptions, 'ownAddress' | 'interfaces' | 'logger'> {
  readonly engines: readonly { readonly address: string; readonly weight: number }[];
  readonly timeoutMs: number;
  readonly pingMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'edgeEngines' | 'edgeCommands'>;
}

const ID_BYTES = 18;
const STATES: readonly EngineState[] = ['unknown', 'up', 'down'];

/** rtpengines in front of the media of this gateway. */
export class RtpengineEdge implements MediaEdge {
  readonly #engines: readonly EdgeEngine[];

  constructor(private readonly options: RtpengineEdgeOptions) {
    const { clock, timeoutMs, pingMs, metrics, logger } = options;
    this.#engines = options.engines.map(({ address, weight }) => {
      const client = new NgClient({ ...hostAndPort(address), clock, timeoutMs });
      return new EdgeEngine({
        ...{ name: address, weight, client, clock, pingMs },
        onAsked: (command, result) => metrics.edgeCommands.inc({ command, result }),
        onChange: (state) => {
          if (state === 'down') logger.error({ edge: address }, 'rtpengine does not answer');
          else logger.info({ edge: address }, 'rtpengine answers');
          this.#tellStates();
        },
      });
    });
    this.#tellStates();
  }

  /** Resolves when each has answered or has not: what follows is known of all. */
  async meet(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.ping()));
  }

  get engines(): readonly Pick<EdgeEngine, 'name' | 'state' | 'weight'>[] {
    return this.#engines;
  }

  get problem(): string | undefined {
    if (this.#engines.some(({ state }) => state !== 'down')) return undefined;
    return sentence('part.edge-silent', { edges: this.#engines.map(({ name }) => name).join(', ') });
  }

  open(): EdgeCall {
    const { ownAddress, interfaces, logger } = this.options;
    return new RtpengineCall({
      id: randomToken(ID_BYTES),
      engines: () => inTurn(this.#engines, Math.random),
      ...(ownAddress !== undefined && { ownAddress }),
      ...(interfaces && { interfaces }),
      logger,
    });
  }

  /** Idempotent. */
  close(): void {
    for (const engine of this.#engines) engine.close();
  }

  #tellStates(): void {
    for (const state of STATES) {
      const count = this.#engines.filter((engine) => engine.state === state).length;
      this.options.metrics.edgeEngines.set({ state }, count);
    }
  }
}

/** `host:port`, IPv6 in brackets. */
export function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(colon + 1)) };
}
