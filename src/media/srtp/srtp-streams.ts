import {
  REPLAY_WINDOW_PACKETS,
  RTCP_WINDOW_PACKETS,
  SRTP_STREAMS_MAX,
  type SrtpImplementation,
  type SrtpReceiver,
  type SrtpReject,
  type SrtpSender,
  type StreamPosition,
} from './contract.ts';
import { sessionKeys } from './key-derivation.ts';
import type { PacketCipher, PacketCiphers } from './packet-cipher.ts';
import { packetIndex, ReplayWindow } from './packet-index.ts';
import type { SrtpKeyMaterial } from './srtp-key.ts';
import {
  isWholeRtcp,
  isWholeRtp,
  RTCP_CLEAR_BYTES,
  rtcpIndexAt,
  rtcpSsrc,
  rtpHeaderBytes,
  rtpSsrc,
  SRTP_PACKET_BYTES_MAX,
} from './srtp-packet.ts';
import { SRTP_SUITES, type SrtpSuite } from './srtp-suite.ts';

/** Packets that one key may protect (RFC 3711 §9.2). */
const RTP_INDEX_MAX = 2 ** 48 - 1;
const RTCP_INDEX_MAX = 2 ** 31 - 1;

/** SRTP with the ciphers of one library: everything but the cryptography is the same. */
export const srtpBy = (name: SrtpImplementation['name'], ciphers: PacketCiphers): SrtpImplementation => ({
  name,
  sender: (key) => new Sender(ciphersOf(ciphers, key)),
  receiver: (keys, from) => new Receiver(ciphers, keys, from),
});

/** The ciphers of one master key. */
interface KeyCiphers {
  readonly rtp: PacketCipher;
  readonly rtcp: PacketCipher;
}

function ciphersOf(ciphers: PacketCiphers, { suite, bytes }: SrtpKeyMaterial): KeyCiphers {
  const { cipher, tagBytes, rtcpTagBytes } = SRTP_SUITES[suite];
  const [rtp, rtcp] = [sessionKeys(suite, bytes, 'rtp'), sessionKeys(suite, bytes, 'rtcp')];
  return cipher === 'gcm'
    ? { rtp: ciphers.galois(rtp), rtcp: ciphers.galois(rtcp) }
    : { rtp: ciphers.counterMode(rtp, tagBytes), rtcp: ciphers.counterMode(rtcp, rtcpTagBytes) };
}

function closeCiphers({ rtp, rtcp }: KeyCiphers): void {
  rtp.close();
  rtcp.close();
}

class Sender implements SrtpSender {
  #ssrc: number | undefined;
  #highest: number | undefined;
  #nextRtcp = 0;
  #closed = false;

  constructor(readonly ciphers: KeyCiphers) {}

