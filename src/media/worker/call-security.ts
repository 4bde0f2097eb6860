import type { SrtpImplementation, SrtpReceiver, SrtpReject, SrtpSender } from '../srtp/contract.ts';
import { packetIndex } from '../srtp/packet-index.ts';
import type { SrtpKeyMaterial } from '../srtp/srtp-key.ts';
import { rtpSsrc, SRTP_PACKET_BYTES_MAX } from '../srtp/srtp-packet.ts';
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

/** Packets after which the rollover counter is 1. */
const TURN_PACKETS = 65_536;

type Opener = 'unprotectRtp' | 'unprotectRtcp';

/** One set of keys of the peer. */
interface Incoming {
  readonly keys: readonly SrtpKeyMaterial[];
  receiver: SrtpReceiver;
  /** Counts on from where the stream was; gone as soon as it is known how the peer counts. */
  resumed: SrtpReceiver | undefined;
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
  /** Where both streams are. */
  #sentIndex: number | undefined;
  #heard: { ssrc: number; highest: number } | undefined;
  #formerUntilMs = 0;
  #untouched: Buffer | undefined; // a datagram as it came, while two sets of keys are tried

  constructor(readonly srtp: SrtpImplementation) {}

  /** The suite in use; undefined: media is in the clear. */
  get suite(): string | undefined {
    return this.#outgoing?.key.suite;
  }

  /**
   * What stays the same goes on where it is: its counters must not begin again.
   *
   * @returns true where our next packet has to be the first of a new SSRC. With new keys some peers begin the rollover counter at 0,
   *   and some count on (RFC 3711 §3.3.1 wants that, RFC 4568 §7.1.4 the other, where an address changed): of a new stream all begin at 0.
   */
  configure(keys: CallKeys | undefined, nowMs: number): boolean {
    if (!keys) {
      const sentIndex = this.#sentIndex;
      this.close();
      this.#sentIndex = sentIndex;
      return false;
    }
    const isNew = this.#configureSender(keys.send);
    if (!this.#incoming || !sameKeys(this.#incoming.keys, keys.receive)) this.#configureReceiver(keys, nowMs);
    return isNew;
  }

  #configureSender(key: SrtpKeyMaterial): boolean {
    if (this.#outgoing && sameKey(this.#outgoing.key, key)) return false;
    // After a time in the clear, too: the key may be the one that was used before it, and the index must not come again with it.
    const isNew = this.#outgoing ? (this.#sentIndex ?? 0) >= TURN_PACKETS : this.#sentIndex !== undefined;
    this.#outgoing?.sender.close();
    this.#outgoing = { key, sender: this.srtp.sender(key) };
    if (isNew) this.#sentIndex = undefined;
    return isNew;
  }

  #configureReceiver(keys: CallKeys, nowMs: number): void {
    closeIncoming(this.#former);
    this.#former = this.#incoming;
    this.#formerUntilMs = nowMs + FORMER_KEYS_MS;
    const [first] = keys.receive;
    // Of several keys each one has a lifetime, and the peer goes from one to the next.
    const packetsLeft = keys.receive.length === 1 ? (first?.lifetimePackets ?? LIFETIME_PACKETS) : LIFETIME_PACKETS;
    const heard = this.#former && this.#heard;
    const resumed = heard && heard.highest >= TURN_PACKETS ? this.srtp.receiver(keys.receive, heard) : undefined;
    this.#incoming = { keys: keys.receive, receiver: this.srtp.receiver(keys.receive), resumed, packetsLeft };
  }

  /** @param datagram - with room behind the packet. @returns bytes to send, 0 where nothing may be sent. */
  protectRtp(datagram: Buffer, bytes: number): number {
    if (!this.#outgoing) return bytes;
    this.#sentIndex = packetIndex(datagram.readUInt16BE(2), this.#sentIndex);
    return this.#outgoing.sender.protectRtp(datagram, bytes);
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
    const packet = this.#open('unprotectRtp', datagram, nowMs);
    if (packet && this.#incoming) this.#follow(packet);
    return packet;
  }

  openRtcp(datagram: Buffer, nowMs: number): Buffer | undefined {
    return this.#open('unprotectRtcp', datagram, nowMs);
  }

  /** Forgets the keys. Idempotent. */
  close(): void {
    this.#outgoing?.sender.close();
    closeIncoming(this.#incoming);
    closeIncoming(this.#former);
    this.#sentIndex = undefined;
    this.#heard = undefined;
    this.#outgoing = undefined;
    this.#incoming = undefined;
    this.#former = undefined;
  }

  #open(how: Opener, datagram: Buffer, nowMs: number): Buffer | undefined {
    const incoming = this.#incoming;
    if (!incoming) return datagram;
    if (datagram.length > SRTP_PACKET_BYTES_MAX || incoming.packetsLeft <= 0) return undefined;
    this.#dropFormer(nowMs);
    if (this.#former || incoming.resumed) this.#keep(datagram);
    let result = incoming.receiver[how](datagram);
    if (typeof result === 'string' && incoming.resumed) result = this.#resume(incoming, how, datagram) ?? result;
    if (typeof result === 'number') {
      incoming.packetsLeft -= 1;
      if (how === 'unprotectRtp') incoming.resumed = undefined;
    } else if (this.#former) {
      const before = this.#former.receiver[how](this.#again(datagram));
      if (typeof before === 'number') result = before;
    }
    if (typeof result === 'number') return datagram.subarray(0, result);
    this.#count(result);
    return undefined;
  }

  /** The peer may count on. Then that receiver is the right one. */
  #resume(incoming: Incoming, how: Opener, datagram: Buffer): number | undefined {
    const result = incoming.resumed?.[how](this.#again(datagram));
    if (typeof result !== 'number') return undefined;
    if (incoming.resumed && how === 'unprotectRtp') {
      incoming.receiver.close();
      incoming.receiver = incoming.resumed;
    }
    return result;
  }

  #follow(packet: Buffer): void {
    const ssrc = rtpSsrc(packet);
    const before = this.#heard?.ssrc === ssrc ? this.#heard.highest : undefined;
    const index = packetIndex(packet.readUInt16BE(2), before);
    if (before === undefined) this.#heard = { ssrc, highest: index };
    else if (this.#heard && index > before) this.#heard.highest = index;
  }

  #dropFormer(nowMs: number): void {
    if (!this.#former || nowMs < this.#formerUntilMs) return;
    closeIncoming(this.#former);
    this.#former = undefined;
  }

  /** Opening may spoil what it refuses. */
  #keep(datagram: Buffer): void {
    this.#untouched ??= Buffer.alloc(SRTP_PACKET_BYTES_MAX);
    datagram.copy(this.#untouched);
  }

  #again(datagram: Buffer): Buffer {
    this.#untouched?.copy(datagram, 0, 0, datagram.length);
    return datagram;
  }

  #count(reject: SrtpReject): void {
    if (reject === 'replayed') this.counters.replayed += 1;
    else if (reject !== 'malformed') this.counters.forged += 1; // phones send STUN, too, and what keeps a NAT open
  }
}

function closeIncoming(incoming: Incoming | undefined): void {
  incoming?.receiver.close();
  incoming?.resumed?.close();
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
