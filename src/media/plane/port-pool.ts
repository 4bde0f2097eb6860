import type { Clock } from '../../core/clock.ts';
import { type PortRange, rtpPortsOf } from '../../core/media-limits.ts';
import type { FormerStream } from '../rtp/latching.ts';

/** Late packets of the old call would otherwise be heard in the new one. */
export const PORT_DRAIN_MS = 3_000;

/** A port, and the streams of earlier calls that may still arrive at it. */
export interface FreePort {
  readonly port: number;
  readonly former: readonly FormerStream[];
}

/**
 * Even RTP ports of a range (the odd one above each is its RTCP), handed out in turn from a random start, so that a port is
 * reused as late as possible. A freed port drains first.
 */
export class PortPool {
  readonly #free: FreePort[]; // a queue: shift, push
  readonly #draining: { readonly free: FreePort; readonly untilMs: number }[] = [];
  readonly #used = new Set<number>();

  /** @param random - 0 <= r < 1 */
  constructor(
    range: PortRange,
    readonly clock: Clock,
    random: () => number = Math.random,
    readonly drainMs = PORT_DRAIN_MS,
  ) {
    const ports = rtpPortsOf(range);
    if (ports.length === 0) {
      throw new RangeError(`RTP port range ${range.min}-${range.max} holds no even port with its odd neighbour`);
    }
    const start = Math.floor(random() * ports.length);
    this.#free = [...ports.slice(start), ...ports.slice(0, start)].map((port) => ({ port, former: [] }));
  }

  /** @returns undefined when every port is in use or draining. */
  take(): FreePort | undefined {
    this.#drain();
    const free = this.#free.shift();
    if (free) this.#used.add(free.port);
    return free;
  }

  /** Freeing twice, or what was never taken, does nothing. */
  release(port: number, former: readonly FormerStream[] = []): void {
    if (!this.#used.delete(port)) return;
    this.#draining.push({ free: { port, former }, untilMs: this.clock.nowMs() + this.drainMs });
  }

  /** Ports that could be taken now. */
  get available(): number {
    this.#drain();
    return this.#free.length;
  }
  get inUse(): number {
    return this.#used.size;
  }

  #drain(): void {
    const nowMs = this.clock.nowMs();
    while (this.#draining[0] && this.#draining[0].untilMs <= nowMs) {
      this.#free.push((this.#draining.shift() as { free: FreePort }).free);
    }
  }
}
