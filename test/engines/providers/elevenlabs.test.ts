import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { ServiceUse } from '../../../src/core/service-use.ts';
import { failoverTts } from '../../../src/engines/failover-tts.ts';
import { ElevenlabsStt } from '../../../src/engines/providers/elevenlabs/elevenlabs-stt.ts';
import { ElevenlabsTts } from '../../../src/engines/providers/elevenlabs/elevenlabs-tts.ts';
import type { ElevenlabsSettings } from '../../../src/engines/providers/elevenlabs/settings.ts';
import { SpokenMarks } from '../../../src/engines/providers/elevenlabs/spoken-marks.ts';
import { hearElsewhere, speakElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { SttEvent, SttOptions } from '../../../src/engines/stt/contract.ts';
import { ScriptedTts } from '../../../src/engines/tts/scripted.ts';
import { sttConformance } from '../../conformance/stt.ts';
import { collectSpeech, TEST_VOICE_AR, ttsConformance, ttsRequest } from '../../conformance/tts.ts';
import { ElevenlabsTestServer } from '../../support/elevenlabs-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { meanwhile, pass } from '../../support/passing-time.ts';
import { framesOf } from '../../support/speech-clips.ts';
import { tone } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';

const SAID = 'where is my order';
const HINTS = { phrases: [SAID], expect: [] };
const speech = tone(1000, 8000);
const never = new AbortController().signal;
let server: ElevenlabsTestServer;
const depsOf = (clock = systemClock) => ({ clock, logger: silentLogger, used: () => {} });
const ears = (clock = systemClock, change: Partial<ElevenlabsSettings> = {}) =>
  hearElsewhere(new ElevenlabsStt({ ...server.settings, ...change }, depsOf(clock)));
const voice = (change: Partial<ElevenlabsSettings> = {}) =>
  speakElsewhere(new ElevenlabsTts({ ...server.settings, ...change }, depsOf()));

describe('as engines', () => {
  beforeAll(async () => {
    server = await ElevenlabsTestServer.start();
  });
  afterAll(() => server.close());
  sttConformance('elevenlabs', {
    ...{ make: () => ears(), language: 'en-US', foreignLanguage: 'fr-FR', hints: HINTS },
    ...{ samples: speech, text: SAID, words: true, feed: 'new-speech' },
  });
  ttsConformance('elevenlabs', () => voice(), false, 1.2);
});

describe('ears of elevenlabs', () => {
  beforeEach(async () => {
    server = await ElevenlabsTestServer.start();
    server.key = 'el-canary';
  });
  afterEach(() => server.close());

  async function finals(options: Partial<SttOptions>, samples = speech, engine = ears()) {
    const stream = engine.open({ language: 'en-US', sampleRateHz: 8000, interim: false, ...options }, never);
    const sampleRateHz = options.sampleRateHz ?? 8000;
    for (const frame of framesOf(samples)) stream.write({ ...frame, sampleRateHz });
    stream.end();
    const events: SttEvent[] = [];
    for await (const event of stream) events.push(event);
    return events.filter((event) => event.type === 'final');
  }

  const both = ['ar-SA', 'en-US'];
  it.each([
    { options: { language: 'ar-SA' }, query: { language_code: 'ar', audio_format: 'ulaw_8000' }, bytes: 8_000 },
    { options: { sampleRateHz: 16_000 }, query: { language_code: 'en', audio_format: 'pcm_16000' }, bytes: 16_000 },
    {
      options: { language: 'ar-SA', languages: both },
      query: { language_code: 'ar', secondary_languages: 'en', include_language_detection: 'true' },
      bytes: 8_000,
    },
  ])('asks for $query', async ({ options, query, bytes }) => {
    expect(await finals(options)).toMatchObject([{ text: SAID }]);
    const [connection] = server.connections;
    expect(Object.fromEntries(connection!.query)).toMatchObject({
      ...{ model_id: 'scribe_v2_realtime', commit_strategy: 'manual', include_timestamps: 'true', ...query },
    });
    expect(connection!.query.has('enable_logging')).toBe(false);
    expect([connection!.listening!.audio.length, connection!.listening!.commits]).toEqual([bytes, 1]);
    expect(connection!.headers['xi-api-key']).toBe('el-canary');
    await until(() => connection!.isOpen === false);
  });

  it('tells the service to keep nothing, where that is wanted', async () => {
    await finals({}, speech, ears(systemClock, { zeroRetention: true }));
    await collectSpeech(voice({ zeroRetention: true }), ttsRequest());
    const told = [server.connections[0]!.query, server.asked[0]!.query].map((query) => query.get('enable_logging'));
    expect(told).toEqual(['false', 'false']);
  });

  it('is as sure as the words of it', async () => {
    const [final] = await finals({});
    expect(final!.confidence).toBeCloseTo(Math.exp(-0.03), 5);
  });

  it('hears nothing where the service finds too little to hear', async () => {
    server.hears.push({ text: SAID, as: 'throttled' });
    expect(await finals({})).toMatchObject([{ text: '', confidence: 0, startMs: 0, endMs: 1_000 }]);
  });

  it.each([8_000, 16_000])(
    'makes a short word long enough to be heard, at %i Hz, and moves no time by it',
    async (sampleRateHz) => {
      server.otherwise = { text: 'نعم' };
      const stream = ears().open({ language: 'ar-SA', sampleRateHz, interim: false }, never);
      for (let n = 0; n < 2; n += 1) {
        for (const frame of framesOf(tone(200, sampleRateHz))) stream.write({ ...frame, sampleRateHz });
        stream.flush();
      }
      stream.end();
      const events: SttEvent[] = [];
      for await (const event of stream) events.push(event);
      expect(events).toMatchObject([
        { text: 'نعم', startMs: 0, endMs: 200, words: [{ startMs: 0 }] },
        { text: 'نعم', startMs: 200, endMs: 400, words: [{ startMs: 200 }] },
      ]);
    },
  );

  it('takes the text alone where no words come with it', async () => {
    server.hears.push({ text: SAID, as: 'wordless' });
    const [final] = await finals({});
    expect(final).toMatchObject({ text: SAID, confidence: 0.8 }); // what was never settled is less
    expect(final!.words).toBeUndefined();
  });

  it('says the same word twice when it was said twice', async () => {
    server.otherwise = { text: 'نعم' };
    const stream = ears().open({ language: 'ar-SA', sampleRateHz: 8000, interim: false }, never);
    const texts: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      for (const frame of framesOf(speech)) stream.write(frame);
      stream.flush();
    }
    stream.end();
    for await (const { text } of stream) texts.push(text);
    expect(texts).toEqual(['نعم', 'نعم']);
  });

  it('keeps a connection that the service would give up, and another one is not needed', async () => {
    const clock = new FakeClock();
    await server.close();
    server = await ElevenlabsTestServer.start(clock);
    const events: SttEvent[] = [];
    const abort = new AbortController();
    const stream = ears(clock).open({ language: 'en-US', sampleRateHz: 8000, interim: false }, abort.signal);
    void (async () => {
      for await (const event of stream) events.push(event);
    })();
    for (let n = 1; n <= 2; n += 1) {
      for (const frame of framesOf(speech)) stream.write(frame);
      stream.flush();
      await until(() => events.length === n);
      if (n === 1) {
        await pass(clock, 5_000); // it looks back at speech
        for (let held = 0; held < 60; held += 5) {
          const before = server.listening[0]!.silences;
          await pass(clock, 5_000);
          await until(() => server.listening[0]!.silences > before);
        }
      }
    }
    expect(events).toMatchObject([{ endMs: 1_000 }, { startMs: 1_000, endMs: 2_000 }]);
    expect([server.connections.length, server.listening[0]!.silences]).toEqual([1, 12]);
    abort.abort();
    await until(() => server.open === 0);
  });

  it('is given up when a long speech is answered by nothing at all', async () => {
    const clock = new FakeClock();
    server.failListening({ type: 'silent' });
    let error: unknown;
    const stream = ears(clock).open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    void (async () => {
      try {
        for await (const _ of stream);
      } catch (failure) {
        error = failure;
      }
    })();
    for (const frame of framesOf(speech)) stream.write(frame);
    await until(() => server.listening[0]?.audio.length === 8_000);
    await pass(clock, 5_500, 500);
    expect(error).toBeUndefined();
    await meanwhile(clock, () => error !== undefined);
    expect(error).toMatchObject({ code: 'transcription_failed' });
  });

  it('counts what it sent, for the call and for all', async () => {
    const use = new ServiceUse();
    await finals({ used: use.tell });
    await collectSpeech(voice(), ttsRequest({ text: 'Hello.', used: use.tell }));
    expect(use.totals).toEqual({ elevenlabs: { requests: 2, 'audio-seconds': 1, characters: 6 } });
  });
});

