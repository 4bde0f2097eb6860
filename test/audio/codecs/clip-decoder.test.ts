import { afterAll, describe, expect, it } from 'vitest';
import { ClipDecoder } from '../../../src/audio/codecs/clip-decoder.ts';
import type { ClipType } from '../../../src/audio/codecs/read-clip.ts';
import { wavFile } from '../../../src/audio/wav.ts';
import { ServiceError } from '../../../src/core/errors.ts';
import { audioFile, fixtureTones } from '../../support/audio-files.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST, someOf } from '../../support/property-runs.ts';

const open = new AbortController().signal;
const WANTED = { sampleRateHz: 16_000, maxSeconds: 60 };
const clip = (name: string, type: ClipType) => ({ bytes: audioFile(name), type });
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'decoded',
    (error: unknown) => (error instanceof ServiceError ? error.code : (error as Error).name),
  );
/** A thread that runs this instead of the decoder; `answer(bytes)` is what it answers, unless it never comes to that. */
const threadOf = (body: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ id, request }) => { const first = request.bytes[0]; ${body};
         parentPort.postMessage({ id, answer: { samples: new Int16Array(4), seconds: 1 } }); });`,
    )}`,
  );

describe('ClipDecoder', () => {
  const decoder = new ClipDecoder();
  afterAll(() => decoder.close());

  it.each([
    { name: 'tones.flac', type: 'flac' },
    { name: 'tones-vorbis.ogg', type: 'ogg' },
    { name: 'tones-opus.ogg', type: 'ogg' },
    { name: 'tones.webm', type: 'webm' },
    { name: 'tones.mp3', type: 'mp3' },
  ] as const)('decodes $name in its thread at the rate that is asked for', async ({ name, type }) => {
    const { samples, sampleRateHz, seconds } = await decoder.decode(clip(name, type), WANTED, open);
    expect(sampleRateHz).toBe(16_000);
    expect(seconds).toBeCloseTo(1.5, 1);
    expect(samples.length / 16_000).toBeCloseTo(seconds, 3);
    for (const heard of fixtureTones(samples, 16_000)) expect(heard).toBeGreaterThan(0.19);
  });

  it('leaves the bytes it was given alone', async () => {
    const bytes = new Uint8Array(audioFile('tones.mp3'));
    await decoder.decode({ bytes, type: 'mp3' }, WANTED, open);
    expect(Buffer.from(bytes)).toEqual(audioFile('tones.mp3'));
  });

  it.each([
    { name: 'junk', bytes: Buffer.alloc(5000, 0x55), type: 'flac' as const, is: 'invalid_audio' },
    { name: 'Speex', bytes: audioFile('tones-speex.ogg'), type: 'ogg' as const, is: 'unsupported_audio' },
    {
      name: 'more than a minute',
      bytes: wavFile({ channels: 1, sampleRateHz: 8000 }, new Int16Array(8000 * 62)),
      type: 'wav' as const,
      is: 'audio_too_long',
    },
  ])('$name is $is, and the next clip is decoded', async ({ bytes, type, is }) => {
    const before = decoder.failures; // one of a test before is not told again by those after it
    expect(await code(decoder.decode({ bytes, type }, WANTED, open))).toBe(is);
    expect(await code(decoder.decode(clip('tones.mp3', 'mp3'), WANTED, open))).toBe('decoded');
    expect(decoder.failures).toBe(before);
  });

  it.runIf(EVERY_TEST)(
    'decodes many clips at once, one after the other, and refuses those beyond its queue',
    async () => {
      const small = new ClipDecoder({ queueMax: 3 });
      const all = await Promise.all(
        Array.from({ length: 6 }, () => code(small.decode(clip('tones.mp3', 'mp3'), WANTED, open))),
      );
      expect(all).toEqual(['decoded', 'decoded', 'decoded', 'decoded', 'unavailable', 'unavailable']);
      await small.close();
    },
  );

  it('a clip whose asker left is not decoded; the one behind it is', async () => {
    const small = new ClipDecoder();
    const leaves = new AbortController();
    const first = code(small.decode(clip('tones.mp3', 'mp3'), WANTED, open));
    const second = code(small.decode(clip('tones.mp3', 'mp3'), WANTED, leaves.signal));
    const third = code(small.decode(clip('tones.mp3', 'mp3'), WANTED, open));
    leaves.abort();
    expect(await Promise.all([first, second, third])).toEqual(['decoded', 'AbortError', 'decoded']);
    expect(await code(small.decode(clip('tones.mp3', 'mp3'), WANTED, leaves.signal))).toBe('AbortError');
    await small.close();
  });

  it.each(
    someOf(
      [
        { name: 'dies', body: 'if (first === 1) process.exit(3)' },
        { name: 'throws out of its handler', body: 'if (first === 1) throw new Error("broken")' },
        {
          name: 'uses up its memory',
          body: 'if (first === 1) { const all = []; for (;;) all.push({ all, first, n: [all.length] }); }',
        },
      ],
      3,
    ),
  )('a thread that $name on one clip is replaced for the next', async ({ body }) => {
    const fragile = new ClipDecoder({ workerUrl: threadOf(body) });
    expect(await code(fragile.decode({ bytes: Uint8Array.of(1), type: 'wav' }, WANTED, open))).toBe('invalid_audio');
    expect(await code(fragile.decode({ bytes: Uint8Array.of(0), type: 'wav' }, WANTED, open))).toBe('decoded');
    expect(fragile.failures).toBe(1);
    await fragile.close();
  });

  it('a thread that never answers is given up when its time is over', async () => {
    const clock = new FakeClock();
    const stuck = new ClipDecoder({ clock, decodeMs: 8000, workerUrl: threadOf('if (first === 1) for (;;);') });
    const hanging = code(stuck.decode({ bytes: Uint8Array.of(1), type: 'wav' }, WANTED, open));
    const waiting = code(stuck.decode({ bytes: Uint8Array.of(0), type: 'wav' }, WANTED, open));
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(8000);
    expect(await hanging).toBe('invalid_audio');
    expect(await waiting).toBe('decoded');
    await stuck.close();
    expect(clock.pending).toBe(0);
  });

  it('close fails what is under way and what comes after it', async () => {
    const clock = new FakeClock();
    const closing = new ClipDecoder({ clock, workerUrl: threadOf('for (;;);') });
    const running = code(closing.decode({ bytes: Uint8Array.of(1), type: 'wav' }, WANTED, open));
    const waiting = code(closing.decode({ bytes: Uint8Array.of(1), type: 'wav' }, WANTED, open));
    await Promise.resolve();
    await closing.close();
    await closing.close();
    expect(await Promise.all([running, waiting])).toEqual(['unavailable', 'unavailable']);
    expect(await code(closing.decode({ bytes: Uint8Array.of(1), type: 'wav' }, WANTED, open))).toBe('unavailable');
    expect(clock.pending).toBe(0);
  });
});
