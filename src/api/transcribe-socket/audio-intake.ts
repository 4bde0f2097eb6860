import { Framer } from '../../audio/framer.ts';
import { MULAW_DECODE } from '../../audio/g711.ts';
import { FRAME_MS } from '../../audio/pcm.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { AudioEncoding } from './frames.ts';

/**
 * Audio of one socket as it comes in: bytes of any length to frames of 20 ms at the recogniser's rate, kept until they are
 * taken. Nothing is ever dropped: whoever fills it stops when `bufferedMs` is too much.
 */
export class AudioIntake {
  readonly #resampler: Resampler;
  readonly #framer: Framer;
  #frames: Int16Array[] = [];
  #head = 0;
  #oddByte: number | undefined;
  #received = 0; // samples at the sender's rate

  constructor(
    readonly encoding: AudioEncoding,
    readonly fromHz: number,
    toHz: number,
  ) {
    this.#resampler = createResampler(fromHz, toHz);
    this.#framer = new Framer((toHz * FRAME_MS) / 1000, (frame) => this.#frames.push(frame.slice()));
  }

  /** All audio that came, in ms. */
  get receivedMs(): number {
    return (this.#received * 1000) / this.fromHz;
  }
  /** Whole frames waiting, in ms. */
  get bufferedMs(): number {
    return (this.#frames.length - this.#head) * FRAME_MS;
  }

  push(bytes: Buffer): void {
    const samples = this.encoding === 'mulaw' ? fromMulaw(bytes) : this.#fromPcm(bytes);
    this.#received += samples.length;
    this.#framer.push(this.#resampler.push(samples));
  }

  /** What is inside the filter and the last part of a frame, filled up with silence. Once, after the last `push`. */
  flush(): void {
    if (this.#received === 0) return;
    this.#framer.push(this.#resampler.flush());
    this.#framer.flush();
  }

  /** The oldest frame, or undefined. */
  take(): Int16Array | undefined {
    const frame = this.#frames[this.#head];
    if (!frame) return undefined;
    this.#head += 1;
    if (this.#head === this.#frames.length) {
      this.#frames = [];
      this.#head = 0;
    }
    return frame;
  }

  clear(): void {
    this.#frames = [];
    this.#head = 0;
  }

  /** 16-bit little-endian; a sample may be cut in two by a frame's end. */
  #fromPcm(bytes: Buffer): Int16Array {
    const carried = this.#oddByte === undefined ? 0 : 1;
    const samples = new Int16Array((bytes.length + carried) >> 1);
    let at = 0;
    let next = 0;
    if (this.#oddByte !== undefined && bytes.length > 0) {
      samples[next++] = ((bytes[0]! << 24) >> 16) | this.#oddByte;
      at = 1;
      this.#oddByte = undefined;
    }
    for (; at + 1 < bytes.length; at += 2) samples[next++] = bytes[at]! | (bytes[at + 1]! << 8);
    if (at < bytes.length) this.#oddByte = bytes[at];
    return samples;
  }
}

function fromMulaw(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length);
  for (let i = 0; i < bytes.length; i += 1) samples[i] = MULAW_DECODE[bytes[i]!]!;
  return samples;
}
