import { MULAW_ENCODE } from '../g711.ts';
import { wavHeader } from '../wav.ts';

/**
 * Mono 16-bit audio to the bytes of one file, piece by piece. All results in order are the file; a result may be empty.
 * After `end` nothing more is called.
 */
export interface StreamEncoder {
  readonly contentType: string;
  push(samples: Int16Array): Uint8Array;
  end(): Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** A header for a stream of unknown length, then samples. */
export function createWavEncoder(sampleRateHz: number): StreamEncoder {
  let header: Uint8Array | undefined = wavHeader({ channels: 1, sampleRateHz });
  const withHeader = (body: Uint8Array): Uint8Array => {
    if (!header) return body;
    const whole = Buffer.concat([header, body]);
    header = undefined;
    return whole;
  };
  return {
    contentType: 'audio/wav',
    push: (samples) => withHeader(littleEndian(samples)),
    end: () => withHeader(NOTHING),
  };
}

/** Samples without a header, 16-bit little-endian (`audio/L16` would be big-endian, RFC 2586). */
export function createPcmEncoder(sampleRateHz: number): StreamEncoder {
  return { contentType: `audio/x-pcm;rate=${sampleRateHz}`, push: littleEndian, end: () => NOTHING };
}

/** G.711 mu-law without a header, a byte a sample. `audio/basic` means 8000 Hz (RFC 2046 §4.3). */
export function createMulawEncoder(sampleRateHz: number): StreamEncoder {
  return {
    contentType: sampleRateHz === 8000 ? 'audio/basic' : `audio/x-mulaw;rate=${sampleRateHz}`,
    push: (samples) => {
      const bytes = new Uint8Array(samples.length);
      for (let i = 0; i < samples.length; i += 1) bytes[i] = MULAW_ENCODE[samples[i]! & 0xffff]!;
      return bytes;
    },
    end: () => NOTHING,
  };
}

/** A copy of the samples' bytes; every platform Node runs on is little-endian. */
function littleEndian(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength).slice();
}
