import { samplesOf } from '../../audio/pcm.ts';
import type { SealKey } from '../../core/sealed-pieces.ts';
import type { PcmRing } from '../plane/pcm-ring.ts';
import { createWav, type WavOnDisk } from './wav-on-disk.ts';

const CHANNELS = 2;
const FRAME_BYTES = 4; // stereo, 16 bits
/** The sizes in the header of a file in clear are true to within this much audio, whenever the process dies. */
const PATCH_EVERY_MS = 2_000;
/** A WAV cannot be longer (18 hours of stereo); the recording stops there. */
const MAX_DATA_BYTES = 0xffff_0000;
/** Between ring and file, for all recordings of the thread: one of its own would be 64 KB of garbage for every call. */
const CHUNK = new Int16Array(32_768);

/**
 * One stereo WAV growing on disk. All methods block: only the recorder thread uses this.
 *
 * @throws whatever the file system says: the owner stops the recording, not the call.
 */
export class RecordingFile {
  readonly #wav: WavOnDisk;
  #closed = false;

  /** @param seal - what it is encrypted with from its first byte on; in clear where it is absent. */
  constructor(
    path: string,
    readonly ring: PcmRing,
    readonly sampleRateHz: number,
    seal?: SealKey,
  ) {
    const patchEveryBytes = FRAME_BYTES * samplesOf(PATCH_EVERY_MS, sampleRateHz);
    this.#wav = createWav(path, { channels: CHANNELS, sampleRateHz }, patchEveryBytes, seal);
  }

  get durationMs(): number {
    return (this.#wav.dataBytes / FRAME_BYTES / this.sampleRateHz) * 1000;
  }

  /** Writes what waits in the ring. */
  drain(): void {
    for (;;) {
      const count = this.ring.read(CHUNK);
      if (count === 0 || this.#wav.dataBytes >= MAX_DATA_BYTES) return;
      this.#wav.append(Buffer.from(CHUNK.buffer, 0, count * 2));
    }
  }

  /** Drains, makes the file final and closes. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.drain();
    } finally {
      this.#wav.close();
    }
  }
}
