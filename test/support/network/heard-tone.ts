import { readFileSync } from 'node:fs';
import { readWav } from '../../../src/audio/wav.ts';
import { amplitudeAt } from '../tones.ts';

const TONE_HZ = 440;
const FRAME_MS = 20;
/** Of the energy of a frame that is the tone's where it was heard as it was said; more would be as good. */
const SHARE = 0.5;
const MIN_RMS = 300; // a third of what is said, after the fading of what is concealed

/** What a recording has of the caller's tone between its first and its last frame. */
export interface HeardTone {
  readonly presentPercent: number;
  readonly longestGapMs: number;
}

export function heardTone(file: string): HeardTone {
  const audio = readWav(readFileSync(file));
  if (typeof audio === 'string') return { presentPercent: 0, longestGapMs: Infinity };
  const samples = audio.channels[0]!;
  const frame = (audio.sampleRateHz * FRAME_MS) / 1000;
  const present: boolean[] = [];
  for (let at = 0; at + frame <= samples.length; at += frame) present.push(isTone(samples.subarray(at, at + frame)));
  const between = present.slice(present.indexOf(true), present.lastIndexOf(true) + 1);
  if (!present.includes(true)) return { presentPercent: 0, longestGapMs: Infinity };
  let gap = 0;
  let longest = 0;
  for (const is of between) {
    gap = is ? 0 : gap + 1;
    longest = Math.max(longest, gap);
  }
  const presentPercent = (between.filter(Boolean).length * 100) / between.length;
  return { presentPercent, longestGapMs: longest * FRAME_MS };
}

function isTone(samples: Int16Array): boolean {
  const meanSquare = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  if (meanSquare < MIN_RMS * MIN_RMS) return false;
  const peak = amplitudeAt(samples, TONE_HZ) * 32_768;
  return (peak * peak) / 2 / meanSquare >= SHARE;
}
