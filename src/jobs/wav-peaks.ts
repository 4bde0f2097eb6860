import type { FileHandle } from 'node:fs/promises';
import { endianness } from 'node:os';

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
const READ_BYTES = 65_536; // about 0.1 ms of work between looks at the event loop
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

/** Lowest and highest samples of each piece, a list a channel; where nothing was read the lowest is above the highest. */
interface Extremes {
  readonly low: readonly Int16Array[];
  readonly high: readonly Int16Array[];
}

/** The peaks of a recording as JSON (`Peaks`), read piece by piece: memory does not grow with its length. */
export async function computePeaks(file: FileHandle, layout: WavLayout, pairs: number): Promise<Buffer> {
  const frames = layout.dataBytes / layout.frameBytes;
  const columns = Math.min(pairs, frames);
  const filled = (value: number) => Array.from({ length: layout.channels }, () => new Int16Array(columns).fill(value));
  const found = { low: filled(32_767), high: filled(-32_768) };
  const piece = Buffer.alloc(READ_BYTES - (READ_BYTES % layout.frameBytes));
  const samplesIn = SAMPLES[layout.format];
  for (let frame = 0; frame < frames; ) {
    const want = Math.min(piece.length, (frames - frame) * layout.frameBytes);
    const { bytesRead } = await file.read(piece, 0, want, layout.dataOffset + frame * layout.frameBytes);
    const read = Math.floor(bytesRead / layout.frameBytes);
    if (read === 0) break; // Cut shorter meanwhile.
    const samples = samplesIn(piece.subarray(0, read * layout.frameBytes));
    for (let at = 0; at < read; ) {
      const column = Math.floor(((frame + at) * columns) / frames);
      const end = Math.min(read, Math.ceil(((column + 1) * frames) / columns) - frame);
      note(found, column, samples, at, end);
      at = end;
    }
    frame += read;
  }
  const seconds = Math.round((frames / layout.sampleRateHz) * 100) / 100;
  return peaksText(
    `{"version":1,"sample_rate":${layout.sampleRateHz},"seconds":${seconds},"channels":`,
    found,
    columns,
  );
}

/** Frames `from` to `to` of what was read belong to one column. */
function note({ low, high }: Extremes, column: number, samples: Int16Array, from: number, to: number): void {
  const channels = low.length;
  for (let channel = 0; channel < channels; channel += 1) {
    let lowest = low[channel]![column] as number;
    let highest = high[channel]![column] as number;
    for (let i = from * channels + channel; i < to * channels; i += channels) {
      const sample = samples[i] as number;
      if (sample < lowest) lowest = sample;
      if (sample > highest) highest = sample;
    }
    low[channel]![column] = lowest;
    high[channel]![column] = highest;
  }
}

const STEPS = 1_000; // to full scale
/** -1, -0.999, ... 1: eight thousand numbers of a call are each one of these. */
const STEP_TEXTS = Array.from({ length: 2 * STEPS + 1 }, (_, i) => String((i - STEPS) / STEPS));
const scaled = (sample: number): string => STEP_TEXTS[STEPS + Math.round((sample / 32_768) * STEPS)]!;
const PAIR_BYTES_MAX = '[-0.999,-0.999],'.length;

/** Written to bytes at once: as strings, the pairs of one call were half of all that a call leaves to the collector. */
function peaksText(head: string, { low, high }: Extremes, columns: number): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + low.length * (columns * PAIR_BYTES_MAX + 4) + 4);
  let at = 0;
  const put = (text: string): void => {
    for (let i = 0; i < text.length; i += 1) bytes[at + i] = text.charCodeAt(i);
    at += text.length;
  };
  put(`${head}[`);
  for (let channel = 0; channel < low.length; channel += 1) {
    put(channel === 0 ? '[' : ',[');
    for (let column = 0; column < columns; column += 1) {
      const lowest = low[channel]![column] as number;
      const highest = high[channel]![column] as number;
      const isEmpty = lowest > highest;
      put(column === 0 ? '[' : ',[');
      put(isEmpty ? '0' : scaled(lowest));
      put(',');
      put(isEmpty ? '0' : scaled(highest));
      put(']');
    }
    put(']');
  }
  put(']}');
  return bytes.subarray(0, at);
}

const G711_CODES = 256;
const table = (decode: (code: number) => number): Int16Array =>
  Int16Array.from({ length: G711_CODES }, (_, code) => decode(code));
const IS_SWAPPED = endianness() === 'BE';

/** Views into the piece where that can be; it is read anew after. */
const SAMPLES: Readonly<Record<WavLayout['format'], (piece: Buffer) => Int16Array>> = {
  pcm16: (piece) => {
    const { buffer, byteOffset, length } = IS_SWAPPED ? piece.swap16() : piece;
    return new Int16Array(buffer, byteOffset, length / 2);
  },
  mulaw: decoded(table(decodeMulaw)),
  alaw: decoded(table(decodeAlaw)),
};

function decoded(values: Int16Array): (piece: Buffer) => Int16Array {
  return (piece) => Int16Array.from(piece, (code) => values[code] as number);
}

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
