import { ALAW_DECODE, MULAW_DECODE } from './g711.ts';

/**
 * RIFF/WAVE reading and writing. Reading takes any bytes and never throws, and a header is written before its length is known, which
 * the `wavefile` package does neither of: it serves the tests as a second reader. Tables of G.711 are those of `alawmulaw`.
 */

export const WAV_HEADER_BYTES = 44;
/** Size written while the length is not known yet (a stream, a recording in progress). */
export const WAV_UNKNOWN_BYTES = 0xffff_ffff;

export type WavEncoding = 'pcm16' | 'mulaw' | 'alaw';
const FORMAT_CODE = { pcm16: 1, alaw: 6, mulaw: 7 } as const;

export interface WavFormat {
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly encoding?: WavEncoding; // default pcm16
}

/**
 * The 44-byte header in front of `dataBytes` of audio. `WAV_UNKNOWN_BYTES` (the default) makes a streamable header that
 * players accept; `patchWavSizes` puts the true sizes in later.
 */
export function wavHeader(format: WavFormat, dataBytes = WAV_UNKNOWN_BYTES): Buffer {
  const encoding = format.encoding ?? 'pcm16';
  const bytesPerSample = encoding === 'pcm16' ? 2 : 1;
  const blockBytes = bytesPerSample * format.channels;
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(FORMAT_CODE[encoding], 20);
  header.writeUInt16LE(format.channels, 22);
  header.writeUInt32LE(format.sampleRateHz, 24);
  header.writeUInt32LE(format.sampleRateHz * blockBytes, 28);
  header.writeUInt16LE(blockBytes, 32);
  header.writeUInt16LE(bytesPerSample * 8, 34);
  header.write('data', 36, 'latin1');
  patchWavSizes(header, dataBytes);
  return header;
}

/** Writes both size fields of a header made by `wavHeader`. */
export function patchWavSizes(header: Buffer, dataBytes: number): void {
  const data = Math.min(dataBytes, WAV_UNKNOWN_BYTES);
  header.writeUInt32LE(Math.min(data + WAV_HEADER_BYTES - 8, WAV_UNKNOWN_BYTES), 4);
  header.writeUInt32LE(data, 40);
}

/** A whole file from interleaved samples. */
export function wavFile(format: WavFormat & { readonly encoding?: 'pcm16' }, samples: Int16Array): Buffer {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([wavHeader(format, data.length), data]);
}

export interface WavAudio {
  readonly sampleRateHz: number;
  readonly channels: readonly Int16Array[]; // 1..MAX_CHANNELS, equally long, 16-bit whatever the file held
  readonly durationMs: number;
}

export type WavReject = 'not-wav' | 'no-format' | 'no-data' | 'bad-format' | 'unsupported-encoding' | 'too-long';

export const MAX_CHANNELS = 8;
const MIN_RATE_HZ = 1_000;
const MAX_RATE_HZ = 384_000;
const MAX_CHUNKS = 1_000; // a file of empty chunks ends here
const EXTENSIBLE = 0xfffe;

interface Format {
  readonly code: number;
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly bits: number;
}

/**
 * Reads PCM of 8, 16, 24 and 32 bits, float of 32 and 64, mu-law and A-law, plain or WAVE_FORMAT_EXTENSIBLE. Tolerates what
 * real files do: sizes of 0 or 0xffffffff (streams), a data chunk longer than the file, missing padding, other chunks.
 *
 * @param maxSamples - per channel; above it the file is refused before any audio is converted.
 */
export function readWav(file: Uint8Array, maxSamples = 48_000 * 3_600): WavAudio | WavReject {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const found = findData(bytes);
  if (typeof found === 'string') return found;
  const { format, dataOffset, dataBytes } = found;
  // A stream's header says 0; everything up to the end of the file is audio then.
  const end = dataBytes === 0 ? bytes.length : Math.min(bytes.length, dataOffset + dataBytes);
  return readData(format, bytes.subarray(dataOffset, end), maxSamples);
}

/** What recordings are written in, by `code/bits`. */
const RECORDED: Readonly<Record<string, WavEncoding>> = { '1/16': 'pcm16', '6/8': 'alaw', '7/8': 'mulaw' };

export interface WavLayout extends Required<WavFormat> {
  readonly dataOffset: number;
  /** As the header has it, true or not: its writer may have been killed. */
  readonly claimedBytes: number;
}

