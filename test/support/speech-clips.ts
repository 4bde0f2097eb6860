import { readFileSync } from 'node:fs';
import { mulaw } from 'alawmulaw';
import { FRAME_SAMPLES, type PcmFrame, TELEPHONE_RATE_HZ } from '../../src/audio/pcm.ts';

const FOLDER = new URL('../fixtures/speech/', import.meta.url);

export interface SpeechClip {
  readonly file: string;
  readonly kind: 'order' | 'digit' | 'spelling' | 'phrase' | 'read' | 'command';
  readonly transcript?: string;
  readonly slots?: Readonly<Record<string, string>>;
}

/** Every clip of `test/fixtures/speech`, in the order of `clips.json`. */
export function speechClips(): SpeechClip[] {
  return JSON.parse(readFileSync(new URL('clips.json', FOLDER), 'utf8')) as SpeechClip[];
}

/** A clip as 8 kHz samples. */
export function readClip(file: string): Int16Array {
  return readMulawWav(readFileSync(new URL(file, FOLDER)));
}

/** The samples of a mu-law WAV file. */
export function readMulawWav(wav: Buffer): Int16Array {
  for (let offset = 12; offset + 8 <= wav.length; ) {
    const size = wav.readUInt32LE(offset + 4);
    if (wav.toString('latin1', offset, offset + 4) === 'data') {
      return mulaw.decode(new Uint8Array(wav.subarray(offset + 8, offset + 8 + size)));
    }
    offset += 8 + size + (size & 1);
  }
  throw new Error('a WAV file without a data chunk');
}

/** Cuts samples into 20 ms frames; the last one is filled up with silence. */
export function framesOf(samples: Int16Array): PcmFrame[] {
  const frames: PcmFrame[] = [];
  for (let offset = 0; offset < samples.length; offset += FRAME_SAMPLES) {
    const frame = new Int16Array(FRAME_SAMPLES);
    frame.set(samples.subarray(offset, offset + FRAME_SAMPLES));
    frames.push({ samples: frame, sampleRateHz: TELEPHONE_RATE_HZ });
  }
  return frames;
}

/** `parts` one after the other. */
export function joined(...parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

export const silence = (ms: number): Int16Array => new Int16Array(ms * 8);

/** White noise of `levelDb` dBFS RMS, the same for the same `seed`. */
export function noise(ms: number, levelDb: number, seed = 1): Int16Array {
  const peak = 32_768 * 10 ** (levelDb / 20) * Math.sqrt(3); // RMS of a uniform distribution is its peak / sqrt(3)
  let state = seed;
  return Int16Array.from({ length: ms * 8 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round(((state / 2 ** 32) * 2 - 1) * peak);
  });
}

/** Sum of two signals, clipped to 16 bits; as long as the longer one. */
export function mixed(a: Int16Array, b: Int16Array): Int16Array {
  return Int16Array.from({ length: Math.max(a.length, b.length) }, (_, i) =>
    Math.max(-32_768, Math.min(32_767, (a[i] ?? 0) + (b[i] ?? 0))),
  );
}

export function amplified(samples: Int16Array, gainDb: number): Int16Array {
  const gain = 10 ** (gainDb / 20);
  return samples.map((s) => Math.max(-32_768, Math.min(32_767, Math.round(s * gain))));
}
