import { FRAME_SAMPLES, samplesOf, TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { Clock } from '../core/clock.ts';
import type { SealKey } from '../core/sealed-pieces.ts';
import { MemoryPool } from '../media/plane/memory-pool.ts';
import { allocatePcmRing, PcmRing, type PcmRingMemory, wipePcmRing } from '../media/plane/pcm-ring.ts';
import { Recorder } from '../media/recording/recorder.ts';
import { RecordingTap } from '../media/recording/recording-tap.ts';

/** Stereo that may wait for the disk. */
const RING_MS = 4_096;
const POOLED_MAX = 256;

/** One recording that goes on. */
export interface StreamRecording {
  said(frame: Int16Array): void;
  /** 20 ms of the caller, undefined where there was nothing: closes one stereo frame. */
  heard(frame: Int16Array | undefined): void;
  /** Finishes the file. Idempotent. */
  stop(): Promise<void>;
}

/** Where recordings begin. */
export interface StreamRecorders {
  /** `failed` is called at most once, and later: the call goes on. */
  start(path: string, failed: (reason: string) => void): StreamRecording;
  /** Finishes every file. Idempotent. */
  close(): Promise<void>;
}

/** Records streams as calls by RTP are recorded, on a thread that starts with the first of them. */
export class StreamRecorder implements StreamRecorders {
  readonly #recorder: Recorder;
  readonly #rings = new MemoryPool<PcmRingMemory>(
    () => allocatePcmRing(2 * samplesOf(RING_MS, TELEPHONE_RATE_HZ)),
    wipePcmRing,
    POOLED_MAX,
  );

  constructor(clock: Clock, seal?: SealKey) {
    this.#recorder = new Recorder(clock, seal);
  }

  start(path: string, failed: (reason: string) => void): StreamRecording {
    const ring = this.#rings.take();
    let tap: RecordingTap | undefined = new RecordingTap(new PcmRing(ring), FRAME_SAMPLES);
    const id = this.#recorder.start(path, { ring, sampleRateHz: TELEPHONE_RATE_HZ }, (reason) => {
      tap = undefined;
      failed(reason);
    });
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      tap = undefined;
      if (await this.#recorder.stop(id)) this.#rings.giveBack(ring); // else its thread may be reading it still
    };
    return {
      said: (frame) => tap?.said(frame),
      heard: (frame) => tap?.heard(frame),
      stop: () => (stopping ??= stop()),
    };
  }

  close(): Promise<void> {
    return this.#recorder.close();
  }
}
