import * as sdk from 'microsoft-cognitiveservices-speech-sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { speechContext } from '../../src/engines/providers/azure/speech-context.ts';
import { AzureTestServer } from '../support/azure-server.ts';
import { tone } from '../support/speech-server.ts';
import { until } from '../support/until.ts';

const SAID = 'where is my order';

/** The vendor's own client finds in the stand-in what it looks for: addresses, framing, turns, and the names of fields. */
describe('the stand-in, asked by the client of Azure Speech', () => {
  let server: AzureTestServer;
  beforeAll(async () => {
    server = await AzureTestServer.start();
    server.key = 'az-canary';
    sdk.Recognizer.enableTelemetry(false);
    // The client takes the socket of browsers where there is one (from Node 22 on), which has no headers and thus no key: as a server it has its own.
    vi.stubGlobal('WebSocket', undefined);
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await server.close();
  });

  const configOf = (key = 'az-canary'): sdk.SpeechConfig => {
    const config = sdk.SpeechConfig.fromHost(new URL(`ws://${server.host}`), key);
    config.speechRecognitionLanguage = 'en-US';
    config.requestWordLevelTimestamps();
    config.setProperty(sdk.PropertyId.Speech_SegmentationSilenceTimeoutMs, '500');
    return config;
  };

  function listenTo(config: sdk.SpeechConfig, languages: readonly string[] = []) {
    const format = sdk.AudioStreamFormat.getWaveFormat(8000, 8, 1, sdk.AudioFormatTag.MuLaw);
    const stream = sdk.AudioInputStream.createPushStream(format);
    const audio = sdk.AudioConfig.fromStreamInput(stream);
    const recogniser =
      languages.length > 0
        ? sdk.SpeechRecognizer.FromConfig(
            config,
            sdk.AutoDetectSourceLanguageConfig.fromLanguages([...languages]),
            audio,
          )
        : new sdk.SpeechRecognizer(config, audio);
    sdk.PhraseListGrammar.fromRecognizer(recogniser).addPhrase('order');
    const interims: string[] = [];
    const finals: sdk.SpeechRecognitionResult[] = [];
    const cancelled: string[] = [];
    let stopped = 0;
    recogniser.recognizing = (_, { result }) => interims.push(result.text);
    recogniser.recognized = (_, { result }) => finals.push(result);
    recogniser.canceled = (_, { errorDetails }) => cancelled.push(errorDetails ?? '');
    recogniser.sessionStopped = () => {
      stopped += 1;
    };
    const start = (): Promise<void> =>
      new Promise((resolve, reject) => recogniser.startContinuousRecognitionAsync(resolve, reject));
    const close = (): Promise<void> => new Promise((resolve, reject) => recogniser.close(resolve, reject));
    return { stream, interims, finals, cancelled, stopped: () => stopped, start, close };
  }

  async function heardBy(listener: ReturnType<typeof listenTo>): Promise<void> {
    await listener.start();
    listener.stream.write(Uint8Array.from(encodeMulaw(tone(1000, 8000))).buffer);
    listener.stream.close();
    await until(() => listener.stopped() > 0);
    await listener.close();
  }

  it('hears: words that change, words that do not with their times, the end of the turn', async () => {
    const listener = listenTo(configOf());
    await heardBy(listener);
    const [final] = listener.finals;
    expect([final?.text, final?.offset, final?.duration]).toEqual([SAID, 0, 10_000_000]);
    const { NBest } = JSON.parse(final?.json ?? '') as { NBest: { Confidence: number; Words: { Offset: number }[] }[] };
    expect(NBest[0]?.Confidence).toBe(0.87);
    expect(NBest[0]?.Words.map(({ Offset }) => Offset)).toEqual([0, 2_000_000, 4_000_000, 6_000_000]);
    expect(listener.interims.every((text) => SAID.startsWith(text))).toBe(true);
    const [{ order, problem, audio } = { order: [], problem: 'nobody came', audio: [] }] = server.listening;
    expect([order, problem, audio.length]).toEqual([['speech.config', 'speech.context', 'audio'], undefined, 8000]);
  });

  it('tells what to expect in the words of the adapter, in one language and in several', async () => {
    const hints = { phrases: ['order'], expect: [] };
    const options = { language: 'en-US', sampleRateHz: 8000, interim: true };
    for (const languages of [[], ['ar-SA', 'en-US']]) {
      const listener = listenTo(configOf(), languages);
      await heardBy(listener);
      const own = JSON.parse(speechContext({ ...options, languages }, hints)) as unknown;
      const { phraseDetection, ...theirs } = server.listening.at(-1)!.contexts[0]!;
      const { enrichment, ...detection } = phraseDetection!;
      expect(enrichment).toEqual({}); // which the adapter leaves out
      expect(own).toEqual({ ...theirs, phraseDetection: detection });
    }
  });

  it('tells which of several languages it was', async () => {
    server.hears.push({ text: 'وين طلبي', language: 'ar-SA' });
    const listener = listenTo(configOf(), ['ar-SA', 'en-US']);
    await heardBy(listener);
    expect(listener.finals.map(({ text, language }) => [text, language])).toEqual([['وين طلبي', 'ar-SA']]);
  });

  it('speaks: where each word is, and sound', async () => {
    const config = configOf();
    config.speechSynthesisVoiceName = 'ar-SA-ZariyahNeural';
    config.speechSynthesisOutputFormat = sdk.SpeechSynthesisOutputFormat.Raw8Khz8BitMonoMULaw;
    const synthesiser = new sdk.SpeechSynthesizer(config, null as unknown as sdk.AudioConfig);
    const words: [string, number, number][] = [];
    synthesiser.wordBoundary = (_, { text, textOffset, audioOffset }) => words.push([text, textOffset, audioOffset]);
    const result = await new Promise<sdk.SpeechSynthesisResult>((resolve, reject) =>
      synthesiser.speakTextAsync('أهلا & سهلا', resolve, reject),
    );
    expect(result.audioData.byteLength).toBe(11 * 50 * 8);
    const times = words.map(([text, , audioOffset]) => [text, audioOffset / 10_000]);
    expect(times).toEqual([['أهلا', 0], ['سهلا', 7 * 50]]); // biome-ignore format: rows
    expect(server.said.at(-1)).toMatchObject({ text: 'أهلا & سهلا', voice: 'ar-SA-ZariyahNeural' });
    await new Promise<void>((resolve, reject) => synthesiser.close(resolve, reject));
  });

  it('refuses a stranger', async () => {
    const before = server.connections.length;
    const listener = listenTo(configOf('az-wrong'));
    void listener.start().catch(() => {});
    await until(() => listener.cancelled.length > 0);
    expect(server.connections.length).toBe(before);
    await listener.close();
  });
});
