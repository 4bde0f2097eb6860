/** The two header packets of an Ogg Opus stream (RFC 7845 §5). */

const HEAD_BYTES = 19;
/** Opus counts in 48 kHz whatever the input was. */
export const OPUS_CLOCK_HZ = 48_000;

export interface OpusHead {
  readonly channels: number; // 1..255
  readonly preSkip: number; // samples at 48 kHz to drop at the start
}

/** Reads the identification header, which WebM keeps as the track's private data too (RFC 7845 §5.1). */
export function readOpusHead(packet: Uint8Array): OpusHead | undefined {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, 8) !== 'OpusHead') return undefined;
  const channels = bytes[9]!;
  return channels === 0 ? undefined : { channels, preSkip: bytes.readUInt16LE(10) };
}

/** Mono or stereo, mapping family 0. `inputRateHz` only says what the encoder was given. */
export function opusHead(head: OpusHead, inputRateHz: number): Uint8Array {
  const packet = Buffer.alloc(HEAD_BYTES);
  packet.write('OpusHead', 0, 'latin1');
  packet[8] = 1; // version
  packet[9] = head.channels;
  packet.writeUInt16LE(head.preSkip, 10);
  packet.writeUInt32LE(inputRateHz, 12);
  return packet;
}

/** The comment header, without comments (RFC 7845 §5.2). */
export function opusTags(vendor: string): Uint8Array {
  const name = Buffer.from(vendor, 'utf8');
  const packet = Buffer.alloc(8 + 4 + name.length + 4);
  packet.write('OpusTags', 0, 'latin1');
  packet.writeUInt32LE(name.length, 8);
  name.copy(packet, 12);
  return packet;
}
