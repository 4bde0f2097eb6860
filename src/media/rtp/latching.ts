import { distance16, distance32, uint32 } from '../../core/uint.ts';
import { TICKS_PER_MS } from '../codec/codec.ts';
import type { MediaEndpoint } from '../description.ts';
import { type RemoteEndpoint, type Source, type SourceRank, sameSource } from './remote-endpoint.ts';

/**
 * Symmetric RTP: who may be heard, and where we may send. The SDP address is heard at once; anybody else has to prove
 * itself with a run of valid packets, and is then locked in by address, port and SSRC. Only a better-founded source, or the
 * same one after it fell silent, takes over.
 */

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
/** Lost packets tolerated inside a run. */
const MAX_RUN_GAP = 5;

/** Streams that one port remembers from the calls before. */
const MAX_FORMER = 8;
/** A stream is still the former one while its clock goes on from where it was, give or take this much. */
const FORMER_CLOCK_MS = 2_000;

/** A stream heard in an earlier call of the same port. Its sender may not have noticed that the call is over. */
export interface FormerStream extends Source {
  readonly ssrc: number;
  readonly timestamp: number; // of its last packet
  readonly atMs: number; // monotonicMs of that packet
}

/** What latching looks at in a packet. */
export interface StreamPacket {
  readonly ssrc: number;
  readonly sequence: number;
  readonly timestamp: number;
}

interface Locked {
  readonly source: Source; // the object that comes with each of its packets: known without a look into it
  readonly rank: SourceRank;
  readonly sinceMs: number;
  ssrc: number;
  timestamp: number;
  lastHeardMs: number;
}

interface Run extends Source {
  ssrc: number;
  sequence: number;
  count: number;
}

/** `latched`: accepted, and from now on the source. `wait`: valid so far, not yet believed. */
export type LatchVerdict = 'accept' | 'latched' | 'wait' | 'reject';

/** Decides by the packets that arrive who the peer of a call is, and tells its `RemoteEndpoint`. */
export class Latching {
  #locked: Locked | undefined;
  readonly #runs = new Map<string, Run>(); // one per rank and one for a new SSRC, so a stranger cannot disturb a better run
  #hasRuns = false;
  readonly #heard: FormerStream[] = []; // of this call, before the one that is locked
  readonly #stillSending = new Set<FormerStream>();

  /** @param former - streams of earlier calls on this port: not heard unless SDP names their source again. */
  constructor(
    readonly remote: RemoteEndpoint,
    readonly former: readonly FormerStream[] = [],
  ) {}

  /** Applies SDP. @returns true when the peer moved: whoever was locked in has to prove itself again. */
  configure(remote: MediaEndpoint, signallingAddress: string): boolean {
    if (!this.remote.describe(remote, signallingAddress)) return false;
    this.#unlock();
    return true;
  }

  /** Judges the source of one valid RTP packet. */
  receive(from: Source, packet: StreamPacket, nowMs: number): LatchVerdict {
    const locked = this.#locked;
    if (locked && sameSource(locked.source, from)) return this.#fromLocked(locked, packet, nowMs);
    const rank = this.remote.rank(from);
    if (rank !== 'described' && this.#isFormer(from, packet, nowMs)) return 'reject';
    const needed = this.#packetsNeeded(rank, packet.ssrc, nowMs);
    if (needed === undefined) return 'reject';
    if (this.#extendRun(rank, from, packet) < needed) return 'wait';
    this.#unlock();
    const { ssrc, timestamp } = packet;
    this.#locked = { source: from, rank, ssrc, timestamp, sinceMs: nowMs, lastHeardMs: nowMs };
    this.remote.lock(from);
    return 'latched';
  }

  /** Whether a packet of that stream from there could count at all; changes nothing. */
  mayBelieve(from: Source, ssrc: number, nowMs: number): boolean {
    if (sameSource(this.#locked?.source, from)) return true;
    return this.#packetsNeeded(this.remote.rank(from), ssrc, nowMs) !== undefined;
  }

  /** What the next call of this port must not hear: this call's streams, and the former ones that never stopped. */
  streams(): FormerStream[] {
    const own = this.#locked ? [...this.#heard, formerOf(this.#locked)] : this.#heard;
    return [...this.#stillSending, ...own].slice(-MAX_FORMER);
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

  #fromLocked(locked: Locked, packet: StreamPacket, nowMs: number): LatchVerdict {
    if (packet.ssrc !== locked.ssrc) {
      const run = this.#extendRun('ssrc', locked.source, packet);
      if (run < PACKETS_OF_NEW_SSRC) return 'wait';
      this.#remember(locked);
      locked.ssrc = packet.ssrc;
    }
    if (this.#hasRuns) this.#endRuns();
    locked.lastHeardMs = nowMs;
    locked.timestamp = packet.timestamp;
    return 'accept';
  }

  #packetsNeeded(rank: SourceRank, ssrc: number, nowMs: number): number | undefined {
    const locked = this.#locked;
    if (!this.remote.described) return undefined;
    if (!locked) return PACKETS_TO_LATCH[rank];
    if (RANK_ORDER[rank] > RANK_ORDER[locked.rank]) return PACKETS_TO_REPLACE;
    if (!this.isSilent(nowMs)) return undefined;
    if (ssrc === locked.ssrc) return PACKETS_TO_REPLACE;
    return rank === 'stranger' ? undefined : PACKETS_AFTER_SILENCE;
  }

  #extendRun(key: string, source: Source, { ssrc, sequence }: StreamPacket): number {
    const run = this.#runs.get(key);
    if (run && run.ssrc === ssrc && sameSource(run, source)) {
      const step = distance16(run.sequence, sequence);
      if (step > 0 && step <= MAX_RUN_GAP) {
        run.sequence = sequence;
        run.count += 1;
        return run.count;
      }
    }
    this.#hasRuns = true;
    this.#runs.set(key, { address: source.address, port: source.port, ssrc, sequence, count: 1 });
    return 1;
  }

  /** A device may use one SSRC for all its calls: the former stream is known by its clock, too. */
  #isFormer(from: Source, { ssrc, timestamp }: StreamPacket, nowMs: number): boolean {
    for (const stream of this.former) {
      if (stream.ssrc !== ssrc || !sameSource(stream, from)) continue;
      const expected = uint32(Math.round(stream.timestamp + (nowMs - stream.atMs) * TICKS_PER_MS));
      if (Math.abs(distance32(expected, timestamp)) > FORMER_CLOCK_MS * TICKS_PER_MS) continue;
      this.#stillSending.add(stream);
      return true;
    }
    return false;
  }

  #unlock(): void {
    if (this.#locked) this.#remember(this.#locked);
    this.#locked = undefined;
    this.#endRuns();
  }

  #endRuns(): void {
    this.#hasRuns = false;
    this.#runs.clear();
  }

  #remember(locked: Locked): void {
    if (this.#heard.length >= MAX_FORMER) this.#heard.shift();
    this.#heard.push(formerOf(locked));
  }
}

function formerOf({ source, ssrc, timestamp, lastHeardMs }: Locked): FormerStream {
  const { address, port } = source;
  return { address, port, ssrc, timestamp, atMs: lastHeardMs };
}
