import { afterAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import type { Voice } from '../../src/core/voice.ts';
import type { SpeechMark, TtsEngine, TtsRequest } from '../../src/engines/tts/contract.ts';
import { joined } from '../support/speech-clips.ts';

export const TEST_VOICE: Voice = {
  id: 'tester',
  name: 'Tester',
  gender: 'female',
  age: '18-30',
  language: 'en-US',
  dialect: 'none',
  country: 'United States',
  styles: ['Casual'],
  description: 'For tests.',
  supportedModels: ['sada-1', 'nabra-1'],
  sampleText: 'Hello.',
  espeak: { voice: 'en-us+f3', pitch: 50, wordsPerMinute: 160 },
};
export const TEST_VOICE_AR: Voice = {
  ...TEST_VOICE,
  id: 'tester-ar',
  language: 'ar-SA',
  espeak: { voice: 'ar', pitch: 50, wordsPerMinute: 150 },
};

export const OTHER_VOICE: Voice = {
  ...TEST_VOICE,
  id: 'other',
  gender: 'male',
  providers: {
    openai: { voice: 'onyx', instructions: 'Calm.' },
    deepgram: { model: 'aura-2-orion-en' },
    elevenlabs: { voice: 'EXAVITQu4vr4xnSDxMaL', model: 'eleven_flash_v2_5' },
    azure: { name: 'en-US-GuyNeural' },
    sherpa: { speaker: 1 },
    wyoming: { name: 'en_US-ryan-high', speaker: '1' },
  },
  espeak: { voice: 'en-us', pitch: 40, wordsPerMinute: 140 },
};

export function ttsRequest(change: Partial<TtsRequest> = {}): TtsRequest {
  const text = 'Good morning, how can I help you today?';
  return { text, voice: TEST_VOICE, sampleRateHz: 8000, speed: 1, pitchSemitones: 0, ...change };
}

/** Everything one request gave; fails the test on an empty chunk. */
export async function collectSpeech(engine: TtsEngine, request: TtsRequest, signal = new AbortController().signal) {
  const chunks: Int16Array[] = [];
  for await (const chunk of engine.synthesize(request, signal)) {
    chunks.push(chunk);
  }
  expect(chunks.filter(({ length }) => length === 0)).toEqual([]);
  const samples = joined(...chunks);
  return { chunks, samples, seconds: samples.length / request.sampleRateHz };
}

export function levelOf(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
}

/**
 * What every synthesiser must do, by one engine for all: what one test leaves in it would show in the next. `perTest` where a
 * fresh one behaves differently. `create` gives a fresh engine, closed by the suite. `fastest` is the most that it speeds up,
 * 1 of one that knows no speeds.
 */
export function ttsConformance(
  title: string,
  create: () => TtsEngine | Promise<TtsEngine>,
  perTest = false,
  fastest = 1.5,
): void {
  describe(`TtsEngine: ${title}`, () => {
    let shared: TtsEngine | undefined;
    afterAll(() => shared?.close());
    const withEngine = async (work: (engine: TtsEngine) => Promise<void>): Promise<void> => {
      const engine = (perTest ? undefined : shared) ?? (await create());
      if (!perTest) shared = engine;
      try {
        await work(engine);
      } finally {
        if (perTest) await engine.close();
      }
    };

    it('says that it is available, and has a name', () =>
      withEngine(async (engine) => {
        expect(engine.available()).toEqual({ ok: true });
        expect(engine.name).toMatch(/^[a-z][a-z0-9+-]*$/);
      }));

    it.each([8000, 16_000, 22_050, 24_000, 48_000])(
      'speaks at %i Hz, and as long as at any other rate',
      (sampleRateHz) =>
        withEngine(async (engine) => {
          const speech = await collectSpeech(engine, ttsRequest({ sampleRateHz }));
          const reference = await collectSpeech(engine, ttsRequest());
          expect(speech.seconds).toBeGreaterThan(1);
          expect(Math.abs(speech.seconds - reference.seconds)).toBeLessThan(0.25);
          expect(levelOf(speech.samples)).toBeGreaterThan(300);
        }),
    );

    it('tells voices apart by all that it makes of them, and may be told of a sentence before', () =>
      withEngine(async (engine) => {
        engine.warmUp?.();
        expect(engine.soundOf(TEST_VOICE)).toBe(
          engine.soundOf({ ...TEST_VOICE, name: 'Other', description: 'Other.' }),
        );
        expect(engine.soundOf(TEST_VOICE)).not.toBe(engine.soundOf(OTHER_VOICE));
      }));

    it('marks words in order, inside the text, no later than their sound, if at all', () =>
      withEngine(async (engine) => {
        const request = ttsRequest({ text: 'We are open, مرحبا بك.' });
        let samples = 0;
        const marks: SpeechMark[] = [];
        for await (const chunk of engine.synthesize(request, new AbortController().signal)) {
          samples += chunk.length;
          marks.push(...(chunk.marks ?? []));
          const untoldMs = marks.length === 0 ? 0 : (marks.at(-1)?.atMs ?? 0);
          expect(untoldMs).toBeLessThanOrEqual((samples * 1000) / request.sampleRateHz);
        }
        const places = marks.flatMap(({ charStart, charEnd }) => [charStart, charEnd]);
        const times = marks.map(({ atMs }) => atMs);
        for (const row of [places, times]) expect(row).toEqual([...row].sort((a, b) => a - b));
        expect(places.every((place) => place >= 0 && place <= request.text.length)).toBe(true);
      }));

    it('begins with sound', () =>
      withEngine(async (engine) => {
        const { samples } = await collectSpeech(engine, ttsRequest());
        expect(levelOf(samples.subarray(0, 800))).toBeGreaterThan(100);
      }));

    it.each([
      'مرحباً، كيف أقدر أساعدك اليوم؟',
      'أبغى appointment يوم Monday',
      '--help -w /tmp/x',
      '; rm `x` $(y) "\'',
      'a<b>&c',
    ])('speaks %s', (text) =>
      withEngine(async (engine) => {
        const voice = (engine.canSpeak?.(TEST_VOICE_AR) ?? true) ? TEST_VOICE_AR : TEST_VOICE;
        const speech = await collectSpeech(engine, ttsRequest({ text, voice }));
        expect(speech.seconds).toBeGreaterThan(0.15);
      }),
    );

    it.each(['', ' ', '\n\t'])('has nothing to say to %j', (text) =>
      withEngine(async (engine) => {
        expect((await collectSpeech(engine, ttsRequest({ text }))).chunks).toEqual([]);
      }),
    );

    it('speaks longer texts longer, and faster at higher speed', () =>
      withEngine(async (engine) => {
        const text = 'We are open from nine to five. '.repeat(4);
        const short = await collectSpeech(engine, ttsRequest({ text: 'We are open.' }));
        const long = await collectSpeech(engine, ttsRequest({ text }));
        const fast = await collectSpeech(engine, ttsRequest({ text, speed: 2 }));
        const slow = await collectSpeech(engine, ttsRequest({ text, speed: 0.5 }));
        expect(long.seconds).toBeGreaterThan(short.seconds * 3);
        expect(fast.seconds).toBeLessThan((long.seconds * 1.125) / fastest);
        if (fastest > 1) expect(slow.seconds).toBeGreaterThan(long.seconds * 1.4);
      }));

    it('does nothing for a signal that was aborted before', () =>
      withEngine(async (engine) => {
        expect((await collectSpeech(engine, ttsRequest(), AbortSignal.abort())).chunks).toEqual([]);
      }));

    it('ends without an error when aborted midway', () =>
      withEngine(async (engine) => {
        const abort = new AbortController();
        let chunks = 0;
        for await (const chunk of engine.synthesize(
          ttsRequest({ text: 'Many words follow. '.repeat(40) }),
          abort.signal,
        )) {
          expect(chunk.length).toBeGreaterThan(0);
          chunks += 1;
          abort.abort();
        }
        expect(chunks).toBe(1);
      }));

    it('may be left before the end', () =>
      withEngine(async (engine) => {
        for await (const chunk of engine.synthesize(ttsRequest(), new AbortController().signal)) {
          expect(chunk.length).toBeGreaterThan(0);
          break;
        }
        expect((await collectSpeech(engine, ttsRequest())).seconds).toBeGreaterThan(1);
      }));

    it('serves several at once', () =>
      withEngine(async (engine) => {
        const all = await Promise.all([1, 2, 3, 4].map(() => collectSpeech(engine, ttsRequest())));
        for (const speech of all) expect(Math.abs(speech.seconds - all[0]!.seconds)).toBeLessThan(0.2);
      }));

    it('is unavailable once closed, and closes twice', async () => {
      const engine = await create();
      await engine.close();
      await engine.close();
      expect(engine.available().ok).toBe(false);
      const error = await collectSpeech(engine, ttsRequest()).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ServiceError);
      expect((error as ServiceError).code).toBe('unavailable');
    });
  });
}
