import { isIP, SocketAddress } from 'node:net';
import { distance16 } from '../core/uint.ts';
import type { MediaEndpoint } from './description.ts';

/**
 * Symmetric RTP: who may be heard, and where we may send. The SDP address is heard at once; anybody else has to prove
 * itself with a run of valid packets, and is then locked in by address, port and SSRC. Only a better-founded source, or the
 * same one after it fell silent, takes over.
 */

/** How well a source is founded: described by SDP; on a host that SDP or signalling names; unknown. */
export type SourceRank = 'described' | 'known-host' | 'stranger';
const RANK_ORDER: Readonly<Record<SourceRank, number>> = { described: 3, 'known-host': 2, stranger: 1 };
/**
 * Consecutive packets of one SSRC before a source is believed when nobody is locked in. A host that neither SDP nor signalling
 * named waits a second: a port scan has gone by then, and the right phone, if there is one, has spoken.
 */
export const PACKETS_TO_LATCH: Readonly<Record<SourceRank, number>> = { described: 1, 'known-host': 4, stranger: 50 };
/** And before it replaces another one, or a new SSRC replaces the old. */
const PACKETS_TO_REPLACE = 4;
const PACKETS_OF_NEW_SSRC = 3;
/** A known host with another SSRC, after the locked source fell silent. */
const PACKETS_AFTER_SILENCE = 8;
/** A locked source silent for this long may have moved: NAT rebinding, a handover between networks. */
export const REBIND_SILENCE_MS = 2_000;
/** The kernel filters a source of lower rank only after it has been the right one for so long. */
const SETTLED_MS = 5_000;
/** Packets to an SDP address that never answered and is not where the signalling came from: one second's worth. */
export const UNPROVEN_PACKETS_MAX = 50;
const MAX_PROVEN = 8;
/** Lost packets tolerated inside a run. */
const MAX_RUN_GAP = 5;

export interface Source {
  readonly address: string;
  readonly port: number;
}

interface Locked extends Source {
  readonly rank: SourceRank;
  readonly sinceMs: number;
  ssrc: number;
  lastHeardMs: number;
}

interface Run extends Source {
  ssrc: number;
  sequence: number;
  count: number;
}

/** `latched`: accepted, and from now on the source. `wait`: valid so far, not yet believed. */
export type LatchVerdict = 'accept' | 'latched' | 'wait' | 'reject';

export class Latching {
  #remote: MediaEndpoint | undefined;
  #signalling = '';
  #locked: Locked | undefined;
  #unprovenSent = 0;
  readonly #runs = new Map<string, Run>(); // one per rank and one for a new SSRC, so a stranger cannot disturb a better run
  readonly #proven: string[] = []; // addresses that were locked in before

