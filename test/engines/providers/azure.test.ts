import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { ServiceError } from '../../../src/core/errors.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { ServiceUse } from '../../../src/core/service-use.ts';
import { AzureStt } from '../../../src/engines/providers/azure/azure-stt.ts';
import { AzureTts } from '../../../src/engines/providers/azure/azure-tts.ts';
import { speakingUrl } from '../../../src/engines/providers/azure/settings.ts';
import { hearElsewhere, speakElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { SttEvent, SttOptions, SttStream } from '../../../src/engines/stt/contract.ts';
import { sttConformance } from '../../conformance/stt.ts';
import { collectSpeech, TEST_VOICE, TEST_VOICE_AR, ttsConformance, ttsRequest } from '../../conformance/tts.ts';
import { AZURE_SPEAK, AzureTestServer } from '../../support/azure-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { meanwhile, pass } from '../../support/passing-time.ts';
import { framesOf } from '../../support/speech-clips.ts';
import { tone } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';

const SAID = 'where is my order';
const HINTS = { phrases: [SAID], expect: [] };
const REGION = 'https://uaenorth.stt.speech.microsoft.com';
const speech = tone(1000, 8000);
const never = new AbortController().signal;
let server: AzureTestServer;
const depsOf = (clock = systemClock) => ({ clock, logger: silentLogger, used: () => {} });
const ears = (clock = systemClock) => hearElsewhere(new AzureStt(server.settings, depsOf(clock)));
const voice = (clock = systemClock) => speakElsewhere(new AzureTts(server.settings, depsOf(clock)));

describe('as engines', () => {
  beforeAll(async () => {
    server = await AzureTestServer.start();
  });
  afterAll(() => server.close());
  sttConformance('azure', {
    ...{ make: () => ears(), language: 'en-US', foreignLanguage: 'fr-FR', hints: HINTS },
    ...{ samples: speech, text: SAID, words: true, feed: 'new-speech' },
  });
  ttsConformance('azure', () => voice());
});

describe('azure', () => {
  beforeEach(async () => {
    server = await AzureTestServer.start();
    server.key = 'az-canary';
  });
  afterEach(() => server.close());

  const open = (options: Partial<SttOptions> = {}): SttStream =>
    ears().open({ language: 'en-US', sampleRateHz: 8000, interim: false, ...options }, never);
  function say(stream: SttStream, samples = speech, sampleRateHz = 8000): void {
    for (const frame of framesOf(samples)) stream.write({ ...frame, sampleRateHz });
  }
  async function ended(stream: SttStream): Promise<SttEvent[]> {
    stream.end();
    const events: SttEvent[] = [];
    for await (const event of stream) events.push(event);
    return events;
  }

  it.each([
    { options: { language: 'ar-SA' }, query: { language: 'ar-SA', format: 'detailed' }, bytes: 8_000 },
    { options: { sampleRateHz: 16_000 }, query: { language: 'en-US', wordLevelTimestamps: 'true' }, bytes: 16_000 },
    { options: { languages: ['ar-SA', 'en-US'] }, query: { lidEnabled: 'true' }, bytes: 8_000 },
  ])('asks for $query', async ({ options, query, bytes }) => {
    const stream = open(options);
    say(stream, speech, options.sampleRateHz);
    expect(await ended(stream)).toMatchObject([{ type: 'final', text: SAID, confidence: 0.87 }]);
    const [connection] = server.connections;
    expect(Object.fromEntries(connection!.query)).toMatchObject(query);
    expect(connection!.headers['ocp-apim-subscription-key']).toBe('az-canary');
    const { listening } = connection!;
    expect([listening!.audio.length, listening!.problem]).toEqual([bytes, undefined]);
    await until(() => connection!.isOpen === false);
  });

  it('speaks of one stretch with the service at a time, however many are said before it answers', async () => {
    server.hears.push({ text: 'one', as: 'twice' }, { text: 'two' }, { text: 'three' });
    const stream = open();
    for (let n = 0; n < 3; n += 1) {
      say(stream);
      stream.flush();
    }
    const events = await ended(stream);
    expect(events.map((event) => [event.text, event.type === 'final' && event.startMs])).toEqual([
      ...[['one', 0], ['two', 1_000], ['three', 2_000]], // biome-ignore format: rows
    ]);
    const [{ order, problem } = { order: [], problem: '' }] = server.listening;
    const turn = ['speech.context', 'audio'];
    expect([problem, order]).toEqual([undefined, ['speech.config', ...turn, ...turn, ...turn]]);
  });

  it('tells with every stretch what may be said now', async () => {
    const stream = open({ hints: HINTS });
    say(stream);
    stream.flush();
    await until(() => server.listening[0]?.contexts.length === 1);
    stream.hint({ phrases: ['yes', 'no'], expect: [] });
    say(stream);
    await ended(stream);
    const told = server.listening[0]!.contexts.map(({ dgi }) => dgi?.groups?.[0]?.items?.map(({ text }) => text));
    expect(told).toEqual([[SAID], ['yes', 'no']]);
  });

  it('counts what it sent, for the call and for all', async () => {
    const use = new ServiceUse();
    const stream = open({ used: use.tell });
    say(stream);
    await ended(stream);
    await collectSpeech(voice(), ttsRequest({ text: 'Hello.', used: use.tell }));
    expect(use.totals).toEqual({ azure: { requests: 2, 'audio-seconds': 1, characters: 6 } });
  });

  it('has a voice for each language and gender, and takes the one that a voice names', async () => {
    const engine = voice();
    const own = { ...TEST_VOICE, providers: { azure: { name: 'en-US-AvaMultilingualNeural' } } };
    const arabic = { ...TEST_VOICE_AR, providers: own.providers };
    const all = [TEST_VOICE_AR, { ...TEST_VOICE_AR, gender: 'male' as const }, TEST_VOICE, own, arabic];
    for (const one of all) await collectSpeech(engine, ttsRequest({ text: 'Hi.', voice: one }));
    expect(server.said.map((said) => said.voice)).toEqual([
      ...['ar-SA-ZariyahNeural', 'ar-SA-HamedNeural', 'en-US-JennyNeural'],
      ...['en-US-AvaMultilingualNeural', 'en-US-AvaMultilingualNeural'],
    ]);
    const english = { ...TEST_VOICE_AR, providers: { azure: { name: 'en-US-GuyNeural' } } };
    const french = { ...TEST_VOICE, language: 'fr-FR' };
    expect([english, french, own, arabic].map((one) => engine.canSpeak?.(one))).toEqual([false, false, true, true]);
    await engine.close();
  });

  it('says one sentence after the other over one connection: fast, high, wide and with any sign', async () => {
    const clock = new FakeClock();
    const engine = voice(clock);
    const text = 'a<b> & "c" \'d\'\u0007 ﻣﺮﺣﺒﺎ';
    await collectSpeech(engine, ttsRequest({ text, speed: 1.2, pitchSemitones: -2 }));
    await collectSpeech(engine, ttsRequest({ text: 'Two.', speed: 5, sampleRateHz: 16_000 }));
    expect(server.said).toMatchObject([
      { text: text.replace('\u0007', ' '), rate: '+20%', pitch: '-2st', format: 'raw-8khz-8bit-mono-mulaw' },
      { text: 'Two.', rate: '+100%', pitch: undefined, format: 'raw-24khz-16bit-mono-pcm' },
    ]);
    expect(server.connections.length).toBe(1);
    clock.advance(20_000);
    await until(() => server.open === 0);
    await engine.close();
  });

  it('connects while the call still rings, and again where the service hung up meanwhile', async () => {
    const engine = voice();
    engine.warmUp?.();
    engine.warmUp?.();
    await until(() => server.open === 1);
    await collectSpeech(engine, ttsRequest({ text: 'One.' }));
    expect(server.connections.length).toBe(1);
    server.hangUp(1000);
    expect((await collectSpeech(engine, ttsRequest({ text: 'Two.' }))).seconds).toBeCloseTo(0.2, 2);
    expect(server.connections.map(({ path }) => path)).toEqual([AZURE_SPEAK, AZURE_SPEAK]);
    await engine.close();
  });

  it('tells of words no sooner than they sound, those that are said twice too', async () => {
    const text = 'No, no, 12 and 12.';
    let samples = 0;
    const told: [string, number][] = [];
    for await (const chunk of voice().synthesize(ttsRequest({ text }), never)) {
      samples += chunk.length;
      for (const { charStart, charEnd, atMs } of chunk.marks ?? []) {
        told.push([text.slice(charStart, charEnd), charStart]);
        expect([atMs, atMs <= samples / 8]).toEqual([charStart * 50, true]);
      }
    }
    expect(told).toEqual([['No', 0], ['no', 4], ['12', 8], ['and', 11], ['12', 15]]); // biome-ignore format: rows
  });

  it('speaks in the region where it hears, and at home at one address', () => {
    const path = '/tts/cognitiveservices/websocket/v1';
    expect(speakingUrl({ baseUrl: REGION })).toBe(`wss://uaenorth.tts.speech.microsoft.com${path}`);
    expect(speakingUrl({ baseUrl: 'http://speech.example.lan:5000/' })).toBe(`ws://speech.example.lan:5000${path}`);
  });

  it('has all of a stretch heard once more, whose turn the service ended too soon', async () => {
    server.hears.push({ text: 'where', as: 'cut-short' }, { text: SAID });
    const stream = open();
    say(stream);
    stream.flush();
    expect(await ended(stream)).toMatchObject([{ type: 'final', text: SAID, startMs: 0, endMs: 1_000 }]);
    expect(server.listening.map(({ audio }) => audio.length)).toEqual([expect.any(Number), 8_000]);
  });

  it('fails where nothing is said of a turn for 3 s, while it is still spoken', async () => {
    const clock = new FakeClock();
    server.failNext({ type: 'silent' });
    const stream = ears(clock).open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    let code: string | undefined;
    void (async () => {
      for await (const _ of stream);
    })().catch((error: ServiceError) => {
      code = error.code;
    });
    say(stream);
    await until(() => (server.listening[0]?.audio.length ?? 0) >= 8_000);
    await pass(clock, 2_900, 100);
    expect(code).toBeUndefined();
    await pass(clock, 200, 100);
    await until(() => code === 'transcription_failed');
  });

  it('fails where a turn is spoken of and never answered', async () => {
    const clock = new FakeClock();
    server.hears.push({ text: SAID, as: 'wordless' });
    const stream = ears(clock).open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    await until(() => server.open === 1);
    say(stream);
    const failed = ended(stream).then(
      () => 'heard',
      (error: unknown) => (error as ServiceError).code,
    );
    const started = clock.nowMs();
    let code: string | undefined;
    void failed.then((told) => {
      code = told;
    });
    await meanwhile(clock, () => code !== undefined);
    expect(code).toBe('transcription_failed');
    expect(clock.nowMs() - started).toBeGreaterThanOrEqual(3_000);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['TooManyRequests', 'unavailable'],
    ['Forbidden', 'unavailable'],
    ['BadRequest', 'transcription_failed'],
    ['Error', 'transcription_failed'],
    ['InitialSilenceTimeout', undefined],
    ['BabbleTimeout', undefined],
    ['EndOfDictation', undefined],
  ] as const)('takes %s instead of words as %s', async (status, code) => {
    server.hears.push({ text: '', status });
    const stream = open();
    say(stream);
    stream.flush();
    const heard = ended(stream);
    if (code) await expect(heard).rejects.toMatchObject({ code });
    else expect(await heard).toMatchObject([{ type: 'final', text: '', confidence: 0 }]);
  });
});
