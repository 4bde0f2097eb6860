import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import type { SrtpSender } from '../../src/media/srtp/contract.ts';
import { SRTP_TRAILER_BYTES_MAX } from '../../src/media/srtp/srtp-suite.ts';

/** One RTP packet in the clear, PCMU. */
export function rtpBytes(ssrc: number, sequence: number, payload: Buffer, timestamp = sequence * 160): Buffer {
  const header = Buffer.alloc(12);
  writeRtpHeader(header, 0, false, sequence & 0xffff, timestamp >>> 0, ssrc);
  return Buffer.concat([header, payload]);
}

/** One receiver report without blocks, and 8 bytes of a goodbye. */
export function rtcpBytes(ssrc: number): Buffer {
  const packet = Buffer.from('80c900010000000081cb000100000000', 'hex');
  packet.writeUInt32BE(ssrc, 4);
  packet.writeUInt32BE(ssrc, 12);
  return packet;
}

/** What goes over the wire for a packet. */
export function sealed(sender: SrtpSender, packet: Buffer): Buffer {
  const datagram = Buffer.concat([packet, Buffer.alloc(SRTP_TRAILER_BYTES_MAX)]);
  return Buffer.from(datagram.subarray(0, sender.protectRtp(datagram, packet.length)));
}

export function sealedRtcp(sender: SrtpSender, packet: Buffer): Buffer {
  const datagram = Buffer.concat([packet, Buffer.alloc(SRTP_TRAILER_BYTES_MAX)]);
  return Buffer.from(datagram.subarray(0, sender.protectRtcp(datagram, packet.length)));
}