  protectRtp(datagram: Buffer, bytes: number): number {
    const clearBytes = rtpHeaderBytes(datagram, bytes);
    if (clearBytes === undefined || bytes > SRTP_PACKET_BYTES_MAX || this.#closed) return 0;
    const ssrc = rtpSsrc(datagram);
    if (ssrc !== this.#ssrc) this.#highest = undefined;
    this.#ssrc = ssrc;
    const index = packetIndex(datagram.readUInt16BE(2), this.#highest);
    if (index > RTP_INDEX_MAX) return 0;
    this.#highest = Math.max(index, this.#highest ?? 0);
    return this.ciphers.rtp.seal(datagram, bytes, { clearBytes, ssrc, index });
  }

  protectRtcp(datagram: Buffer, bytes: number): number {
    if (bytes < RTCP_CLEAR_BYTES || bytes > SRTP_PACKET_BYTES_MAX || this.#closed) return 0;
    if (this.#nextRtcp > RTCP_INDEX_MAX) return 0;
    const place = { clearBytes: RTCP_CLEAR_BYTES, ssrc: rtcpSsrc(datagram), index: this.#nextRtcp };
    this.#nextRtcp += 1;
    return this.ciphers.rtcp.sealRtcp(datagram, bytes, place);
  }

  close(): void {
    if (!this.#closed) closeCiphers(this.ciphers);
    this.#closed = true;
  }
}

/** What is known of one SSRC. */
interface StreamState {
  readonly rtp: ReplayWindow;
  readonly rtcp: ReplayWindow;
}

interface ReceiveKey extends KeyCiphers {
  readonly mki: Buffer | undefined;
}

class Receiver implements SrtpReceiver {
  readonly #suite: SrtpSuite;
  readonly #keys: readonly ReceiveKey[];
  readonly #mkiBytes: number;
  readonly #streams = new Map<number, StreamState>();
  #closed = false;

  constructor(ciphers: PacketCiphers, keys: readonly SrtpKeyMaterial[], from?: StreamPosition) {
    const [first] = keys;
    if (!first) throw new RangeError('a receiver has one key at least');
    this.#suite = first.suite;
    this.#mkiBytes = first.mki?.length ?? 0;
    this.#keys = keys.map((key) => ({ ...ciphersOf(ciphers, key), mki: key.mki && Buffer.from(key.mki) }));
    if (from) this.#newStream(from.ssrc).rtp.highest = from.highest;
  }

  unprotectRtp(datagram: Buffer): number | SrtpReject {
    if (this.#closed || !isWholeRtp(this.#suite, datagram, this.#mkiBytes)) return 'malformed';
    const { cipher, tagBytes } = SRTP_SUITES[this.#suite];
    const ssrc = rtpSsrc(datagram);
    const stream = this.#streams.get(ssrc);
    if (!stream && this.#streams.size >= SRTP_STREAMS_MAX) return 'too-many-streams';
    const index = packetIndex(datagram.readUInt16BE(2), stream?.rtp.highest);
    if (stream && !stream.rtp.isNew(index)) return 'replayed';
    const bytes = datagram.length - tagBytes - this.#mkiBytes;
    const behindTag = cipher === 'gcm'; // where the MKI stands (RFC 7714 §8.2)
    const key = this.#keyAt(datagram, behindTag ? bytes + tagBytes : bytes);
    if (!key) return 'unknown-key';
    const clearBytes = rtpHeaderBytes(datagram, bytes) ?? bytes;
    const tagAt = behindTag ? bytes : bytes + this.#mkiBytes;
    if (!key.rtp.open(datagram, bytes, tagAt, { clearBytes, ssrc, index })) return 'forged';
    (stream ?? this.#newStream(ssrc)).rtp.add(index);
    return bytes;
  }

  unprotectRtcp(datagram: Buffer): number | SrtpReject {
    if (this.#closed || !isWholeRtcp(this.#suite, datagram, this.#mkiBytes)) return 'malformed';
    const { cipher, rtcpTagBytes } = SRTP_SUITES[this.#suite];
    const ssrc = rtcpSsrc(datagram);
    const stream = this.#streams.get(ssrc);
    if (!stream && this.#streams.size >= SRTP_STREAMS_MAX) return 'too-many-streams';
    const indexAt = rtcpIndexAt(this.#suite, datagram.length, this.#mkiBytes);
    const index = datagram.readUInt32BE(indexAt) % 2 ** 31;
    if (stream && !stream.rtcp.isNew(index)) return 'replayed';
    const behindIndex = indexAt + 4;
    const key = this.#keyAt(datagram, behindIndex);
    if (!key) return 'unknown-key';
    const bytes = cipher === 'gcm' ? indexAt - rtcpTagBytes : indexAt;
    const tagAt = cipher === 'gcm' ? bytes : behindIndex + this.#mkiBytes;
    const place = { clearBytes: RTCP_CLEAR_BYTES, ssrc, index };
    if (!key.rtcp.openRtcp(datagram, bytes, tagAt, indexAt, place)) return 'forged';
    (stream ?? this.#newStream(ssrc)).rtcp.add(index);
    return bytes;
  }

  close(): void {
    if (!this.#closed) this.#keys.forEach(closeCiphers);
    this.#closed = true;
    this.#streams.clear();
  }

  /** The key that the packet names, or the only one. */
  #keyAt(datagram: Buffer, at: number): ReceiveKey | undefined {
    if (this.#mkiBytes === 0) return this.#keys[0];
    const named = datagram.subarray(at, at + this.#mkiBytes);
    return this.#keys.find(({ mki }) => mki?.equals(named));
  }

  #newStream(ssrc: number): StreamState {
    const stream = { rtp: new ReplayWindow(REPLAY_WINDOW_PACKETS), rtcp: new ReplayWindow(RTCP_WINDOW_PACKETS) };
    this.#streams.set(ssrc, stream);
    return stream;
  }
}