describe('a voice of elevenlabs', () => {
  beforeEach(async () => {
    server = await ElevenlabsTestServer.start();
  });
  afterEach(() => server.close());

  it.each([
    { model: 'eleven_turbo_v2_5', language: 'ar', speed: 1, settings: undefined },
    { model: 'eleven_multilingual_v2', language: undefined, speed: 1.1, settings: { speed: 1.1 } },
    { model: 'eleven_v3', language: 'ar', speed: 2, settings: { speed: 1.2 } },
  ])('asks for Arabic of $model', async ({ model, language, speed, settings }) => {
    await collectSpeech(voice({ speechModel: model }), ttsRequest({ text: 'مرحبا', voice: TEST_VOICE_AR, speed }));
    const [asked] = server.asked;
    expect(asked!.path).toBe('/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb/stream/with-timestamps');
    expect(asked!.query.get('output_format')).toBe('ulaw_8000');
    expect(asked!.json).toEqual({
      ...{ text: 'مرحبا', model_id: model, apply_text_normalization: 'off' },
      ...(language && { language_code: language }),
      ...(settings && { voice_settings: settings }),
    });
  });

  it('leaves Arabic to the next voice where its model knows English only, which is no failure', async () => {
    const engine = voice({ speechModel: 'eleven_flash_v2' });
    const next = new ScriptedTts();
    const arabic = ttsRequest({ text: 'مرحبا', voice: TEST_VOICE_AR });
    await expect(collectSpeech(engine, arabic)).rejects.toMatchObject({ code: 'unknown_voice' });
    await collectSpeech(failoverTts([engine, next], silentLogger), arabic);
    expect([next.requests.length, server.asked.length]).toEqual([1, 0]);
    await collectSpeech(engine, ttsRequest());
    expect(server.asked.length).toBe(1);
  });

  it('speaks wideband where that is wanted', async () => {
    const { seconds } = await collectSpeech(voice(), ttsRequest({ text: 'Hello.', sampleRateHz: 16_000 }));
    expect(server.asked[0]!.query.get('output_format')).toBe('pcm_24000');
    expect(seconds).toBeCloseTo(0.3, 2);
  });

  it('connects while the call still rings', async () => {
    voice().warmUp?.();
    await until(() => server.urls.includes('/v1/models'));
    expect(server.asked).toEqual([]);
  });
});

