import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { formatHostPort } from '../message/host-port.ts';

const KEEP_ALIVE = Buffer.from('\r\n\r\n');
/** An ICMP refusal comes within a round trip. */
const WAIT_MS = 1_000;
const AGAIN_AFTER_MS = 30_000;
const PROBES_MAX = 64;
const REMEMBERED_MAX = 1_000;

/**
 * Learns that a UDP port is closed. The kernel reports ICMP refusals to connected sockets only, and ours must stay
 * unconnected; so a second socket sends the peer one keep-alive and listens for a refusal. Without it a dead trunk is noticed
 * after 32 s instead of at once.
 */
export class UdpProbe {
  readonly counters = { probes: 0, refusals: 0, skipped: 0 };
  readonly #probedMs = new Map<string, number>(); // in order of time
  readonly #running = new Set<() => void>();
  readonly #clock: Clock;
  #closed = false;

  constructor(
    private readonly barrier: FaultBarrier,
    private readonly onRefused: (address: string, port: number, reason: string) => void,
  ) {
    this.#clock = barrier.clock;
  }

  /** At most one probe of a destination per 30 s. Never throws. */
  check(address: string, port: number): void {
    const key = formatHostPort(address, port);
    const nowMs = this.#clock.nowMs();
    const lastMs = this.#probedMs.get(key);
    const recent = lastMs !== undefined && nowMs - lastMs < AGAIN_AFTER_MS;
    if (this.#closed || recent || this.#running.size >= PROBES_MAX) {
      this.counters.skipped += 1;
      return;
    }
    this.#probedMs.delete(key);
    this.#probedMs.set(key, nowMs);
    if (this.#probedMs.size > REMEMBERED_MAX) {
      for (const oldest of this.#probedMs.keys()) {
        this.#probedMs.delete(oldest);
        break;
      }
    }
    this.#send(address, port, key);
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#running) stop();
  }

  #send(address: string, port: number, key: string): void {
    this.counters.probes += 1;
    const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' });
    const stop = (): void => {
      this.#clock.clearTimer(timer);
      if (!this.#running.delete(stop)) return;
      socket.close();
    };
    const timer = this.#clock.setTimer(WAIT_MS, stop);
    this.#running.add(stop);
    const onError = (error: NodeJS.ErrnoException): void => {
      const listening = this.#running.has(stop);
      stop();
      if (!listening || error.code !== 'ECONNREFUSED') return;
      this.counters.refusals += 1;
      this.#probedMs.delete(key); // A dead peer is asked again each time, so that every call fails at once.
      this.onRefused(address, port, error.code);
    };
    const onConnected = (): void => {
      if (this.#running.has(stop)) socket.send(KEEP_ALIVE);
    };
    socket.on('error', this.barrier.handler('socket', onError));
    socket.connect(port, address, this.barrier.handler('socket', onConnected, stop));
    socket.unref();
  }
}
