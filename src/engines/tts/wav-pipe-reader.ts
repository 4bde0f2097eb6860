/** RIFF header as written to a pipe: 12 bytes RIFF/WAVE, 24 bytes `fmt `, 8 bytes `data` and its length. */
const HEADER_BYTES = 44;
const RATE_OFFSET = 24;
const RATE_MIN_HZ = 8000;
const RATE_MAX_HZ = 48_000;

/**
 * Reads 16-bit mono PCM out of a WAV that is still being written to a pipe. A program that cannot seek back writes a made-up length
 * (0x7ffff024 was seen), so lengths are ignored and the end of the pipe is the end of the audio.
 */
export class WavPipeReader {
  #pending: Buffer = Buffer.alloc(0); // an unfinished header, or the first half of a sample
  #sampleRateHz: number | undefined;

  /** Undefined until the header is complete. */
  get sampleRateHz(): number | undefined {
    return this.#sampleRateHz;
  }

  /** @returns the samples complete with `chunk`, possibly none; or that this is no WAV of ours. Never throws. */
  push(chunk: Buffer): Int16Array | 'not-wav' {
    let bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    if (this.#sampleRateHz === undefined) {
      if (bytes.length < HEADER_BYTES) {
        this.#pending = bytes;
        return new Int16Array(0);
      }
      const rate = readRate(bytes);
      if (rate === undefined) return 'not-wav';
      this.#sampleRateHz = rate;
      bytes = bytes.subarray(HEADER_BYTES);
    }
    const whole = bytes.length & ~1;
    this.#pending = bytes.subarray(whole);
    const samples = new Int16Array(whole >> 1); // copied: samples may start at an odd byte of the chunk
    for (let at = 0; at < samples.length; at += 1) samples[at] = bytes.readInt16LE(at * 2);
    return samples;
  }
}

function readRate(header: Buffer): number | undefined {
  if (header.toString('latin1', 0, 4) !== 'RIFF' || header.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  const isPcm16Mono = header.readUInt16LE(20) === 1 && header.readUInt16LE(22) === 1 && header.readUInt16LE(34) === 16;
  const rate = header.readUInt32LE(RATE_OFFSET);
  return isPcm16Mono && rate >= RATE_MIN_HZ && rate <= RATE_MAX_HZ ? rate : undefined;
}
