/**
 * What the gateway and its speech process say to each other, one connection a sentence: an order goes out; `hello` (it is
 * alive), samples, then `done` or `failed` come back. A frame is its kind (1 byte), the payload's length (4 bytes, little
 * endian), the payload.
 */
export const FRAME = { order: 1, hello: 2, samples: 3, done: 4, failed: 5 } as const;

export interface Frame {
  readonly kind: number; // of FRAME
  readonly payload: Buffer;
}

/** Far above any order (5,000 characters) and any piece of audio (64 kB of the program's output). */
const PAYLOAD_MAX = 8 * 1024 * 1024;
const HEADER_BYTES = 5;

export function encodeFrame(kind: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.byteLength);
  frame.writeUInt8(kind, 0);
  frame.writeUInt32LE(payload.byteLength, 1);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

export function encodeJson(kind: number, value: unknown): Buffer {
  return encodeFrame(kind, Buffer.from(JSON.stringify(value), 'utf8'));
}

/** Samples travel in the byte order of the machine, which both ends share. */
export function encodeSamples(samples: Int16Array): Buffer {
  return encodeFrame(FRAME.samples, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
}

export function decodeSamples(payload: Buffer): Int16Array {
  const samples = new Int16Array(payload.byteLength >> 1);
  new Uint8Array(samples.buffer).set(payload.subarray(0, samples.byteLength));
  return samples;
}

/** Cuts a byte stream into frames, wherever the reads fall. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** @returns the frames completed by `bytes`. @throws Error when a length is beyond all reason. */
  push(bytes: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    let at = 0;
    while (this.#rest.length - at >= HEADER_BYTES) {
      const length = this.#rest.readUInt32LE(at + 1);
      if (length > PAYLOAD_MAX) throw new Error('a frame is too long');
      const end = at + HEADER_BYTES + length;
      if (this.#rest.length < end) break;
      frames.push({ kind: this.#rest.readUInt8(at), payload: this.#rest.subarray(at + HEADER_BYTES, end) });
      at = end;
    }
    this.#rest = this.#rest.subarray(at);
    return frames;
  }
}
