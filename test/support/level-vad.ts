import { levelDbfs } from '../../src/audio/level.ts';
import type { PcmFrame } from '../../src/audio/pcm.ts';
import type { VadChange, VadDetector } from '../../src/engines/vad/contract.ts';

const FRAME_SAMPLES = 160;

/** Voice is a frame that is loud: opens with the second one, closes after three quiet ones. */
export class LevelVad implements VadDetector {
  speaking = false;
  closed = false;
  levelDb = 0;
  readonly floorDb = -60;
  #frames = 0;
  #run = 0; // frames in a row that contradict the state

  push(frame: PcmFrame): VadChange | undefined {
    const loud = Math.abs(frame.samples[0] ?? 0) > 1000;
    this.#frames += 1;
    this.#run = loud === this.speaking ? 0 : this.#run + 1;
    if (this.#run < (this.speaking ? 3 : 2)) return undefined;
    const atSample = (this.#frames - this.#run) * FRAME_SAMPLES;
    this.#run = 0;
    this.speaking = loud;
    return { type: loud ? 'start' : 'end', atSample };
  }
  reset(): void {
    this.speaking = false;
    this.#frames = 0;
    this.#run = 0;
  }
  close(): void {
    this.closed = true;
  }
}

/** The same, which says how loud it is. */
export class LoudnessVad extends LevelVad {
  override push(frame: PcmFrame): VadChange | undefined {
    this.levelDb = levelDbfs(frame.samples);
    return super.push(frame);
  }
}
