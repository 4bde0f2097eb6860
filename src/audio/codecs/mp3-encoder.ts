import { createMp3Encoder as openLame } from 'wasm-media-encoders';
import type { StreamEncoder } from './stream-encoder.ts';

/** Speech in one channel; MPEG-2.5 (up to 12 kHz) and MPEG-2 (up to 24 kHz) need less for the same quality. */
const KBITS = [
  { upToHz: 12_000, kbits: 32 },
  { upToHz: 16_000, kbits: 48 },
  { upToHz: 48_000, kbits: 64 },
] as const;

/** MPEG layer III at a constant bit rate. @param sampleRateHz - one of the nine rates that MPEG audio has. */
export async function createMp3Encoder(sampleRateHz: number): Promise<StreamEncoder> {
  const lame = await openLame();
  const { kbits } = KBITS.find(({ upToHz }) => sampleRateHz <= upToHz)!;
  lame.configure({ channels: 1, sampleRate: sampleRateHz, bitrate: kbits });
  return {
    contentType: 'audio/mpeg',
    push: (samples) => {
      const floats = Float32Array.from(samples, (sample) => sample / 32_768);
      return lame.encode([floats]).slice(); // what it returns is its own memory
    },
    end: () => lame.finalize().slice(),
  };
}
