import type { PcmRing } from '../plane/pcm-ring.ts';

const FRAME = 160;
const STEREO_FRAME = FRAME * 2;
const MAX_AHEAD = 960; // agent samples waiting: two packets of the longest ptime

/**
 * Joins what was heard and what was said into stereo frames (caller left, agent right) for the recorder thread. The two
 * stay aligned: a slow disk makes a stretch of silence, never a shift.
 */
export class RecordingTap {
  readonly #agent = new Int16Array(MAX_AHEAD);
  #agentFilled = 0;
  readonly #stereo = new Int16Array(STEREO_FRAME);
  readonly #silence = new Int16Array(STEREO_FRAME);
  #owedFrames = 0;
  constructor(readonly ring: Pick<PcmRing, 'write' | 'free'>) {}

  /** What is heard in one packet slot of ours, any ptime. */
  said(samples: Int16Array): void {
    const take = Math.min(samples.length, MAX_AHEAD - this.#agentFilled);
    this.#agent.set(take === samples.length ? samples : samples.subarray(0, take), this.#agentFilled);
    this.#agentFilled += take;
  }

  /** 20 ms of the caller, undefined where there was nothing: closes one stereo frame. */
  heard(frame: Int16Array | undefined): void {
    for (let i = 0; i < FRAME; i += 1) {
      this.#stereo[2 * i] = frame ? (frame[i] as number) : 0;
      this.#stereo[2 * i + 1] = i < this.#agentFilled ? (this.#agent[i] as number) : 0;
    }
    const used = Math.min(FRAME, this.#agentFilled);
    this.#agent.copyWithin(0, used, this.#agentFilled);
    this.#agentFilled -= used;
    while (this.#owedFrames > 0 && this.ring.free >= STEREO_FRAME) {
      this.ring.write(this.#silence);
      this.#owedFrames -= 1;
    }
    if (this.#owedFrames > 0 || this.ring.free < STEREO_FRAME) this.#owedFrames += 1;
    else this.ring.write(this.#stereo);
  }
}
