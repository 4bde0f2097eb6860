import { mulaw } from 'alawmulaw';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClipAudio } from '../../../src/audio/codecs/clip-builder.ts';
import { oggPages } from '../../../src/audio/codecs/ogg-page.ts';
import { OPUS_RATES_HZ } from '../../../src/audio/codecs/opus-encoder.ts';
import { type ClipType, readClip } from '../../../src/audio/codecs/read-clip.ts';
import { SpeechEncoders, type SpeechFormat } from '../../../src/audio/codecs/speech-encoders.ts';
import { resampleAll } from '../../../src/audio/resampler.ts';
import { readWav, type WavAudio } from '../../../src/audio/wav.ts';
import { correlation, melody } from '../../support/audio-files.ts';
import { EVERY_TEST, LONG, someOf } from '../../support/property-runs.ts';

type FormatName = 'wav' | 'pcm' | 'mulaw' | 'mp3' | 'opus';
const open = new AbortController().signal;
const encoders = new SpeechEncoders();
afterAll(() => encoders.close());

const MP3_RATES_HZ = [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
/** MPEG 2.5, 2 and 1 are coded differently; the rates of each are alike. */
const ONE_OF_EACH_MPEG_HZ = [8000, 24_000, 44_100];

async function* chunksOf(samples: Int16Array, size: number): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples.length; at += size) yield samples.subarray(at, at + size);
}
async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) {
    expect(chunk.length).toBeGreaterThan(0);
    all.push(chunk);
  }
  return Buffer.concat(all);
}
const streamed = (format: SpeechFormat, samples: Int16Array, rateHz: number, size: number): Promise<Buffer> =>
  collect(format.stream(chunksOf(samples, size), rateHz, open));

describe.each<{ format: FormatName; type: ClipType; ratesHz: readonly number[]; extraSeconds: number }>([
  { format: 'mp3', type: 'mp3', ratesHz: LONG ? MP3_RATES_HZ : ONE_OF_EACH_MPEG_HZ, extraSeconds: 0.4 },
  { format: 'opus', type: 'ogg', ratesHz: OPUS_RATES_HZ, extraSeconds: 0.0001 },
  { format: 'wav', type: 'wav', ratesHz: [8000, 22_050, 48_000], extraSeconds: 0 },
])('$format', ({ format, type, ratesHz, extraSeconds }) => {
  it.each(someOf(ratesHz, 4))('at %i Hz decodes to what was encoded', async (rateHz) => {
    const samples = melody(1.3, rateHz);
    for (const file of [
      await encoders[format].file(samples, rateHz, open),
      await streamed(encoders[format], samples, rateHz, 777),
    ]) {
      const clip = (await readClip(file, type, 60)) as ClipAudio;
      const seconds = clip.samples.length / clip.sampleRateHz;
      expect(seconds).toBeGreaterThanOrEqual(1.3 - 0.0001);
      expect(seconds).toBeLessThanOrEqual(1.3 + extraSeconds);
      const heard = resampleAll(clip.samples, clip.sampleRateHz, 8000);
      const said = resampleAll(samples, rateHz, 8000);
      const { best, lag } = correlation(said, heard, format === 'mp3' ? 1700 : 8);
      expect(best).toBeGreaterThan(0.94);
      expect(lag).toBeGreaterThanOrEqual(-2);
    }
  });

  it('of nothing is still a file or nothing at all', async () => {
    const file = await encoders[format].file(new Int16Array(0), 24_000, open);
    expect(['invalid', 'object']).toContain(
      await readClip(file, type, 60).then((clip) => (typeof clip === 'string' ? clip : 'object')),
    );
  });
});

describe('plain formats', () => {
  const samples = melody(0.5, 16_000);

  it.each([1, 160, 4096, 100_000])(
    'wav in chunks of %i has one header of unknown length, then the samples',
    async (size) => {
      const file = await streamed(encoders.wav, samples, 16_000, size);
      expect(file.readUInt32LE(40)).toBe(0xffff_ffff);
      expect((readWav(file) as WavAudio).channels[0]).toEqual(samples);
    },
  );

  it('wav as a file knows its length', async () => {
    const file = Buffer.from(await encoders.wav.file(samples, 16_000, open));
    expect(file.readUInt32LE(40)).toBe(samples.length * 2);
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(readWav(file)).toMatchObject({ sampleRateHz: 16_000 });
    expect((readWav(file) as WavAudio).channels[0]).toEqual(samples);
  });

  it('wav of nothing is a header', async () => {
    expect(await streamed(encoders.wav, new Int16Array(0), 8000, 10)).toHaveLength(44);
  });

  it('pcm is the samples, little-endian', async () => {
    const file = await streamed(encoders.pcm, samples, 24_000, 100);
    expect([...samples].every((sample, i) => file.readInt16LE(i * 2) === sample)).toBe(true);
    expect(file).toEqual(Buffer.from(await encoders.pcm.file(samples, 24_000, open)));
  });

  it('mulaw is a byte a sample, as G.711 has it', async () => {
    const file = await encoders.mulaw.file(samples, 8000, open);
    expect(Buffer.from(file)).toEqual(Buffer.from(mulaw.encode(samples)));
  });

  it('copies the samples: what the giver does with them later changes nothing', async () => {
    const own = samples.slice();
    const chunks: Uint8Array[] = [];
    for await (const chunk of encoders.pcm.stream(chunksOf(own, 100), 8000, open)) {
      own.fill(0);
      chunks.push(chunk);
    }
    expect(Buffer.from(chunks[0]!).readInt16LE(20)).toBe(samples[10]);
  });
});

