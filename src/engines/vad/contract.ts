import type { LevelBand } from '../../audio/level.ts';
import type { PcmFrame } from '../../audio/pcm.ts';

/** Voice activity of one stream. Pure state: one instance a call, fed every 20 ms frame in order. */
export interface VadDetector {
  /** @returns what changed with this frame, or undefined. `start` comes after `startFrames` voiced frames in a row. */
  push(frame: PcmFrame): VadChange | undefined;
  readonly speaking: boolean;
  /** Level of the last frame and the noise floor, dBFS. */
  readonly levelDb: number;
  readonly floorDb: number;
  /**
   * A frame of a level in this band, offset included, changes nothing: it is no voice, and what it tells of the line may be heard later.
   * One object, used again. Absent or undefined: every frame matters.
   */
  readonly quietBand?: LevelBand | undefined;
  /** By how many frames of 20 ms more than its engine's own a `start` may be late, because it was doubted. Absent: by none. */
  readonly heldFrames?: number;
  reset(): void;
  close(): void;
}
/** `atSample` counts 8 kHz samples from the stream's start: the true onset or end, before the detector's own delay. */
export interface VadChange {
  readonly type: 'start' | 'end';
  readonly atSample: number;
}
export interface VadOptions {
  readonly startMs: number; // voiced time that opens
  readonly hangoverMs: number; // silence that closes
  readonly minLevelDb: number; // dB over the floor
}
export interface VadEngine {
  readonly name: string;
  open(options: VadOptions): VadDetector;
}

/** A window of a stream that a model has judged: how likely a voice is in it, 0..1. `atSample`, its end, counts as in `VadChange`. */
export interface VoiceVerdict {
  readonly atSample: number;
  readonly probability: number;
}
/** Why nothing is known of a stream: too late, the model is gone, or it follows as many streams as it can. */
export type VoiceAway = 'late' | 'gone' | 'full';
export interface VoiceEvents {
  /** In the order of the windows. */
  heard(verdict: VoiceVerdict): void;
  /** What is given now is not judged, until `heard` is called again. */
  away(why: VoiceAway): void;
}
/** One stream, as a model hears it: what it has learnt of it is no other stream's. */
export interface VoiceFollower {
  /** @param samples - 8 kHz, of any length, in order; copied. Never blocks. */
  push(samples: Int16Array): void;
  /** Positions begin anew, and so does the model. */
  reset(): void;
  /** Nothing is told afterwards. Idempotent. */
  close(): void;
}
/** Judges whether there is a voice, by a model that runs elsewhere: beside a detector, never in its place. */
export interface VoiceModel {
  readonly name: string;
  /** A window so likely is voice; one less likely than `noneBelow` is none; between them it is neither. */
  readonly voiceFrom: number;
  readonly noneBelow: number;
  /** Undefined, or why nothing can be judged now. */
  readonly why: string | undefined;
  /** A call rings: it may be needed soon. Never throws. */
  warmUp(): void;
  /** Never throws. */
  follow(events: VoiceEvents): VoiceFollower;
  close(): Promise<void>;
}