/** Where the samples of a file with 16-bit or G.711 samples lie, from its beginning: the header and what follows it. */
export function wavLayout(head: Uint8Array): WavLayout | WavReject {
  const found = findData(Buffer.from(head.buffer, head.byteOffset, head.byteLength));
  if (typeof found === 'string') return found;
  const { code, bits, sampleRateHz, channels } = found.format;
  const encoding = RECORDED[`${code}/${bits}`];
  return encoding
    ? { encoding, sampleRateHz, channels, dataOffset: found.dataOffset, claimedBytes: found.dataBytes }
    : 'unsupported-encoding';
}

function findData(
  bytes: Buffer,
): { readonly format: Format; readonly dataOffset: number; readonly dataBytes: number } | WavReject {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
    return 'not-wav';
  }
  let format: Format | undefined;
  for (let at = 12, chunks = 0; at + 8 <= bytes.length && chunks < MAX_CHUNKS; chunks += 1) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (name === 'fmt ') {
      const parsed = readFormat(bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + size)));
      if (typeof parsed === 'string') return parsed;
      format = parsed;
    } else if (name === 'data') {
      return format ? { format, dataOffset: at + 8, dataBytes: size } : 'no-format';
    }
    at += 8 + size + (size & 1);
  }
  return format ? 'no-data' : 'no-format';
}

function readFormat(body: Buffer): Format | WavReject {
  if (body.length < 16) return 'bad-format';
  const tag = body.readUInt16LE(0);
  if (tag === EXTENSIBLE && body.length < 26) return 'bad-format';
  const format = {
    code: tag === EXTENSIBLE ? body.readUInt16LE(24) : tag, // the sub-format GUID starts with the plain code
    channels: body.readUInt16LE(2),
    sampleRateHz: body.readUInt32LE(4),
    bits: body.readUInt16LE(14),
  };
  if (format.channels < 1 || format.channels > MAX_CHANNELS) return 'bad-format';
  if (format.sampleRateHz < MIN_RATE_HZ || format.sampleRateHz > MAX_RATE_HZ) return 'bad-format';
  return format;
}

/** One sample at byte `at` as 16 bits. */
type SampleReader = (bytes: Buffer, at: number) => number;

/** `code/bits` -> how to read one sample. */
const READERS: Readonly<Record<string, SampleReader>> = {
  '1/8': (bytes, at) => (bytes.readUInt8(at) - 128) << 8,
  '1/16': (bytes, at) => bytes.readInt16LE(at),
  '1/24': (bytes, at) => bytes.readInt16LE(at + 1),
  '1/32': (bytes, at) => bytes.readInt16LE(at + 2),
  '3/32': (bytes, at) => fromFloat(bytes.readFloatLE(at)),
  '3/64': (bytes, at) => fromFloat(bytes.readDoubleLE(at)),
  '6/8': (bytes, at) => ALAW_DECODE[bytes.readUInt8(at)] as number,
  '7/8': (bytes, at) => MULAW_DECODE[bytes.readUInt8(at)] as number,
};

function fromFloat(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)));
}

function readData(format: Format, data: Buffer, maxSamples: number): WavAudio | WavReject {
  const read = READERS[`${format.code}/${format.bits}`];
  if (!read) return 'unsupported-encoding';
  const bytesPerSample = format.bits / 8;
  const count = Math.floor(data.length / (bytesPerSample * format.channels));
  if (count === 0) return 'no-data';
  if (count > maxSamples) return 'too-long';
  const channels = Array.from({ length: format.channels }, () => new Int16Array(count));
  for (let i = 0, at = 0; i < count; i += 1) {
    for (const channel of channels) {
      channel[i] = read(data, at);
      at += bytesPerSample;
    }
  }
  return { sampleRateHz: format.sampleRateHz, channels, durationMs: (count * 1000) / format.sampleRateHz };
}

/** All channels averaged into one. */
export function mixDown(audio: WavAudio): Int16Array {
  const [first, ...others] = audio.channels;
  if (!first) return new Int16Array(0);
  if (others.length === 0) return first;
  const mono = new Int16Array(first.length);
  for (let i = 0; i < mono.length; i += 1) {
    let sum = first[i] as number;
    for (const channel of others) sum += channel[i] as number;
    mono[i] = Math.round(sum / audio.channels.length);
  }
  return mono;
}
