import { readFileSync } from 'node:fs';
import { readWav } from '../../../dist/audio/wav.js';

const TONE_HZ = 440;
const FRAME_MS = 20;
/** Of the energy of a frame that is the tone's where it was heard as it was said; more would be as good. */
const SHARE = 0.5;
const MIN_RMS = 300; // a third of what is said, after the fading of what is concealed

/** What a recording has of the caller's tone: how much of the time between its first and its last frame, and the longest gap. */
export function heardTone(file) {
  const audio = readWav(readFileSync(file));
  if (typeof audio === 'string') return { presentPercent: 0, longestGapMs: 0, seconds: 0 };
  const [samples] = audio.channels;
  const frame = (audio.sampleRateHz * FRAME_MS) / 1000;
  const present = [];
  for (let at = 0; at + frame <= samples.length; at += frame) {
    present.push(isTone(samples.subarray(at, at + frame), audio.sampleRateHz));
  }
  const first = present.indexOf(true);
  const last = present.lastIndexOf(true);
  if (first < 0) return { presentPercent: 0, longestGapMs: 0, seconds: 0 };
  const between = present.slice(first, last + 1);
  let gap = 0;
  let longest = 0;
  for (const is of between) {
    gap = is ? 0 : gap + 1;
    longest = Math.max(longest, gap);
  }
  return {
    presentPercent: (between.filter(Boolean).length * 100) / between.length,
    longestGapMs: longest * FRAME_MS,
    seconds: (between.length * FRAME_MS) / 1000,
  };
}

function isTone(samples, sampleRateHz) {
  const coefficient = 2 * Math.cos((2 * Math.PI * TONE_HZ) / sampleRateHz);
  let energy = 0;
  let one = 0;
  let two = 0;
  for (const sample of samples) {
    energy += sample * sample;
    const next = sample + coefficient * one - two;
    two = one;
    one = next;
  }
  if (energy < samples.length * MIN_RMS * MIN_RMS) return false;
  return ((one * one + two * two - coefficient * one * two) * 2) / samples.length / energy >= SHARE;
}
