import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { ServiceUse } from '../../../src/core/service-use.ts';
import { guardStt } from '../../../src/engines/guarded-stt.ts';
import { heardTokens } from '../../../src/engines/providers/soniox/heard-tokens.ts';
import { SonioxStt } from '../../../src/engines/providers/soniox/soniox-stt.ts';
import { hearElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { SttEvent, SttOptions } from '../../../src/engines/stt/contract.ts';
import { sttConformance } from '../../conformance/stt.ts';
import { testGuard } from '../../support/engine-guards.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { meanwhile, pass } from '../../support/passing-time.ts';
import { SonioxTestServer } from '../../support/soniox-server.ts';
import { framesOf } from '../../support/speech-clips.ts';
import { tone } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';

const SAID = 'where is my order';
const HINTS = { phrases: [SAID], expect: [] };
const speech = tone(1000, 8000);
const never = new AbortController().signal;
let server: SonioxTestServer;
const ears = (clock = systemClock) =>
  hearElsewhere(new SonioxStt(server.settings, { clock, logger: silentLogger, used: () => {} }));

describe('as an engine', () => {
  beforeAll(async () => {
    server = await SonioxTestServer.start();
  });
  afterAll(() => server.close());
  sttConformance('soniox', {
    ...{ make: () => ears(), language: 'en-US', foreignLanguage: 'fr-FR', hints: HINTS },
    ...{ samples: speech, text: SAID, words: true, feed: 'new-speech' },
  });
});

describe('soniox', () => {
  beforeEach(async () => {
    server = await SonioxTestServer.start();
    server.key = 'sx-canary';
  });
  afterEach(() => server.close());

  const open = (options: Partial<SttOptions> = {}, clock = systemClock, signal = never) =>
    ears(clock).open({ language: 'en-US', sampleRateHz: 8000, interim: false, ...options }, signal);

  async function heard(options: Partial<SttOptions>, samples = speech): Promise<SttEvent> {
    const stream = open(options);
    const sampleRateHz = options.sampleRateHz ?? 8000;
    for (const frame of framesOf(samples)) stream.write({ ...frame, sampleRateHz });
    stream.end();
    const events: SttEvent[] = [];
    for await (const event of stream) events.push(event);
    return events.at(-1)!;
  }

  it.each([
    {
      options: { language: 'ar-SA', languages: ['ar-SA', 'en-US'], hints: HINTS },
      start: { audio_format: 'mulaw', sample_rate: 8000, language_hints: ['ar', 'en'], context: { terms: [SAID] } },
      bytes: 8_000,
    },
    {
      options: { sampleRateHz: 16_000 },
      start: { audio_format: 'pcm_s16le', sample_rate: 16_000, language_hints: ['en'] },
      bytes: 16_000,
    },
  ])('begins with $start', async ({ options, start, bytes }) => {
    expect(await heard(options)).toMatchObject({ text: SAID });
    const [connection] = server.connections;
    const common = { model: 'stt-rt-v5', num_channels: 1, enable_language_identification: true };
    expect(connection!.listening!.start).toEqual({ ...common, ...start });
    expect(connection!.listening!.audio.length).toBe(bytes);
    await until(() => connection!.isOpen === false);
    expect(connection!.listening!.controls).toEqual(['finalize']);
    expect(connection!.headers.authorization).toBe('Bearer sx-canary');
  });

  it('hears both languages in one sentence, and says which of them most of it was', async () => {
    server.otherwise = { text: 'order حقي وينه الحين يا driver', languages: ['en', 'ar', 'ar', 'ar', 'ar', 'en'] };
    const final = await heard({ language: 'en-US', languages: ['en-US', 'ar-SA'] }, tone(1_200, 8000));
    const text = 'order حقي وينه الحين يا driver';
    expect(final).toMatchObject({ text, language: 'ar', confidence: expect.closeTo(0.97) });
    const words = final.type === 'final' ? final.words : [];
    expect(words?.map((word) => `${word.text} ${word.startMs}`)).toEqual([
      ...['order 0', 'حقي 200', 'وينه 400', 'الحين 600', 'يا 800', 'driver 1000'],
    ]);
  });

  it('charges for the time that a connection stands, whoever speaks', async () => {
    const clock = new FakeClock();
    const use = new ServiceUse();
    const abort = new AbortController();
    const stream = open({ used: use.tell }, clock, abort.signal);
    const finals: string[] = [];
    void (async () => {
      for await (const { text } of stream) finals.push(text);
    })();
    await until(() => server.listening[0]?.start !== undefined);
    await pass(clock, 10_000);
    for (const frame of framesOf(speech)) stream.write(frame);
    stream.flush();
    await until(() => finals.length === 1);
    expect(use.totals).toEqual({ soniox: { requests: 1, 'audio-seconds': 10 } });
    await pass(clock, 5_000);
    server.hangUp(1001);
    await until(() => server.open === 0);
    await pass(clock, 60_000); // nothing stands
    expect(use.totals?.['soniox']?.['audio-seconds']).toBe(15);
    for (const frame of framesOf(speech)) stream.write(frame);
    await until(() => server.listening[1]?.start !== undefined);
    await pass(clock, 2_000);
    server.hangUp(1001);
    await until(() => use.totals?.['soniox']?.['audio-seconds'] === 17);
    await pass(clock, 100, 20);
    abort.abort();
    expect(use.totals).toEqual({ soniox: { requests: 2, 'audio-seconds': 17 } });
  });

  it('rests after a key that was refused, which the service tells when the session has begun', async () => {
    const clock = new FakeClock();
    const own = hearElsewhere(
      new SonioxStt({ ...server.settings, apiKey: 'sx-wrong' }, { clock, logger: silentLogger, used: () => {} }),
    );
    const engine = guardStt(own, testGuard({ firstResultMs: 20_000 }, 'stt', 'remote', clock).guard);
    const stream = engine.open({ language: 'ar-SA', sampleRateHz: 8000, interim: false }, never);
    const failed = (async () => {
      for await (const _ of stream);
    })();
    await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
    expect(engine.available('ar-SA')).toMatchObject({ ok: false, why: expect.stringContaining('300 s') });
    clock.advance(299_000);
    expect(engine.available('ar-SA')).toMatchObject({ ok: false, why: expect.stringContaining('1 s') });
  });

  it('passes words on that the service heard and did not settle, and goes on over another connection', async () => {
    const clock = new FakeClock();
    server.hears.push({ text: SAID, as: 'unsettled' }, { text: 'and this' });
    const stream = open({}, clock);
    const finals: SttEvent[] = [];
    void (async () => {
      for await (const event of stream) finals.push(event);
    })();
    for (const text of [SAID, 'and this']) {
      for (const frame of framesOf(speech)) stream.write(frame);
      stream.flush();
      await meanwhile(clock, () => finals.at(-1)?.text === text);
    }
    expect(finals).toMatchObject([
      { text: SAID, confidence: 0.5, startMs: 0, endMs: 1_000 },
      { text: 'and this', confidence: expect.closeTo(0.97), startMs: 1_000, endMs: 2_000 },
    ]);
    expect(server.arrivals).toBe(2);
  });
});

describe('words out of pieces', () => {
  const token = (text: string, startMs?: number, endMs?: number) => ({
    ...{ text, confidence: 1, settled: true },
    ...(startMs !== undefined && { startMs }),
    ...(endMs !== undefined && { endMs }),
  });
  it.each([
    {
      name: 'a word in pieces, and a full stop',
      tokens: [token('Hel', 0, 100), token('lo', 100, 200), token(' you', 300, 400), token('.', 400, 400)],
      words: ['Hello 0-200', 'you. 300-400'],
    },
    {
      name: 'a space of its own',
      tokens: [token('a', 0, 10), token(' ', 10, 20), token('b', 20, 30)],
      words: ['a 0-10', 'b 20-30'],
    },
    { name: 'a space at the end', tokens: [token('a ', 0, 10), token('b', 20, 30)], words: ['a 0-10', 'b 20-30'] },
    {
      name: 'times that are not told',
      tokens: [token('a'), token(' b', 20, 30)],
      fromMs: 5,
      words: ['a 5-5', 'b 20-30'],
    },
    { name: 'times that go back', tokens: [token('a', 20, 30), token(' b', 10, 15)], words: ['a 20-30', 'b 30-30'] },
    { name: 'nothing', tokens: [], words: [] },
  ])('$name', ({ tokens, words, fromMs = 0 }) => {
    const heard = heardTokens(tokens, fromMs);
    expect(heard.words.map(({ text, startMs, endMs }) => `${text} ${startMs}-${endMs}`)).toEqual(words);
    expect(heard.text).toBe(words.map((word) => word.split(' ')[0]).join(' '));
  });
});
