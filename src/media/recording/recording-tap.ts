import type { PcmRing } from '../plane/pcm-ring.ts';

/** Agent samples that may wait, in frames: two packets of the longest ptime. */
const MAX_FRAMES_AHEAD = 6;

/**
 * Joins what was heard and what was said into stereo frames (caller left, agent right) for the recorder thread. The two
 * stay aligned: a slow disk makes a stretch of silence, never a shift.
 */
export class RecordingTap {
  readonly #agent: Int16Array;
  #agentFilled = 0;
  readonly #silence: Int16Array;
  #owedFrames = 0;
  /** @param frameSamples - of 20 ms. */
  constructor(
    readonly ring: Pick<PcmRing, 'writePairs'>,
    readonly frameSamples: number,
  ) {
    this.#agent = new Int16Array(MAX_FRAMES_AHEAD * frameSamples);
    this.#silence = new Int16Array(frameSamples);
  }

  /** What is heard in one packet slot of ours, any ptime. */
  said(samples: Int16Array): void {
    const take = Math.min(samples.length, this.#agent.length - this.#agentFilled);
    this.#agent.set(take === samples.length ? samples : samples.subarray(0, take), this.#agentFilled);
    this.#agentFilled += take;
  }

  /** 20 ms of the caller, undefined where there was nothing: closes one stereo frame. */
  heard(frame: Int16Array | undefined): void {
    const used = Math.min(this.frameSamples, this.#agentFilled);
    while (this.#owedFrames > 0 && this.ring.writePairs(this.#silence, this.#silence, 0)) this.#owedFrames -= 1;
    if (this.#owedFrames > 0 || !this.ring.writePairs(frame ?? this.#silence, this.#agent, used)) this.#owedFrames += 1;
    if (used < this.#agentFilled) this.#agent.copyWithin(0, used, this.#agentFilled);
    this.#agentFilled -= used;
  }
}
