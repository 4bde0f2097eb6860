import { createMp3Encoder as openLame } from 'wasm-media-encoders';
import type { StreamEncoder } from './stream-encoder.ts';

/**
 * Speech; MPEG-2.5 (up to 12 kHz) and MPEG-2 (up to 24 kHz) need less for the same quality. Of the two sides of a call one is
 * quiet most of the time: together they need half as much again.
 */
const KBITS = [
  { upToHz: 12_000, kbits: [32, 48] },
  { upToHz: 16_000, kbits: [48, 64] },
  { upToHz: 48_000, kbits: [64, 96] },
] as const;

/**
 * MPEG layer III at a constant bit rate.
 * @param sampleRateHz - one of the nine rates that MPEG audio has.
 * @param channels - of two, samples come in turns: left, right.
 */
export async function createMp3Encoder(sampleRateHz: number, channels: 1 | 2 = 1): Promise<StreamEncoder> {
  const lame = await openLame();
  const { kbits } = KBITS.find(({ upToHz }) => sampleRateHz <= upToHz)!;
  lame.configure({ channels, sampleRate: sampleRateHz, bitrate: kbits[channels - 1]! });
  const sides = Array.from({ length: channels }, (_, side) => side);
  return {
    contentType: 'audio/mpeg',
    push: (samples) => {
      const frames = Math.floor(samples.length / channels);
      const floats = sides.map((side) =>
        Float32Array.from({ length: frames }, (_, at) => samples[at * channels + side]! / 32_768),
      );
      return lame.encode(floats).slice(); // what it returns is its own memory
    },
    end: () => lame.finalize().slice(),
  };
}
