import { addressBytes } from '../message/host-port.ts';

/** One captured message (HEP3, https://github.com/sipcapture/HEP, revision 12). */
export interface HepMessage {
  readonly source: { readonly address: string; readonly port: number };
  readonly destination: { readonly address: string; readonly port: number };
  readonly overUdp: boolean; // else TCP, with or without TLS or WebSocket
  readonly at: Date;
  readonly captureId: number; // uint32
  readonly password?: string | undefined;
  readonly payload: Buffer;
}

/** Types of the generic vendor, 0. */
const CHUNK = {
  family: 1,
  protocol: 2,
  source4: 3,
  destination4: 4,
  source6: 5,
  destination6: 6,
  sourcePort: 7,
  destinationPort: 8,
  seconds: 9,
  microseconds: 10,
  payloadType: 11,
  captureId: 12,
  password: 14,
  payload: 15,
};
const FAMILY = { ipv4: 2, ipv6: 10 };
const IP_PROTOCOL = { tcp: 6, udp: 17 };
const SIP = 1;
const MAGIC = Buffer.from('HEP3');
/** Of a whole packet, whose length is a uint16. */
export const HEP_BYTES_MAX = 65_535;
const CHUNK_HEAD_BYTES = 6;

/** The packet, or undefined for a message that does not fit into one. All numbers are big-endian. */
export function encodeHep(message: HepMessage): Buffer | undefined {
  const { source, destination, at, payload, password } = message;
  const [from, to] = sameFamily(source.address, destination.address);
  const isV6 = from.length === 16;
  const ms = at.getTime();
  const chunks = [
    chunk(CHUNK.family, uint8(isV6 ? FAMILY.ipv6 : FAMILY.ipv4)),
    chunk(CHUNK.protocol, uint8(message.overUdp ? IP_PROTOCOL.udp : IP_PROTOCOL.tcp)),
    chunk(isV6 ? CHUNK.source6 : CHUNK.source4, from),
    chunk(isV6 ? CHUNK.destination6 : CHUNK.destination4, to),
    chunk(CHUNK.sourcePort, uint16(source.port)),
    chunk(CHUNK.destinationPort, uint16(destination.port)),
    chunk(CHUNK.seconds, uint32(Math.floor(ms / 1000))),
    chunk(CHUNK.microseconds, uint32((ms % 1000) * 1000)),
    chunk(CHUNK.payloadType, uint8(SIP)),
    chunk(CHUNK.captureId, uint32(message.captureId)),
    ...(password === undefined ? [] : [chunk(CHUNK.password, Buffer.from(password, 'utf8'))]),
  ];
  const bytes = chunks.reduce((sum, each) => sum + each.length, MAGIC.length + 2 + CHUNK_HEAD_BYTES + payload.length);
  if (bytes > HEP_BYTES_MAX) return undefined;
  return Buffer.concat([MAGIC, uint16(bytes), ...chunks, chunk(CHUNK.payload, payload)]);
}

/** Both of one family: a socket for IPv6 has IPv4 peers too. */
function sameFamily(source: string, destination: string): readonly [Buffer, Buffer] {
  const both = [addressBytes(source), addressBytes(destination)] as const;
  if (both[0].length === both[1].length) return both;
  const wide = (bytes: Buffer): Buffer => (bytes.length === 16 ? bytes : Buffer.concat([MAPPED, bytes]));
  return [wide(both[0]), wide(both[1])];
}
/** ::ffff:0:0/96. */
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex');

function chunk(type: number, value: Buffer): Buffer {
  return Buffer.concat([uint16(0), uint16(type), uint16(CHUNK_HEAD_BYTES + value.length), value]);
}

const uint8 = (value: number): Buffer => Buffer.from([value]);
function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.round(value));
  return bytes;
}
