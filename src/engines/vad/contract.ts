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
