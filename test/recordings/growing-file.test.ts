import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWav } from '../../src/audio/wav.ts';
import { readSealHeader, SEAL_HEADER_BYTES, SEAL_TAG_BYTES, sealKey } from '../../src/core/sealed-pieces.ts';
import { allocatePcmRing, PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { RecordingFile } from '../../src/media/recording/recording-file.ts';
import { finalizeRecording, type KeptForm } from '../../src/recordings/finalize-recording.ts';
import { peaksPath, RecordingFiles } from '../../src/recordings/recording-files.ts';
import { unsealed } from '../../src/recordings/sealed-file.ts';
import { temporaryFolder } from '../support/postgres-store.ts';

const RATE_HZ = 8_000;
const key = sealKey(Buffer.alloc(32, 3));
const NAME = 'recordings/call.wav';
/** A piece of what grows: half a second of both sides. */
const STEP = 16_384 + SEAL_TAG_BYTES;

describe('a recording that is sealed as it grows', () => {
  let folder: string;
  let files: RecordingFiles;
  beforeEach(() => {
    folder = temporaryFolder();
    files = new RecordingFiles(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name = NAME): string => join(folder, name);

  /** Stereo of which no two samples in a row are alike. */
  const sound = (frames: number, from = 0): Int16Array =>
    Int16Array.from({ length: 2 * frames }, (_, i) => (((from * 2 + i) * 7_919) % 65_536) - 32_768);
  const begin = (seal = true) => {
    const ring = new PcmRing(allocatePcmRing(4 * RATE_HZ));
    return { ring, file: new RecordingFile(path(), ring, RATE_HZ, seal ? key : undefined) };
  };
  /** @returns the file, still open, with so many frames in it as the thread has written. */
  function grown(frames: number): RecordingFile {
    const { ring, file } = begin();
    for (let at = 0; at < frames; at += 4_000) {
      ring.write(sound(Math.min(4_000, frames - at), at));
      file.drain();
    }
    return file;
  }
  async function opened(name = NAME): Promise<Buffer> {
    const source = await unsealed((await files.find(name))!, [key]);
    return source.size === 0 ? Buffer.alloc(0) : buffer(source.read({ start: 0, end: source.size - 1 }));
  }
  const finalize = (archive: KeptForm['archive']) =>
    finalizeRecording(files, NAME, { archive, law: async () => 'mulaw', keys: [key] });
  const framesIn = (wav: Buffer): Int16Array => {
    const { buffer: copy } = new Uint8Array(wav.subarray(44));
    return new Int16Array(copy, 0, copy.byteLength >> 1);
  };

  it.each([0, 1, 4_085, 4_086, 20_000])('of %i frames is as it was said when it is closed', async (frames) => {
    const file = grown(frames);
    file.close();
    expect(file.durationMs).toBeCloseTo(frames / 8, 6);
    expect(framesIn(await opened())).toEqual(sound(frames));
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('shows nothing of what is said at any moment', () => {
    const { ring, file } = begin();
    for (let n = 0; n < 5; n += 1) {
      ring.write(new Int16Array(2 * RATE_HZ).fill(0x4141));
      file.drain();
      expect(readFileSync(path()).includes('AAAA')).toBe(false);
    }
    file.close();
    const stored = readFileSync(path());
    expect([stored.includes('AAAA'), stored.includes('RIFF'), stored.includes(Buffer.from(key.key))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([
    { name: 'with its last whole piece', tail: 0, pieces: 4 },
    { name: 'in a piece', tail: 9_000, pieces: 4 },
    { name: 'in a tag', tail: 5, pieces: 4 },
    { name: 'behind the first piece', tail: 0, pieces: 1 },
    { name: 'in the first piece', tail: 100, pieces: 0 },
  ])('of a process that died ends $name, and is no error', async ({ tail, pieces }) => {
    const file = grown(40_000);
    const length = SEAL_HEADER_BYTES + pieces * STEP + tail;
    copyFileSync(path(), path('killed'));
    truncateSync(path('killed'), length);
    file.close();
    const all = await opened();
    const left = await opened('killed');
    expect(left.length).toBe(pieces * 16_384);
    expect(left.equals(all.subarray(0, left.length))).toBe(true);
  });

  it('loses half a second at most with its process', async () => {
    const file = grown(40_000);
    copyFileSync(path(), path('killed'));
    file.close();
    const wav = await opened('killed');
    expect(40_000 - framesIn(wav).length / 2).toBeLessThanOrEqual(4_096);
  });

  it('that was changed is an error', async () => {
    grown(40_000).close();
    const stored = readFileSync(path());
    stored[SEAL_HEADER_BYTES + STEP + 9]! ^= 1;
    writeFileSync(path(), stored);
    await expect(opened()).rejects.toThrow();
  });

  it.each(['wav', 'g711'] as const)('is kept sealed for good when its call is over: %s', async (archive) => {
    const file = grown(40_000);
    const killed = readFileSync(path());
    file.close();
    for (const [stored, frames] of [
      [readFileSync(path()), 40_000],
      [killed, (9 * 16_384 - 44) / 4], // nine whole pieces, the header in them
    ] as const) {
      writeFileSync(path(), stored);
      expect(await finalize(archive)).toBe('ready');
      const [wav, peaks] = [readFileSync(path()), readFileSync(path(peaksPath(NAME)))];
      expect([readSealHeader(wav)?.isGrowing, readSealHeader(peaks)?.isGrowing]).toEqual([false, false]);
      const content = await opened();
      const heard = readWav(content);
      if (typeof heard === 'string') throw new Error(heard);
      expect(heard.channels[0]!.length).toBe(frames);
      expect(content.readUInt32LE(40)).toBe(content.length - 44);
      if (archive === 'wav') expect(framesIn(content)).toEqual(sound(frames));
      expect(JSON.parse(String(await opened(peaksPath(NAME))))).toMatchObject({ sample_rate: RATE_HZ });
      expect(await finalize(archive)).toBe('ready');
      expect(readFileSync(path()).equals(wav)).toBe(true);
    }
  });

  it('is refused for good when it holds nothing', async () => {
    grown(40_000).close();
    truncateSync(path(), SEAL_HEADER_BYTES + 100);
    expect(await finalize('wav')).toBe('not-wav');
  });
});
