/** Ogg pages (RFC 3533): cutting a file into them, and writing packets into them. Reading takes any bytes, never throws. */

const HEADER_BYTES = 27;
const SEGMENTS_MAX = 255;
const SEGMENT_BYTES = 255;
const FIRST = 0x02;
const LAST = 0x04;

export interface OggPage {
  /** The whole page, a view into the file. */
  readonly bytes: Uint8Array;
  readonly serial: number;
  readonly body: Uint8Array;
}

/** The pages of a file in order. Junk between pages is skipped; a page that the file cuts off is not given. */
export function* oggPages(file: Uint8Array): Generator<OggPage> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for (let at = bytes.indexOf('OggS'); at >= 0 && at + HEADER_BYTES <= bytes.length; ) {
    const segments = bytes[at + 26]!;
    const bodyAt = at + HEADER_BYTES + segments;
    let end = bodyAt;
    for (let i = 0; i < segments; i += 1) end += bytes[at + HEADER_BYTES + i] ?? 0;
    if (end > bytes.length) {
      at = bytes.indexOf('OggS', at + 4); // perhaps only this header lies
      continue;
    }
    yield {
      bytes: bytes.subarray(at, end),
      serial: bytes.readUInt32LE(at + 14),
      body: bytes.subarray(bodyAt, end),
    };
    at = bytes.indexOf('OggS', end);
  }
}

/** CRC of RFC 3533 §6: polynomial 0x04c11db7, not reflected, no inversion. */
const CRC_TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value >>> 0;
});

export function oggCrc(page: Uint8Array): number {
  let crc = 0;
  for (const byte of page) crc = (crc << 8) ^ CRC_TABLE[((crc >>> 24) ^ byte) & 0xff]!;
  return crc >>> 0;
}

/** Writes the packets of one logical stream into pages. Packets are at most 255 x 255 - 1 bytes, so none spans two pages. */
export class OggWriter {
  #sequence = 0;
  #packets: Uint8Array[] = [];
  #segments = 0;
  #granule = 0;

  constructor(readonly serial: number) {}

  /** @param granule - position after this packet. @returns pages that became full; often none. */
  add(packet: Uint8Array, granule: number): Uint8Array {
    const segments = Math.floor(packet.length / SEGMENT_BYTES) + 1;
    if (segments > SEGMENTS_MAX) throw new RangeError('an Ogg packet of more than 65,024 bytes');
    const full = this.#segments + segments > SEGMENTS_MAX ? this.flush() : new Uint8Array(0);
    this.#packets.push(packet);
    this.#segments += segments;
    this.#granule = granule;
    return full;
  }

  /** Packets waiting for their page. */
  get waiting(): number {
    return this.#packets.length;
  }

  /**
   * The page of what waits, empty when nothing does.
   *
   * @param lastGranule - makes it the last page, whose position may cut off the end of its last packet (RFC 7845 §4.4).
   */
  flush(lastGranule?: number): Uint8Array {
    if (this.#packets.length === 0) return new Uint8Array(0);
    const last = lastGranule !== undefined;
    const bodyBytes = this.#packets.reduce((sum, packet) => sum + packet.length, 0);
    const page = Buffer.alloc(HEADER_BYTES + this.#segments + bodyBytes);
    page.write('OggS', 0, 'latin1');
    page[5] = (this.#sequence === 0 ? FIRST : 0) | (last ? LAST : 0);
    page.writeBigUInt64LE(BigInt(lastGranule ?? this.#granule), 6);
    page.writeUInt32LE(this.serial >>> 0, 14);
    page.writeUInt32LE(this.#sequence, 18);
    page[26] = this.#segments;
    this.#writeBody(page);
    page.writeUInt32LE(oggCrc(page), 22);
    this.#sequence += 1;
    this.#packets = [];
    this.#segments = 0;
    return page;
  }

  #writeBody(page: Buffer): void {
    let segment = HEADER_BYTES;
    let at = HEADER_BYTES + this.#segments;
    for (const packet of this.#packets) {
      let left = packet.length;
      for (; left >= SEGMENT_BYTES; left -= SEGMENT_BYTES) page[segment++] = SEGMENT_BYTES;
      page[segment++] = left; // a multiple of 255 ends with a segment of 0
      page.set(packet, at);
      at += packet.length;
    }
  }
}
