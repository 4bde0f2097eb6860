import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { ServiceUse } from '../../../src/core/service-use.ts';
import { failoverTts } from '../../../src/engines/failover-tts.ts';
import { DeepgramStt } from '../../../src/engines/providers/deepgram/deepgram-stt.ts';
import { DeepgramTts } from '../../../src/engines/providers/deepgram/deepgram-tts.ts';
import { hearElsewhere, speakElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { SttOptions } from '../../../src/engines/stt/contract.ts';
import { ScriptedTts } from '../../../src/engines/tts/scripted.ts';
import { sttConformance } from '../../conformance/stt.ts';
import { collectSpeech, TEST_VOICE_AR, ttsConformance, ttsRequest } from '../../conformance/tts.ts';
import { DeepgramTestServer } from '../../support/deepgram-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { pass } from '../../support/passing-time.ts';
import { framesOf } from '../../support/speech-clips.ts';
import { tone } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';

const SAID = 'where is my order';
const HINTS = { phrases: [SAID], expect: [] };
const speech = tone(1000, 8000);
const never = new AbortController().signal;
let server: DeepgramTestServer;
const depsOf = (clock = systemClock) => ({ clock, logger: silentLogger, used: () => {} });
const ears = (clock = systemClock) => hearElsewhere(new DeepgramStt(server.settings, depsOf(clock)));
const voice = (clock = systemClock) => speakElsewhere(new DeepgramTts(server.settings, depsOf(clock)));

describe('as engines', () => {
  beforeAll(async () => {
    server = await DeepgramTestServer.start();
  });
  afterAll(() => server.close());
  sttConformance('deepgram', {
    ...{ make: () => ears(), language: 'en-US', foreignLanguage: 'fr-FR', hints: HINTS },
    ...{ samples: speech, text: SAID, words: true, feed: 'new-speech' },
  });
  ttsConformance('deepgram', () => voice());
});

describe('deepgram', () => {
  beforeEach(async () => {
    server = await DeepgramTestServer.start();
    server.key = 'dg-canary';
  });
  afterEach(() => server.close());

  async function heard(options: Partial<SttOptions>, samples = speech): Promise<string> {
    const stream = ears().open({ language: 'en-US', sampleRateHz: 8000, interim: false, ...options }, never);
    const sampleRateHz = options.sampleRateHz ?? 8000;
    for (const frame of framesOf(samples)) stream.write({ ...frame, sampleRateHz });
    stream.end();
    let text = '';
    for await (const event of stream) text = event.text;
    return text;
  }

  it.each([
    {
      options: { language: 'ar-SA' },
      query: { language: 'ar-SA', encoding: 'mulaw', sample_rate: '8000' },
      bytes: 8_000,
    },
    {
      options: { sampleRateHz: 16_000 },
      query: { language: 'en-US', encoding: 'linear16', sample_rate: '16000' },
      bytes: 16_000,
    },
  ])('asks for $query', async ({ options, query, bytes }) => {
    expect(await heard(options)).toBe(SAID);
    const [connection] = server.connections;
    expect(Object.fromEntries(connection!.query)).toMatchObject({
      ...{ model: 'nova-3', interim_results: 'true', mip_opt_out: 'true', ...query },
    });
    expect(connection!.listening!.audio.length).toBe(bytes);
    await until(() => connection!.isOpen === false);
    expect(connection!.listening!.controls).toEqual(['Finalize', 'CloseStream']);
    expect(connection!.headers.authorization).toBe('Token dg-canary');
  });

  it.each([
    { name: 'a cough that nothing is said about', ms: 300, afterMs: 1_500 },
    { name: 'words that were all settled', ms: 1_000, afterMs: 400 },
  ])('answers a flush that the service leaves: $name', async ({ ms, afterMs }) => {
    const clock = new FakeClock();
    const cough = ms < 500;
    server.hears.push({ text: SAID, as: cough ? 'ignored' : 'unanswered' });
    const stream = ears(clock).open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    const texts: string[] = [];
    void (async () => {
      for await (const event of stream) texts.push(event.text);
    })();
    for (const frame of framesOf(tone(ms, 8000))) stream.write(frame);
    stream.flush();
    await until(() => server.listening[0]?.controls.includes('Finalize'));
    await pass(clock, 20, 1); // what it said has come
    await pass(clock, afterMs - 40, 20);
    expect(texts).toEqual([]);
    await pass(clock, 60, 20);
    await until(() => texts.length === 1);
    expect(texts).toEqual([cough ? '' : SAID]);
  });

  it('is connected with again only when somebody speaks', async () => {
    const clock = new FakeClock();
    const stream = ears(clock).open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    await until(() => server.open === 1);
    server.hangUp(1011);
    await until(() => server.open === 0);
    for (let n = 0; n < 20; n += 1) await pass(clock, 500, 100);
    expect(server.arrivals).toBe(1);
    for (const frame of framesOf(speech)) stream.write(frame);
    stream.end();
    for await (const event of stream) expect(event).toMatchObject({ text: SAID, startMs: 0, endMs: 1_000 });
    expect(server.arrivals).toBe(2);
  });

  it('counts what it sent, for the call and for all', async () => {
    const use = new ServiceUse();
    await heard({ used: use.tell });
    await collectSpeech(voice(), ttsRequest({ text: 'Hello.', used: use.tell }));
    expect(use.totals).toEqual({ deepgram: { requests: 2, 'audio-seconds': 1, characters: 6 } });
  });

  it('says one sentence after the other over one connection, and closes it when it is idle', async () => {
    const clock = new FakeClock();
    const engine = voice(clock);
    for (const text of ['One.', 'Two.', 'Three.']) await collectSpeech(engine, ttsRequest({ text }));
    expect(server.connections.map(({ said }) => said)).toEqual([['One.', 'Flush', 'Two.', 'Flush', 'Three.', 'Flush']]);
    clock.advance(20_000);
    await until(() => server.open === 0);
    expect(server.connections[0]!.said.at(-1)).toBe('Close');
    await collectSpeech(engine, ttsRequest({ text: 'Four.' }));
    expect(server.connections.length).toBe(2);
    await engine.close();
    await until(() => server.open === 0);
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
    expect(server.connections.length).toBe(2);
    await engine.close();
  });

  it('leaves Arabic to the next voice, which is no failure', async () => {
    const engine = voice();
    const next = new ScriptedTts();
    const arabic = ttsRequest({ text: 'مرحبا', voice: TEST_VOICE_AR });
    await expect(collectSpeech(engine, arabic)).rejects.toMatchObject({ code: 'unknown_voice' });
    await collectSpeech(failoverTts([engine, next], silentLogger), arabic);
    expect([next.requests.length, server.arrivals]).toEqual([1, 0]);
    await engine.close();
  });

  it('says more than the service takes in one message', async () => {
    const text = `${'word '.repeat(500)}end.`;
    await collectSpeech(voice(), ttsRequest({ text }));
    const said = server.connections[0]!.said.filter((part) => part !== 'Flush');
    expect([said.length, said.join(' ')]).toEqual([2, text]);
  });
});
