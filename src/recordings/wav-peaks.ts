import type { WavFormat } from '../audio/wav.ts';

/** Loudness over time, for drawing: `pairs` pieces of equal length, each the lowest and highest sample of a channel. */
export interface Peaks {
  readonly version: 1;
  readonly sample_rate: number;
  readonly seconds: number;
  /** A list a channel (left: caller, right: agent) of [lowest, highest], each -1..1. */
  readonly channels: readonly (readonly (readonly [number, number])[])[];
}

/** Lowest and highest samples of each piece, a list a channel; where nothing was read the lowest is above the highest. */
interface Extremes {
  readonly low: readonly Int16Array[];
  readonly high: readonly Int16Array[];
}

/** What is drawn: samples of all channels in turns, whole frames a piece. */
export interface Drawn extends Pick<WavFormat, 'channels' | 'sampleRateHz'> {
  readonly frames: number;
  readonly samples: AsyncIterable<Int16Array>;
}

/** The peaks of a recording as JSON (`Peaks`), read piece by piece: memory does not grow with its length. */
export async function computePeaks({ channels, sampleRateHz, frames, samples }: Drawn, pairs: number): Promise<Buffer> {
  const columns = Math.min(pairs, frames);
  const filled = (value: number) => Array.from({ length: channels }, () => new Int16Array(columns).fill(value));
  const found = { low: filled(32_767), high: filled(-32_768) };
  let frame = 0;
  for await (const piece of samples) {
    const read = Math.min(piece.length / channels, frames - frame);
    for (let at = 0; at < read; ) {
      const column = Math.floor(((frame + at) * columns) / frames);
      const end = Math.min(read, Math.ceil(((column + 1) * frames) / columns) - frame);
      note(found, column, piece, at, end);
      at = end;
    }
    frame += read;
  }
  const seconds = Math.round((frames / sampleRateHz) * 100) / 100;
  return peaksText(`{"version":1,"sample_rate":${sampleRateHz},"seconds":${seconds},"channels":`, found, columns);
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