  /** Applies SDP. @returns true when the peer moved: whoever was locked in has to prove itself again. */
  configure(remote: MediaEndpoint, signallingAddress: string): boolean {
    const next = { address: canonicalAddress(remote.address), port: remote.port };
    const moved =
      this.#remote !== undefined && (this.#remote.address !== next.address || this.#remote.port !== next.port);
    this.#remote = next;
    this.#signalling = canonicalAddress(signallingAddress);
    // A held peer says 0.0.0.0: it has not moved.
    if (!moved || !isSendable(next, this.#signalling) || sameSource(this.#locked, next)) return false;
    this.#locked = undefined;
    this.#unprovenSent = 0;
    this.#runs.clear();
    return true;
  }

  get locked(): Source | undefined {
    return this.#locked;
  }
  get signalling(): string {
    return this.#signalling;
  }

  /** Judges the source of one valid RTP packet. */
  receive(address: string, port: number, ssrc: number, sequence: number, nowMs: number): LatchVerdict {
    const locked = this.#locked;
    if (locked && locked.port === port && locked.address === address)
      return this.#fromLocked(locked, ssrc, sequence, nowMs);
    const rank = this.#rank(address, port);
    const needed = this.#packetsNeeded(rank, ssrc, nowMs);
    if (needed === undefined) return 'reject';
    if (this.#extendRun(rank, { address, port }, ssrc, sequence) < needed) return 'wait';
    this.#locked = { address, port, rank, ssrc, sinceMs: nowMs, lastHeardMs: nowMs };
    this.#runs.clear();
    this.#remember(address);
    return 'latched';
  }

  /**
   * Where a packet may go now. `proven` is false for an SDP address that has shown nothing yet: it gets silence, a
   * limited number of times, so that speech is not wasted on it and nobody is flooded. Report each packet with `sent`.
   */
  target(): (Source & { readonly proven: boolean }) | undefined {
    if (this.#locked) return { address: this.#locked.address, port: this.#locked.port, proven: true };
    const remote = this.#remote;
    if (!remote || !isSendable(remote, this.#signalling)) return undefined;
    const proven = remote.address === this.#signalling || this.#proven.includes(remote.address);
    if (!proven && this.#unprovenSent >= UNPROVEN_PACKETS_MAX) return undefined;
    return { address: remote.address, port: remote.port, proven };
  }

  /** One packet went to an unproven target. */
  sentUnproven(): void {
    this.#unprovenSent += 1;
  }

  /** Whether the kernel may filter for us: the source is the described one, or has long been the right one. */
  mayConnect(nowMs: number): boolean {
    const locked = this.#locked;
    if (!locked || this.isSilent(nowMs)) return false;
    return locked.rank === 'described' || nowMs - locked.sinceMs >= SETTLED_MS;
  }

  /** The locked source has stopped: listen to everybody again. */
  isSilent(nowMs: number): boolean {
    return this.#locked !== undefined && nowMs - this.#locked.lastHeardMs >= REBIND_SILENCE_MS;
  }

  #fromLocked(locked: Locked, ssrc: number, sequence: number, nowMs: number): LatchVerdict {
    if (ssrc !== locked.ssrc) {
      const run = this.#extendRun('ssrc', locked, ssrc, sequence);
      if (run < PACKETS_OF_NEW_SSRC) return 'wait';
      locked.ssrc = ssrc;
    }
    if (this.#runs.size > 0) this.#runs.clear();
    locked.lastHeardMs = nowMs;
    return 'accept';
  }

  #packetsNeeded(rank: SourceRank, ssrc: number, nowMs: number): number | undefined {
    const locked = this.#locked;
    if (!this.#remote) return undefined;
    if (!locked) return PACKETS_TO_LATCH[rank];
    if (RANK_ORDER[rank] > RANK_ORDER[locked.rank]) return PACKETS_TO_REPLACE;
    if (!this.isSilent(nowMs)) return undefined;
    if (ssrc === locked.ssrc) return PACKETS_TO_REPLACE;
    return rank === 'stranger' ? undefined : PACKETS_AFTER_SILENCE;
  }

  #extendRun(key: string, source: Source, ssrc: number, sequence: number): number {
    const run = this.#runs.get(key);
    if (run && run.ssrc === ssrc && sameSource(run, source)) {
      const step = distance16(run.sequence, sequence);
      if (step > 0 && step <= MAX_RUN_GAP) {
        run.sequence = sequence;
        run.count += 1;
        return run.count;
      }
    }
    this.#runs.set(key, { address: source.address, port: source.port, ssrc, sequence, count: 1 });
    return 1;
  }

  #rank(address: string, port: number): SourceRank {
    const remote = this.#remote;
    if (remote?.address === address && remote.port === port) return 'described';
    return remote?.address === address || this.#signalling === address ? 'known-host' : 'stranger';
  }

  #remember(address: string): void {
    if (this.#proven.includes(address)) return;
    if (this.#proven.length >= MAX_PROVEN) this.#proven.shift();
    this.#proven.push(address);
  }
}

function sameSource(a: Source | undefined, b: Source): boolean {
  return a !== undefined && a.port === b.port && a.address === b.address;
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