describe('marks', () => {
  const TEXT = 'طلبك رقم 4521، وصل.';
  const alignmentOf = (letters: readonly string[], fromMs = 0) => ({
    characters: letters,
    character_start_times_seconds: letters.map((_, i) => (fromMs + i * 50) / 1000),
  });
  const words = (marks: ReturnType<SpokenMarks['read']>, text = TEXT) =>
    marks.map(({ charStart, charEnd, atMs }) => [text.slice(charStart, charEnd), atMs]);

  it('are told once for each word, wherever the pieces end', () => {
    const letters = [...TEXT];
    for (const cut of [1, 5, 7, 10, 14]) {
      const marks = new SpokenMarks(TEXT);
      const told = [
        ...marks.read(alignmentOf(letters.slice(0, cut))),
        ...marks.read(alignmentOf(letters.slice(cut), cut * 50)),
      ];
      expect(words(told)).toEqual([
        ...[['طلبك', 0], ['رقم', 250], ['4521،', 450], ['وصل.', 750]], // biome-ignore format: rows
      ]);
    }
  });

  it('are right where letters were left out, and none where they are of another text', () => {
    const told = new SpokenMarks(TEXT).read(alignmentOf([' ', ...TEXT.replace('ط', '')]));
    expect(words(told).map(([word]) => word)).toEqual(['طلبك', 'رقم', '4521،', 'وصل.']);
    expect(new SpokenMarks('abc').read(alignmentOf([...'xyz']))).toEqual([]);
    expect(new SpokenMarks(`${'a '.repeat(30)}z`).read(alignmentOf(['z']))).toEqual([]);
    for (const odd of [
      undefined,
      7,
      [],
      { characters: 'abc' },
      { characters: ['a', 7], character_start_times_seconds: ['0', 1] },
    ])
      expect(new SpokenMarks('abc').read(odd)).toEqual([]);
  });
});
