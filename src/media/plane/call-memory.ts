import { nativeMemory } from '../../core/native-memory.ts';
import { allocateCallAudio, type CallAudioMemory, wipeCallAudio } from './call-audio.ts';
import { MemoryPool } from './memory-pool.ts';
import { allocatePcmRing, type PcmRingMemory, wipePcmRing } from './pcm-ring.ts';

/** 4 s of stereo between the media thread and the recorder. */
const RECORDING_RING_SAMPLES = 65_536;

/** The shared memory of all calls, 330 KB each: as much as there ever were calls at once, used again and again. */
export class CallMemory {
  readonly audio: MemoryPool<CallAudioMemory>;
  readonly recordings: MemoryPool<PcmRingMemory>;

  constructor(queueSamples: number, callsMax: number) {
    this.audio = new MemoryPool(() => allocateCallAudio(queueSamples), wipeCallAudio, callsMax);
    this.recordings = new MemoryPool(() => allocatePcmRing(RECORDING_RING_SAMPLES), wipePcmRing, callsMax);
  }

  /** Gives the pages of what no call uses back to the system; the addresses stay for the next calls. */
  release(): void {
    const native = nativeMemory();
    const rings = [...this.recordings.kept, ...this.audio.kept.flatMap(({ capture, playout }) => [capture, playout])];
    for (const { samples } of rings) native?.giveBackPages(samples);
  }
}
