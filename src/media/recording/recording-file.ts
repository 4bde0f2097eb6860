import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { samplesOf } from '../../audio/pcm.ts';
import { WAV_HEADER_BYTES, wavHeader } from '../../audio/wav.ts';
import type { PcmRing } from '../plane/pcm-ring.ts';

const CHANNELS = 2;
const FRAME_BYTES = 4; // stereo, 16 bits
/** The sizes in the header are true to within this much audio, whenever the process dies. */
const PATCH_EVERY_MS = 2_000;
/** A WAV cannot be longer (18 hours of stereo); the recording stops there. */
const MAX_DATA_BYTES = 0xffff_0000;
/** Between ring and file, for all recordings of the thread: one of its own would be 64 KB of garbage for every call. */
const CHUNK = new Int16Array(32_768);

/**
 * One stereo WAV growing on disk. The header is right at every moment up to the last two seconds, so a killed process
 * leaves a playable file. All methods block: only the recorder thread uses this.
 *
 * @throws whatever the file system says: the owner stops the recording, not the call.
 */
export class RecordingFile {
  readonly #file: number;
  #dataBytes = 0;
  #patchedBytes = 0;
  #closed = false;
  readonly #patchEveryBytes: number;

  constructor(
    path: string,
    readonly ring: PcmRing,
    readonly sampleRateHz: number,
  ) {
    this.#patchEveryBytes = FRAME_BYTES * samplesOf(PATCH_EVERY_MS, sampleRateHz);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSync(path, 'w', 0o600);
    writeSync(this.#file, this.#header());
  }

  get durationMs(): number {
    return (this.#dataBytes / FRAME_BYTES / this.sampleRateHz) * 1000;
  }

  /** Writes what waits in the ring. */
  drain(): void {
    for (;;) {
      const count = this.ring.read(CHUNK);
      if (count === 0 || this.#dataBytes >= MAX_DATA_BYTES) return;
      this.#append(Buffer.from(CHUNK.buffer, 0, count * 2));
      if (this.#dataBytes - this.#patchedBytes >= this.#patchEveryBytes) this.#patch();
    }
  }

  /** Drains, makes the header final and closes. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.drain();
    } finally {
      try {
        this.#patch(); // also on a full disk: these bytes are already there
      } finally {
        closeSync(this.#file);
      }
    }
  }

  #append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const position = WAV_HEADER_BYTES + this.#dataBytes;
      const written = writeSync(this.#file, bytes, at, bytes.length - at, position);
      at += written;
      this.#dataBytes += written;
    }
  }

  #header(): Buffer {
    return wavHeader({ channels: CHANNELS, sampleRateHz: this.sampleRateHz }, this.#dataBytes);
  }

  #patch(): void {
    writeSync(this.#file, this.#header(), 0, WAV_HEADER_BYTES, 0);
    this.#patchedBytes = this.#dataBytes;
  }
}
