import type { FileHandle } from 'node:fs/promises';

/** What a WAV file says about its samples (RIFF, little-endian), and where they lie. */
export interface WavLayout {
  readonly format: 'pcm16' | 'mulaw' | 'alaw';
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly frameBytes: number; // one sample of every channel
  readonly dataOffset: number;
  readonly dataBytes: number; // whole frames that are really in the file
  readonly sizeFieldOffset: number; // of the data chunk's size
  /** The sizes written in the header differ from what is there: the writer was killed. */
  readonly damaged: boolean;
}

export type WavReject = 'not-wav' | 'no-data' | 'unknown-format';

/** Loudness over time, for drawing: `pairs` pieces of equal length, each the lowest and highest sample of a channel. */
export interface Peaks {
  readonly version: 1;
  readonly sample_rate: number;
  readonly seconds: number;
  /** A list a channel (left: caller, right: agent) of [lowest, highest], each -1..1. */
  readonly channels: readonly (readonly (readonly [number, number])[])[];
}

const HEADER_BYTES_MAX = 65_536; // the data chunk begins within
const CHANNELS_MAX = 8;
const READ_BYTES = 65_536; // about 0.2 ms of work between looks at the event loop
const FORMATS: Readonly<Record<number, WavLayout['format']>> = { 1: 'pcm16', 6: 'alaw', 7: 'mulaw' };

/** Reads the header. Never throws for content; file errors pass. */
export async function readWavLayout(file: FileHandle): Promise<WavLayout | WavReject> {
  const { size } = await file.stat();
  const head = Buffer.alloc(Math.min(size, HEADER_BYTES_MAX));
  await file.read(head, 0, head.length, 0);
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') {
    return 'not-wav';
  }
  let fmt: Pick<WavLayout, 'format' | 'channels' | 'sampleRateHz' | 'frameBytes'> | 'unknown-format' | undefined;
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    const bytes = head.readUInt32LE(at + 4);
    if (name === 'fmt ' && at + 24 <= head.length) fmt = readFormat(head, at + 8);
    if (name === 'data') {
      if (fmt === undefined || fmt === 'unknown-format') return 'unknown-format';
      const there = size - (at + 8);
      const dataBytes = there - (there % fmt.frameBytes);
      const damaged = bytes !== dataBytes || head.readUInt32LE(4) !== at + dataBytes;
      return { ...fmt, dataOffset: at + 8, dataBytes, sizeFieldOffset: at + 4, damaged };
    }
    at += 8 + bytes + (bytes % 2);
  }
  return fmt === 'unknown-format' ? fmt : 'no-data';
}

function readFormat(
  head: Buffer,
  at: number,
): Pick<WavLayout, 'format' | 'channels' | 'sampleRateHz' | 'frameBytes'> | 'unknown-format' {
  const format = FORMATS[head.readUInt16LE(at)];
  const channels = head.readUInt16LE(at + 2);
  const sampleRateHz = head.readUInt32LE(at + 4);
  const sampleBytes = format === 'pcm16' ? 2 : 1;
  const bits = head.readUInt16LE(at + 14);
  if (!format || channels < 1 || channels > CHANNELS_MAX || sampleRateHz === 0 || bits !== sampleBytes * 8) {
    return 'unknown-format';
  }
  return { format, channels, sampleRateHz, frameBytes: channels * sampleBytes };
}

/** Writes the true sizes into the header of a file whose writer was killed. Running it again changes nothing. */
export async function repairWavHeader(file: FileHandle, layout: WavLayout): Promise<void> {
  const sizes = Buffer.alloc(4);
  sizes.writeUInt32LE(layout.dataOffset - 8 + layout.dataBytes);
  await file.write(sizes, 0, 4, 4);
  sizes.writeUInt32LE(layout.dataBytes);
  await file.write(sizes, 0, 4, layout.sizeFieldOffset);
  await file.truncate(layout.dataOffset + layout.dataBytes); // half a frame at the end
}

/** The peaks of a recording, read piece by piece: memory does not grow with its length. */
export async function computePeaks(file: FileHandle, layout: WavLayout, pairs: number): Promise<Peaks> {
  const frames = layout.dataBytes / layout.frameBytes;
  const columns = Math.min(pairs, frames);
  const low = Array.from({ length: layout.channels }, () => new Float64Array(columns).fill(Number.POSITIVE_INFINITY));
  const high = Array.from({ length: layout.channels }, () => new Float64Array(columns).fill(Number.NEGATIVE_INFINITY));
  const sample = SAMPLE[layout.format];
  const sampleBytes = layout.frameBytes / layout.channels;
  const piece = Buffer.alloc(READ_BYTES - (READ_BYTES % layout.frameBytes));
  for (let frame = 0; frame < frames; ) {
    const want = Math.min(piece.length, (frames - frame) * layout.frameBytes);
    const { bytesRead } = await file.read(piece, 0, want, layout.dataOffset + frame * layout.frameBytes);
    const read = Math.floor(bytesRead / layout.frameBytes);
    if (read === 0) break; // Cut shorter meanwhile.
    for (let i = 0; i < read; i += 1) {
      const column = Math.floor(((frame + i) * columns) / frames);
      for (let channel = 0; channel < layout.channels; channel += 1) {
        const value = sample(piece, i * layout.frameBytes + channel * sampleBytes);
        if (value < low[channel]![column]!) low[channel]![column] = value;
        if (value > high[channel]![column]!) high[channel]![column] = value;
      }
    }
    frame += read;
  }
  const channels = low.map((lows, channel) =>
    Array.from(lows, (lowest, column) => [scaled(lowest), scaled(high[channel]![column]!)] as const),
  );
  const seconds = Math.round((frames / layout.sampleRateHz) * 100) / 100;
  return { version: 1, sample_rate: layout.sampleRateHz, seconds, channels };
}

const scaled = (value: number): number => (Number.isFinite(value) ? Math.round((value / 32_768) * 1_000) / 1_000 : 0);

const SAMPLE: Readonly<Record<WavLayout['format'], (piece: Buffer, at: number) => number>> = {
  pcm16: (piece, at) => piece.readInt16LE(at),
  mulaw: (piece, at) => decodeMulaw(piece[at]!),
  alaw: (piece, at) => decodeAlaw(piece[at]!),
};

/** ITU-T G.711: sign, three bits of exponent, four of mantissa, all inverted. */
function decodeMulaw(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = (((inverted & 0x0f) << 3) + 0x84) << ((inverted & 0x70) >> 4);
  return inverted & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}

/** ITU-T G.711: every other bit inverted; the lowest exponent has no hidden bit. */
function decodeAlaw(byte: number): number {
  const toggled = byte ^ 0x55;
  const exponent = (toggled & 0x70) >> 4;
  const mantissa = ((toggled & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return toggled & 0x80 ? magnitude : -magnitude;
}
