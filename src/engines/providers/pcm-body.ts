import { WAV_HEADER_BYTES } from '../../audio/wav.ts';
import { ChatFailure } from '../openai/chat-failure.ts';

/** First bytes of what is audio and no samples. */
const COMPRESSED: readonly (readonly [string, readonly number[]])[] = [
  ['mp3', [0x49, 0x44, 0x33]],
  ['mp3', [0xff, 0xfb]],
  ['mp3', [0xff, 0xf3]],
  ['ogg', [0x4f, 0x67, 0x67, 0x53]],
  ['flac', [0x66, 0x4c, 0x61, 0x43]],
  ['webm', [0x1a, 0x45, 0xdf, 0xa3]],
];
const RATE_MIN_HZ = 8_000;
const RATE_MAX_HZ = 48_000;

/**
 * Signed 16-bit little-endian mono samples out of the body of a response, however its bytes were cut: a chunk may end in the
 * middle of a sample. A WAV header in front is read and passed over, its length is not believed: it was written before the
 * sound was made.
 */
export class PcmBody {
  #rest: Buffer = Buffer.alloc(0);
  #begun: boolean;

  /** `rateHz` is that of raw samples; a header corrects it, unless these are known to have `none`. */
  constructor(
    public rateHz: number,
    header: 'none' | 'maybe' = 'maybe',
  ) {
    this.#begun = header === 'none';
  }

  /** The samples that are complete with these bytes; none while the beginning is not known. @throws ChatFailure `garbage`. */
  push(bytes: Uint8Array): Int16Array {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    if (!this.#begun && !this.#begin()) return new Int16Array(0);
    return this.#take();
  }

  /** What was too short to tell what it is. A byte without its other half is no sample. */
  end(): Int16Array {
    this.#begun = true;
    return this.#take();
  }

  #take(): Int16Array {
    const samples = new Int16Array(this.#rest.length >> 1);
    for (let i = 0; i < samples.length; i += 1) samples[i] = this.#rest.readInt16LE(i * 2);
    this.#rest = this.#rest.subarray(samples.length * 2);
    return samples;
  }

  #begin(): boolean {
    const head = this.#rest;
    if (head.length < 4) return false;
    const packed = COMPRESSED.find(([, magic]) => magic.every((byte, i) => head[i] === byte));
    if (packed) throw new ChatFailure('garbage', `${packed[0]} where samples were asked for`);
    if (head.toString('latin1', 0, 4) === 'RIFF') {
      if (head.length < WAV_HEADER_BYTES) return false;
      this.#readHeader(head);
      this.#rest = head.subarray(WAV_HEADER_BYTES);
    }
    this.#begun = true;
    return true;
  }

  #readHeader(head: Buffer): void {
    const [format, channels, rateHz, bits] = [20, 22, 24, 34].map((at) =>
      at === 24 ? head.readUInt32LE(at) : head.readUInt16LE(at),
    );
    if (format !== 1 || channels !== 1 || bits !== 16)
      throw new ChatFailure('garbage', 'a WAV that is not 16-bit mono');
    this.rateHz = checkedRate(rateHz!);
  }
}

/** The rate that a content type names (`audio/L16;rate=24000`), undefined where it names none. @throws ChatFailure. */
export function rateOfType(contentType: string): number | undefined {
  const rate = /[;,]\s*(?:sample_?)?rate="?(\d{1,6})/i.exec(contentType)?.[1];
  return rate === undefined ? undefined : checkedRate(Number(rate));
}

function checkedRate(rateHz: number): number {
  if (rateHz >= RATE_MIN_HZ && rateHz <= RATE_MAX_HZ) return rateHz;
  throw new ChatFailure('garbage', `samples at ${rateHz} Hz`);
}
