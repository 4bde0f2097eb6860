import { samplesOf } from '../../audio/pcm.ts';
import { nativeMemory } from '../../core/native-memory.ts';
import { allocateLane, type LaneMemory, wipeLane } from './bridge-lane.ts';
import { allocateCallAudio, type CallAudioMemory, wipeCallAudio } from './call-audio.ts';
import { MemoryPool } from './memory-pool.ts';
import { allocatePcmRing, type PcmRingMemory, wipePcmRing } from './pcm-ring.ts';

/** Stereo between the media thread and the recorder. */
const RECORDING_RING_MS = 4_096;

/** The memory of calls whose audio has one rate. */
export interface RateMemory {
  readonly audio: MemoryPool<CallAudioMemory>;
  readonly recordings: MemoryPool<PcmRingMemory>;
  /** Of what the callers of these calls say to another one. */
  readonly lanes: MemoryPool<LaneMemory>;
}

/** The shared memory of all calls, 220 KB each: as much as there ever were calls at once, used again and again. */
export class CallMemory {
  readonly #rates = new Map<number, RateMemory>(); // a call's audio has one of two rates

  constructor(
    readonly queueMs: number,
    readonly callsMax: number,
  ) {}

  of(sampleRateHz: number): RateMemory {
    const { queueMs, callsMax } = this;
    let memory = this.#rates.get(sampleRateHz);
    if (!memory) {
      const ringSamples = 2 * samplesOf(RECORDING_RING_MS, sampleRateHz);
      memory = {
        audio: new MemoryPool(() => untouched(allocateCallAudio(queueMs, sampleRateHz)), wipeCallAudio, callsMax),
        recordings: new MemoryPool(() => givenBack(allocatePcmRing(ringSamples)), wipePcmRing, callsMax),
        lanes: new MemoryPool(() => allocateLane(sampleRateHz), wipeLane, callsMax),
      };
      this.#rates.set(sampleRateHz, memory);
    }
    return memory;
  }

  /** Gives the pages of what no call uses back to the system; the addresses stay for the next calls. */
  release(): void {
    for (const { audio, recordings } of this.#rates.values()) {
      for (const ring of recordings.kept) givenBack(ring);
      for (const one of audio.kept) untouched(one);
    }
  }
}

function untouched(audio: CallAudioMemory): CallAudioMemory {
  givenBack(audio.capture);
  givenBack(audio.playout);
  return audio;
}

/** Where malloc takes a new ring from what was freed, it writes zeros to all of it: the system then provides pages that no call needs. */
function givenBack(ring: PcmRingMemory): PcmRingMemory {
  nativeMemory()?.giveBackPages(ring.samples);
  return ring;
}
