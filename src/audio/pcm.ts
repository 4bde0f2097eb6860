/** Telephone audio inside Nidaa: signed 16-bit, mono. One frame is one ptime unless said otherwise. */
export interface PcmFrame {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}

export const TELEPHONE_RATE_HZ = 8000;
/** Wideband: what G.722 carries. */
export const WIDEBAND_RATE_HZ = 16_000;
/** Samples of the 20 ms frame that everything on a call counts in. */
export const FRAME_SAMPLES = 160;
export const FRAME_MS = 20;

/** Samples of `ms` of audio. */
export function samplesOf(ms: number, sampleRateHz: number): number {
  return (ms * sampleRateHz) / 1000;
}

/** As services and files want them: signed, 16 bits, low byte first. */
export function littleEndian(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let i = 0; i < samples.length; i += 1) bytes.writeInt16LE(samples[i]!, i * 2);
  return bytes;
}
