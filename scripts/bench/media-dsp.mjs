#!/usr/bin/env node
/**
 * What the parts of the audio path cost, in ns per 20 ms frame (median of 5), and of the resampler also how flat it is and how
 * far down it puts what must not fold back.
 *
 *   node scripts/bench/media-dsp.mjs        needs `npm run build`
 */
import alawmulaw from 'alawmulaw';
import { decodeG711, encodeG711, MULAW_DECODE, MULAW_ENCODE } from '../../dist/audio/g711.js';
import { levelDbfs, zeroCrossings } from '../../dist/audio/level.js';
import { createResampler } from '../../dist/audio/resampler.js';
import { PCMU } from '../../dist/media/codec/g711-codec.js';
import { allocatePcmRing, PcmRing } from '../../dist/media/plane/pcm-ring.js';
import { JitterBuffer } from '../../dist/media/rtp/jitter-buffer.js';

function nsPerRun(run, times = 20_000) {
  const results = [];
  for (let round = 0; round < 6; round += 1) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < times; i += 1) run(i);
    results.push(Number(process.hrtime.bigint() - start) / times);
  }
  return results.slice(1).sort((a, b) => a - b)[2]; // the first round warms up
}
const show = (name, ns) => console.log(`${name.padEnd(52)} ${Math.round(ns).toString().padStart(7)} ns`);

const tone = (hz, rateHz, samples, amplitude = 0.5) =>
  Int16Array.from({ length: samples }, (_, i) =>
    Math.round(32_767 * amplitude * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  );
const frame = tone(440, 8000, 160);
const bytes = new Uint8Array(160);
encodeG711(MULAW_ENCODE, frame, bytes);
const into = new Int16Array(160);

show(
  'mu-law decode, table',
  nsPerRun(() => decodeG711(MULAW_DECODE, bytes, into)),
);
show(
  'mu-law decode, alawmulaw',
  nsPerRun(() => alawmulaw.mulaw.decode(bytes)),
);
show(
  'mu-law encode, table',
  nsPerRun(() => encodeG711(MULAW_ENCODE, frame, bytes)),
);
show(
  'mu-law encode, alawmulaw',
  nsPerRun(() => alawmulaw.mulaw.encode(frame)),
);
show(
  'level and zero crossings',
  nsPerRun(() => levelDbfs(frame) + zeroCrossings(frame)),
);
const ring = new PcmRing(allocatePcmRing(32_768));
show(
  'shared ring, write and read',
  nsPerRun(() => ring.write(frame) + ring.read(into)),
);
const buffer = new JitterBuffer({ minMs: 20, maxMs: 200 }, PCMU);
const decoder = PCMU.decoder();
show(
  'jitter buffer, push (with decode) and pop',
  nsPerRun((i) => {
    buffer.push((i * 160) >>> 0, bytes, decoder, true, (i * 160) >>> 0);
    buffer.pop(into, (i * 160) >>> 0);
  }),
);

/** Amplitude of `hz`, of full scale 1. */
function amplitudeAt(samples, hz, rateHz) {
  let re = 0;
  let im = 0;
  let weight = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / samples.length);
    re += window * samples[i] * Math.cos((2 * Math.PI * hz * i) / rateHz);
    im += window * samples[i] * Math.sin((2 * Math.PI * hz * i) / rateHz);
    weight += window;
  }
  return (2 * Math.hypot(re, im)) / weight / 32_767;
}
const decibels = (ratio) => (20 * Math.log10(Math.max(ratio, 1e-6))).toFixed(1).padStart(6);

for (const [from, to] of [
  [16_000, 8_000],
  [22_050, 8_000],
  [24_000, 8_000],
  [48_000, 8_000],
  [8_000, 16_000],
]) {
  const gain = (hz, outHz = hz) => {
    const output = createResampler(from, to).push(tone(hz, from, from / 2));
    return decibels(amplitudeAt(output.subarray(output.length * 0.2, output.length * 0.8), outHz, to) / 0.5);
  };
  const resampler = createResampler(from, to);
  const input = tone(440, from, from / 50);
  show(
    `${from} -> ${to} Hz`,
    nsPerRun(() => resampler.push(input), 2_000),
  );
  const rest =
    to < from
      ? `4.6 kHz ${gain(4600, 3400)} dB, 5 kHz ${gain(5000, 3000)} dB`
      : `image of 3 kHz ${gain(3000, 5000)} dB`;
  console.log(`    1 kHz ${gain(1000)} dB, 3.4 kHz ${gain(3400)} dB, ${rest}`);
}
