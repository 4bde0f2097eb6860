import { isIP, SocketAddress } from 'node:net';
import type { MediaEndpoint } from '../description.ts';
import type { UnprovenBudget } from './unproven-budget.ts';

/** Packets to SDP addresses that never answered and are not where the signalling came from: one second's worth, for the
 * whole life of a call and all the addresses it names. */
export const UNPROVEN_PACKETS_MAX = 50;
const MAX_PROVEN = 8;

export interface Source {
  readonly address: string;
  readonly port: number;
}

/** Where a packet goes. `proven` is false for an address that has shown nothing yet: it gets silence. */
export interface Target extends Source {
  readonly proven: boolean;
}

/** How well a source is founded: described by SDP; on a host that SDP or signalling names; unknown. */
export type SourceRank = 'described' | 'known-host' | 'stranger';

/** One call's peer: what SDP says of it and who has proved to be it. Latching decides the second; senders ask where to send. */
export class RemoteEndpoint {
  #described: MediaEndpoint | undefined;
  #signalling = '';
  #locked: Source | undefined;
  #lockedTarget: Target | undefined; // the same as a target
  #unprovenSent = 0;
  readonly #proven: string[] = []; // addresses that were locked in before
  constructor(readonly budget: UnprovenBudget) {}

  /** Applies SDP. @returns true when the peer moved: whoever was locked in has to prove itself again. */
  describe(remote: MediaEndpoint, signallingAddress: string): boolean {
    const before = this.#described;
    const next = { address: canonicalAddress(remote.address), port: remote.port };
    this.#described = next;
    this.#signalling = canonicalAddress(signallingAddress);
    const moved = before !== undefined && !sameSource(before, next);
    // A held peer says 0.0.0.0: it has not moved.
    if (!moved || !isSendable(next, this.#signalling) || sameSource(this.#locked, next)) return false;
    this.#locked = undefined;
    return true;
  }

  get described(): Source | undefined {
    return this.#described;
  }
  /** Who has proved to be the peer. */
  get locked(): Source | undefined {
    return this.#locked;
  }

  lock(source: Source): void {
    this.#locked = source;
    this.#lockedTarget = { address: source.address, port: source.port, proven: true };
    this.budget.proved(source.address);
    if (this.#proven.includes(source.address)) return;
    if (this.#proven.length >= MAX_PROVEN) this.#proven.shift();
    this.#proven.push(source.address);
  }

  rank(source: Source): SourceRank {
    const described = this.#described;
    if (sameSource(described, source)) return 'described';
    return described?.address === source.address || this.#signalling === source.address ? 'known-host' : 'stranger';
  }

  /** Where the packet of this slot goes: ask once for each packet, an unproven one is taken off what the call may send. */
  nextTarget(nowMs: number): Target | undefined {
    if (this.#locked) return this.#lockedTarget;
    const described = this.#described;
    if (!described || !isSendable(described, this.#signalling)) return undefined;
    const { address, port } = described;
    if (address === this.#signalling || this.#proven.includes(address)) return { address, port, proven: true };
    if (this.#unprovenSent >= UNPROVEN_PACKETS_MAX || !this.budget.take(address, nowMs)) return undefined;
    this.#unprovenSent += 1;
    return { address, port, proven: false };
  }
}

export function sameSource(a: Source | undefined, b: Source): boolean {
  return a === b || (a !== undefined && a.port === b.port && a.address === b.address);
}

/** One spelling for one address: IPv6 compressed, IPv4-mapped IPv6 as IPv4. What is no IP literal stays as it is. */
export function canonicalAddress(address: string): string {
  const family = isIP(address);
  if (family !== 6) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  return new SocketAddress({ address: address.replace(/%.*$/, ''), family: 'ipv6' }).address;
}

/** An address that media may be sent to at all: no name, no wildcard, broadcast or multicast, nothing local or link-local
 * unless the signalling came from there. */
export function isSendable(endpoint: Source, signallingAddress: string): boolean {
  const { address, port } = endpoint;
  if (!(port > 0 && port <= 65_535)) return false;
  const family = isIP(address);
  if (family === 0) return false;
  if (address === signallingAddress) return true;
  if (family === 6) return address !== '::' && address !== '::1' && !/^(ff|fe[89ab])/i.test(address);
  const [first = 0, second = 0] = address.split('.').map(Number);
  if (first === 0 || first >= 224) return false;
  if (first === 127) return signallingAddress.startsWith('127.');
  return !(first === 169 && second === 254);
}
