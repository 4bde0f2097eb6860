import type { SrtpImplementation, SrtpReceiver, SrtpReject, SrtpSender } from '../srtp/contract.ts';
import type { SrtpKeyMaterial } from '../srtp/srtp-key.ts';
import { SRTP_TRAILER_BYTES_MAX } from '../srtp/srtp-suite.ts';

/** The keys of both directions of a call, as a media thread is told. */
export interface CallKeys {
  readonly send: SrtpKeyMaterial;
  readonly receive: readonly SrtpKeyMaterial[];
}

/** After new keys were agreed, what was on its way with the ones before is still heard. */
export const FORMER_KEYS_MS = 2_000;
/** What a key may protect where its owner says nothing (RFC 3711 §9.2). */
const LIFETIME_PACKETS = 2 ** 48;
/** Above any packet of a call. */
const PACKET_BYTES_MAX = 2_048;

type Opener = 'unprotectRtp' | 'unprotectRtcp';

/** One set of keys of the peer. */
interface Incoming {
  readonly keys: readonly SrtpKeyMaterial[];
  readonly receiver: SrtpReceiver;
  packetsLeft: number;
}

/**
 * SRTP of one call on its media thread. Without keys everything goes through as it is; with keys nothing does that is not authentic,
 * and nothing leaves that is not protected.
 */
export class CallSecurity {
  readonly counters = { forged: 0, replayed: 0 };
  #outgoing: { readonly key: SrtpKeyMaterial; readonly sender: SrtpSender } | undefined;
  #incoming: Incoming | undefined;
  #former: Incoming | undefined;
  #formerUntilMs = 0;
  #untouched: Buffer | undefined; // a datagram as it came, while two sets of keys are tried

  constructor(readonly srtp: SrtpImplementation) {}

  /** The suite in use; undefined: media is in the clear. */
  get suite(): string | undefined {
    return this.#outgoing?.key.suite;
  }

  /** What stays the same goes on where it is: its counters must not begin again. */
  configure(keys: CallKeys | undefined, nowMs: number): void {
    if (!keys) return this.close();
    if (!this.#outgoing || !sameKey(this.#outgoing.key, keys.send)) {
      this.#outgoing?.sender.close();
      this.#outgoing = { key: keys.send, sender: this.srtp.sender(keys.send) };
    }
    if (this.#incoming && sameKeys(this.#incoming.keys, keys.receive)) return;
    this.#former?.receiver.close();
    this.#former = this.#incoming;
    this.#formerUntilMs = nowMs + FORMER_KEYS_MS;
    const [first] = keys.receive;
    // Of several keys each one has a lifetime, and the peer goes from one to the next.
    const packetsLeft = keys.receive.length === 1 ? (first?.lifetimePackets ?? LIFETIME_PACKETS) : LIFETIME_PACKETS;
    this.#incoming = { keys: keys.receive, receiver: this.srtp.receiver(keys.receive), packetsLeft };
  }

  /** @param datagram - with room behind the packet. @returns bytes to send, 0 where nothing may be sent. */
  protectRtp(datagram: Buffer, bytes: number): number {
    return this.#outgoing ? this.#outgoing.sender.protectRtp(datagram, bytes) : bytes;
  }

  /** @returns what to send for `packet`; undefined where it may not be sent. */
  protectRtcp(packet: Buffer): Buffer | undefined {
    if (!this.#outgoing) return packet;
    const datagram = Buffer.concat([packet, Buffer.alloc(SRTP_TRAILER_BYTES_MAX)]);
    const bytes = this.#outgoing.sender.protectRtcp(datagram, packet.length);
    return bytes > 0 ? datagram.subarray(0, bytes) : undefined;
  }

  /** The packet that a datagram holds; undefined where it is none of the peer's. `datagram` is overwritten. */
  openRtp(datagram: Buffer, nowMs: number): Buffer | undefined {
    return this.#open('unprotectRtp', datagram, nowMs);
  }

  openRtcp(datagram: Buffer, nowMs: number): Buffer | undefined {
    return this.#open('unprotectRtcp', datagram, nowMs);
  }

  /** Forgets the keys. Idempotent. */
  close(): void {
    this.#outgoing?.sender.close();
    this.#incoming?.receiver.close();
    this.#former?.receiver.close();
    this.#outgoing = undefined;
    this.#incoming = undefined;
    this.#former = undefined;
  }

  #open(how: Opener, datagram: Buffer, nowMs: number): Buffer | undefined {
    const incoming = this.#incoming;
    if (!incoming) return datagram;
    if (datagram.length > PACKET_BYTES_MAX || incoming.packetsLeft <= 0) return undefined;
    if (this.#former) this.#keep(datagram, nowMs);
    let result = incoming.receiver[how](datagram);
    if (typeof result === 'number') incoming.packetsLeft -= 1;
    else if (this.#former) {
      this.#untouched?.copy(datagram, 0, 0, datagram.length);
      const before = this.#former.receiver[how](datagram);
      if (typeof before === 'number') result = before;
    }
    if (typeof result === 'number') return datagram.subarray(0, result);
    this.#count(result);
    return undefined;
  }

  /** Opening may spoil what it refuses. */
  #keep(datagram: Buffer, nowMs: number): void {
    if (nowMs >= this.#formerUntilMs) {
      this.#former?.receiver.close();
      this.#former = undefined;
      return;
    }
    this.#untouched ??= Buffer.alloc(PACKET_BYTES_MAX);
    datagram.copy(this.#untouched);
  }

  #count(reject: SrtpReject): void {
    if (reject === 'replayed') this.counters.replayed += 1;
    else if (reject !== 'malformed') this.counters.forged += 1; // phones send STUN, too, and what keeps a NAT open
  }
}

function sameKey(a: SrtpKeyMaterial, b: SrtpKeyMaterial): boolean {
  return a.suite === b.suite && sameBytes(a.bytes, b.bytes) && sameBytes(a.mki, b.mki);
}

const sameKeys = (a: readonly SrtpKeyMaterial[], b: readonly SrtpKeyMaterial[]): boolean =>
  a.length === b.length && a.every((key, index) => sameKey(key, b[index] as SrtpKeyMaterial));

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (!a || !b) return a === b;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
