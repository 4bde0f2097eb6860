/**
 * Bytes of the longest frame, either way. The real server reads five length digits only and drops the connection at
 * 100,000; keeping its limit here keeps applications portable.
 */
export const FRAME_BYTES_MAX = 99_999;
const LENGTH_DIGITS_MAX = 5;
const HASH = 0x23;

export type FrameReject = 'bad-length' | 'zero-length';

/**
 * Cuts the byte stream of one control connection into frames: `<decimal byte length>#<payload>`. Works on bytes, since
 * a segment may end inside a length or inside a multi-byte character. Holds at most one frame and one segment.
 */
export class FrameReader {
  #chunks: Buffer[] = [];
  #held = 0;
  /** Bytes without which nothing can be completed: segments before that are only kept, not looked at again. */
  #needed = 1;
  #broken: FrameReject | undefined;

  /**
   * @param segment - what the socket delivered, any length.
   * @returns the payloads completed by it, in order, or why the connection must be dropped. Once broken, always broken.
   */
  push(segment: Buffer): readonly string[] | FrameReject {
    if (this.#broken) return this.#broken;
    this.#chunks.push(segment);
    this.#held += segment.length;
    if (this.#held < this.#needed) return [];
    const bytes = this.#chunks.length === 1 ? segment : Buffer.concat(this.#chunks);
    const payloads: string[] = [];
    let offset = 0;
    this.#needed = 1;
    while (offset < bytes.length) {
      const head = readLength(bytes, offset);
      if (head === 'incomplete') break;
      if (typeof head === 'string') return this.#refuse(head);
      if (bytes.length < head.start + head.length) {
        this.#needed = head.start + head.length - offset;
        break;
      }
      payloads.push(bytes.toString('utf8', head.start, head.start + head.length));
      offset = head.start + head.length;
    }
    this.#keep(bytes.subarray(offset));
    return payloads;
  }

  /** A copy, so that a small remainder does not keep the whole segment in memory. */
  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [Buffer.from(rest)];
    this.#held = rest.length;
    if (this.#needed === 1) this.#needed = rest.length + 1;
  }

  #refuse(reason: FrameReject): FrameReject {
    this.#broken = reason;
    this.#chunks = [];
    return reason;
  }
}

function readLength(bytes: Buffer, offset: number): { start: number; length: number } | 'incomplete' | FrameReject {
  let length = 0;
  for (let i = offset; i < bytes.length; i += 1) {
    const byte = bytes[i]!;
    if (byte === HASH) {
      if (i === offset) return 'bad-length';
      return length === 0 ? 'zero-length' : { start: i + 1, length };
    }
    if (byte < 0x30 || byte > 0x39 || i - offset >= LENGTH_DIGITS_MAX) return 'bad-length';
    length = length * 10 + (byte - 0x30);
  }
  return 'incomplete';
}