describe('SpeechEncoders', () => {
  it.each<{ format: FormatName; rateHz: number; type: string }>([
    { format: 'mp3', rateHz: 24_000, type: 'audio/mpeg' },
    { format: 'wav', rateHz: 24_000, type: 'audio/wav' },
    { format: 'opus', rateHz: 24_000, type: 'audio/ogg; codecs=opus' },
    { format: 'mulaw', rateHz: 8000, type: 'audio/basic' },
    { format: 'mulaw', rateHz: 16_000, type: 'audio/x-mulaw;rate=16000' },
    { format: 'pcm', rateHz: 24_000, type: 'audio/x-pcm;rate=24000' },
  ])('$format at $rateHz Hz is $type', ({ format, rateHz, type }) => {
    expect(encoders[format].contentType(rateHz)).toBe(type);
  });

  it('opus gives a page about every 100 ms, and marks the last', async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of encoders.opus.stream(chunksOf(melody(1, 24_000), 2400), 24_000, open)) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThanOrEqual(10);
    const pages = [...oggPages(Buffer.concat(chunks))];
    expect(pages.map((page) => page.bytes[5]! & 4)).toEqual([...pages.slice(1).map(() => 0), 4]);
  });

  it('streams that run at once do not disturb each other', async () => {
    const alone = await encoders.mp3.file(melody(1, 16_000), 16_000, open);
    const together = await Promise.all(
      [500, 1600, 16_000, 333].map((size) => streamed(encoders.mp3, melody(1, 16_000), 16_000, size)),
    );
    for (const file of together) expect(file).toEqual(Buffer.from(alone));
  });

  it.runIf(EVERY_TEST)('refuses more streams than it may have, and has room again when they end', async () => {
    const small = new SpeechEncoders({ streamsMax: 1 });
    const first = small.mp3.stream(chunksOf(melody(1, 8000), 4000), 8000, open)[Symbol.asyncIterator]();
    await first.next();
    await expect(small.mp3.file(melody(0.1, 8000), 8000, open)).rejects.toMatchObject({ code: 'unavailable' });
    await first.return?.();
    expect((await small.mp3.file(melody(0.1, 8000), 8000, open)).length).toBeGreaterThan(0);
    expect(small.openStreams).toBe(0);
    await small.close();
  });

  it.each<FormatName>(['mp3', 'wav', 'opus', 'mulaw', 'pcm'])(
    '%s stops when it is aborted, and its source hears of it',
    async (format) => {
      const abort = new AbortController();
      let ended = false;
      async function* endless(): AsyncGenerator<Int16Array> {
        try {
          for (;;) yield melody(0.2, 8000);
        } finally {
          ended = true;
        }
      }
      let chunks = 0;
      for await (const _ of encoders[format].stream(endless(), 8000, abort.signal)) {
        chunks += 1;
        if (chunks === 3) abort.abort();
      }
      expect(chunks).toBe(3);
      expect(ended).toBe(true);
      await expect(encoders[format].file(melody(0.1, 8000), 8000, abort.signal)).rejects.toThrow();
    },
  );

  it('hands on what its source throws', async () => {
    async function* failing(): AsyncGenerator<Int16Array> {
      yield melody(0.1, 8000);
      throw new Error('no more speech');
    }
    await expect(collect(encoders.mp3.stream(failing(), 8000, open))).rejects.toThrow('no more speech');
  });

  it('a thread that dies is synthesis_failed, and replaced', async () => {
    const dying = new SpeechEncoders({ workerUrl: new URL('data:text/javascript,process.exit(1)') });
    await expect(dying.opus.file(melody(0.1, 8000), 8000, open)).rejects.toMatchObject({ code: 'synthesis_failed' });
    expect(dying.openStreams).toBe(0);
    await dying.close();
  });
});
