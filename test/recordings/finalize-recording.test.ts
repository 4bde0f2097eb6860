import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PEAK_PAIRS, peakPairs } from '../../src/recordings/finalize-recording.ts';
import { peaksPath, RecordingFiles } from '../../src/recordings/recording-files.ts';
import type { Peaks } from '../../src/recordings/wav-peaks.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { kept } from '../support/recording-kept.ts';
import { wavBytes } from '../support/wav-bytes.ts';

const NAME = 'recordings/call.wav';

describe('finalizeRecording', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, 'recordings'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const finalize = (name = NAME) => kept(folder, name);
  const put = (bytes: Buffer): void => writeFileSync(join(folder, NAME), bytes);
  const read = (): Buffer => readFileSync(join(folder, NAME));
  const peaks = (): Peaks => JSON.parse(readFileSync(join(folder, peaksPath(NAME)), 'utf8')) as Peaks;
  const frames = (count: number, of: (i: number) => readonly number[]): (readonly number[])[] =>
    Array.from({ length: count }, (_, i) => of(i));

  it('draws each channel by itself: lowest and highest of equal pieces', async () => {
    put(wavBytes({ frames: frames(80_000, (i) => [i < 40_000 ? 16_384 : -16_384, i % 2 === 0 ? 32_767 : -32_768]) }));
    expect(await finalize()).toBe('ready');
    const { channels, ...rest } = peaks();
    expect(rest).toEqual({ version: 1, sample_rate: 8000, seconds: 10 });
    expect(channels.map((pairs) => pairs.length)).toEqual([PEAK_PAIRS, PEAK_PAIRS]);
    expect(channels[0]!.slice(0, PEAK_PAIRS / 2).every(([low, high]) => low === 0.5 && high === 0.5)).toBe(true);
    expect(channels[0]!.slice(PEAK_PAIRS / 2).every(([low, high]) => low === -0.5 && high === -0.5)).toBe(true);
    expect(channels[1]!.every(([low, high]) => low === -1 && high === 1)).toBe(true);
  });

  it.each([3_999, 4_001, 10_007, 33_333])('each of %i frames belongs to one piece', async (count) => {
    const sample = (i: number): number => ((i * 7_919) % 65_536) - 32_768;
    put(wavBytes({ frames: frames(count, (i) => [sample(i), sample(i + 1)]) }));
    await finalize();
    const pieces = Math.min(count, PEAK_PAIRS);
    const drawn = [0, 1].map((channel) => {
      const values = Array.from({ length: pieces }, (): number[] => []);
      for (let i = 0; i < count; i += 1) values[Math.floor((i * pieces) / count)]!.push(sample(i + channel));
      const scaled = (value: number): number => Math.round((value / 32_768) * 1_000) / 1_000 + 0;
      return values.map((of) => [scaled(Math.min(...of)), scaled(Math.max(...of))]);
    });
    expect(peaks().channels).toEqual(drawn);
  });

  it.each([
    [25, 4_000],
    [1_300, 4_000],
    [2_000, 6_000],
    [3_600, 10_800],
    [90_000, 12_000],
  ])('has peaks of %i seconds in %i pieces', (seconds, pairs) => {
    expect(peakPairs(seconds)).toBe(pairs);
  });

  it('forgets a recording with its peaks, and nothing outside of the folder', async () => {
    put(wavBytes({ frames: frames(80, () => [0, 0]) }));
    await finalize();
    writeFileSync(join(folder, 'outside.wav'), '');
    await new RecordingFiles(join(folder, 'recordings')).remove('../outside.wav');
    expect(readdirSync(folder)).toContain('outside.wav');
    await new RecordingFiles(folder).remove(NAME);
    await new RecordingFiles(folder).remove(NAME);
    expect(readdirSync(join(folder, 'recordings'))).toEqual([]);
  });

  it.each([
    { name: 'mu-law silence', format: 7 as const, byte: 0xff, value: 0 },
    { name: 'mu-law loudest', format: 7 as const, byte: 0x80, value: 0.98 },
    { name: 'mu-law lowest', format: 7 as const, byte: 0x00, value: -0.98 },
    { name: 'A-law loudest', format: 6 as const, byte: 0xaa, value: 0.984 },
    { name: 'A-law lowest', format: 6 as const, byte: 0x2a, value: -0.984 },
  ])('$name', async ({ format, byte, value }) => {
    put(wavBytes({ format, frames: frames(400, () => [byte, byte]) }));
    await finalize();
    expect(peaks().channels[0]![0]).toEqual([value, value]);
  });

  it.each([
    { name: 'header written at the start only', claimedBytes: 0, tail: 0 },
    { name: 'header of two seconds ago', claimedBytes: 1_000, tail: 0 },
    { name: 'streaming header', claimedBytes: 0xffff_ff00, tail: 0 },
    { name: 'killed in the middle of a frame', claimedBytes: 0, tail: 3 },
    { name: 'half a frame behind a header that was true', claimedBytes: 32_000, tail: 3 },
  ])('mends a file whose writer was killed: $name', async ({ claimedBytes, tail }) => {
    const whole = wavBytes({ frames: frames(8_000, (i) => [i, -i]) });
    const left = wavBytes({ frames: frames(8_000, (i) => [i, -i]), claimedBytes });
    put(Buffer.concat([left, Buffer.alloc(tail, 1)]));
    expect(await finalize()).toBe('ready');
    expect(read().equals(whole)).toBe(true);
    expect(peaks().seconds).toBe(1);
  });

  it('run again it changes nothing', async () => {
    put(wavBytes({ frames: frames(1_000, (i) => [i, i]), claimedBytes: 0 }));
    await finalize();
    const before = [read(), peaks()];
    expect(await finalize()).toBe('ready');
    expect([read(), peaks()]).toEqual(before);
    expect(readdirSync(join(folder, 'recordings'))).toHaveLength(2);
  });

  it.each([
    { name: 'no frames at all', count: 0, columns: 0 },
    { name: 'fewer frames than pairs', count: 7, columns: 7 },
  ])('$name', async ({ count, columns }) => {
    put(wavBytes({ frames: frames(count, () => [1, 2]) }));
    expect(await finalize()).toBe('ready');
    expect(peaks().channels.map((pairs) => pairs.length)).toEqual([columns, columns]);
  });

  it('leaves out chunks it does not know, odd ones too', async () => {
    const extra = Buffer.concat([Buffer.from('LIST\x05\0\0\0abcde\0', 'latin1')]);
    put(wavBytes({ frames: frames(100, () => [16_384, 0]), extra }));
    await finalize();
    expect(peaks().channels[0]![0]).toEqual([0.5, 0.5]);
  });

  it.each([
    { name: 'nothing there', bytes: undefined, result: 'missing' },
    { name: 'empty', bytes: Buffer.alloc(0), result: 'not-wav' },
    { name: 'something else', bytes: Buffer.from('ID3'.padEnd(200)), result: 'not-wav' },
    { name: 'a header without data', bytes: wavBytes({ frames: [[1, 1]] }).subarray(0, 36), result: 'no-data' },
    {
      name: 'a format unknown here',
      bytes: wavBytes({ frames: [[1, 1]] }).fill(0x55, 20, 22),
      result: 'unsupported-encoding',
    },
    {
      name: 'a chunk that claims everything',
      bytes: wavBytes({ frames: [[1, 1]] }).fill(0xff, 16, 20),
      result: 'no-data',
    },
    { name: 'no channels', bytes: wavBytes({ frames: [[1, 1]] }).fill(0, 22, 24), result: 'bad-format' },
  ])('is refused for good: $name', async ({ bytes, result }) => {
    if (bytes) put(bytes);
    expect(await finalize()).toBe(result);
    expect(readdirSync(join(folder, 'recordings'))).toHaveLength(bytes ? 1 : 0);
  });

  it.each(['../outside.wav', '/etc/passwd', '.', 'recordings/../../x'])(
    'never leaves the data folder: %s',
    async (path) => {
      expect(await finalize(path)).toBe('outside');
    },
  );
});
