import type { LevelBand } from '../../audio/level.ts';
import { type PcmFrame, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import type { VadChange, VadDetector, VoiceFollower, VoiceModel } from './contract.ts';
import { VerdictRun } from './verdict-run.ts';
import { VOICE_TABLE } from './voice-table.ts';

/** Speech that begins because the model doubts no longer is dated back so far at most, in samples: 400 ms. */
export const DOUBTED_SAMPLES = 3_200;
const DOUBTED_FRAMES = 20;

export interface JudgedOptions {
  /** Whether the model has a say, or is only compared. */
  readonly acts: boolean;
  /** Told of each stretch of either. Must not throw. */
  readonly compared?: (comparison: Comparison) => void;
  /** The model is not followed any more, for a while. Must not throw. */
  readonly away?: (why: string) => void;
}

/** What the detector took for speech, and what both together did; milliseconds, 0 where it was none. */
export interface Comparison {
  readonly detectorMs: number;
  readonly togetherMs: number;
  /** How much later than with the detector alone it begins; negative where the model heard it first. Undefined where one of them heard none. */
  readonly laterMs?: number;
  /** The model was away, or late, at some time in it. */
  readonly away: boolean;
}

/** A detector beside which a model judges the same stream. What it says is what the table says, and the detector's alone in shadow. */
export class JudgedVad implements VadDetector {
  readonly heldFrames: number;
  readonly #run: VerdictRun;
  readonly #follower: VoiceFollower;
  #position = 0; // samples
  #detectorFrom = 0;
  #detectorTo = 0;
  #isSpeech = false; // of both
  #fromSample = 0;
  #toSample = 0;
  #away = true;
  #closed = false;
  #stretch: Stretch | undefined;

  constructor(
    private readonly detector: VadDetector,
    model: VoiceModel,
    private readonly options: JudgedOptions,
  ) {
    this.heldFrames = options.acts ? DOUBTED_FRAMES : 0;
    this.#run = new VerdictRun(model);
    this.#follower = model.follow({
      heard: (verdict) => {
        this.#away = false;
        this.#run.push(verdict);
      },
      away: (why) => {
        this.#away = true;
        this.#run.forget();
        options.away?.(why);
      },
    });
  }

  get speaking(): boolean {
    return this.options.acts ? this.#isSpeech : this.detector.speaking;
  }
  get levelDb(): number {
    return this.detector.levelDb;
  }
  get floorDb(): number {
    return this.detector.floorDb;
  }
  get quietBand(): LevelBand | undefined {
    return this.options.acts && (this.#isSpeech || this.#run.says === 'voice') ? undefined : this.detector.quietBand;
  }

  push(frame: PcmFrame): VadChange | undefined {
    const change = this.detector.push(frame);
    if (this.#closed) return undefined;
    this.#position += frame.samples.length;
    this.#follower.push(frame.samples);
    if (change?.type === 'start') this.#detectorFrom = change.atSample;
    if (change?.type === 'end') this.#detectorTo = change.atSample;
    const together = this.#judge();
    this.#compare(frame.samples.length);
    return this.options.acts ? together : change;
  }

  reset(): void {
    this.#tell();
    this.detector.reset();
    this.#follower.reset();
    this.#run.reset();
    this.#isSpeech = false;
    this.#position = 0;
    this.#detectorFrom = this.#detectorTo = this.#fromSample = this.#toSample = 0;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#tell();
    this.#follower.close();
    this.detector.close();
  }

  #judge(): VadChange | undefined {
    const says = this.detector.speaking ? 'voice' : 'none';
    const isSpeech = VOICE_TABLE[says][this.#run.says] === 'speech';
    if (isSpeech === this.#isSpeech) return undefined;
    this.#isSpeech = isSpeech;
    if (isSpeech) {
      const began = says === 'voice' ? this.#detectorFrom : this.#run.voiceFrom;
      this.#fromSample = Math.max(began, this.#position - DOUBTED_SAMPLES, this.#toSample);
      return { type: 'start', atSample: this.#fromSample };
    }
    const ended = says === 'voice' ? this.#run.voiceTo : Math.max(this.#detectorTo, this.#run.voiceTo);
    this.#toSample = Math.max(ended, this.#fromSample);
    return { type: 'end', atSample: this.#toSample };
  }

  /** A stretch lasts as long as either hears speech. @param samples - of the frame. */
  #compare(samples: number): void {
    const { speaking } = this.detector;
    if (!speaking && !this.#isSpeech) return this.#tell();
    this.#stretch ??= { detector: 0, together: 0, detectorFrom: undefined, togetherFrom: undefined, away: false };
    const stretch = this.#stretch;
    stretch.away ||= this.#away;
    if (speaking) {
      stretch.detectorFrom ??= this.#position;
      stretch.detector += samples;
    }
    if (this.#isSpeech) {
      stretch.togetherFrom ??= this.#position;
      stretch.together += samples;
    }
  }

  #tell(): void {
    const stretch = this.#stretch;
    if (!stretch) return;
    this.#stretch = undefined;
    const { detectorFrom, togetherFrom } = stretch;
    this.options.compared?.({
      ...{ detectorMs: msOf(stretch.detector), togetherMs: msOf(stretch.together), away: stretch.away },
      ...(detectorFrom !== undefined && togetherFrom !== undefined && { laterMs: msOf(togetherFrom - detectorFrom) }),
    });
  }
}

interface Stretch {
  detector: number; // samples
  together: number;
  detectorFrom: number | undefined; // when it said so
  togetherFrom: number | undefined;
  away: boolean;
}

const msOf = (samples: number): number => (samples * 1000) / TELEPHONE_RATE_HZ;
