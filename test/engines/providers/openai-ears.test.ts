import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createResampler } from '../../../src/audio/resampler.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { ServiceError } from '../../../src/core/errors.ts';
import { ServiceUse } from '../../../src/core/service-use.ts';
import { guardStt } from '../../../src/engines/guarded-stt.ts';
import type { OpenaiSettings } from '../../../src/engines/providers/openai/settings.ts';
import { OpenaiStt } from '../../../src/engines/providers/openai/transcription.ts';
import { hearElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { SttEngine, SttEvent, SttHints } from '../../../src/engines/stt/contract.ts';
import { sttConformance } from '../../conformance/stt.ts';
import { testGuard } from '../../support/engine-guards.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { framesOf, joined, silence } from '../../support/speech-clips.ts';
import { type Flavour, type SpeechFault, SpeechTestServer, tone } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';

const KEY = 'sk-canary-0123456789';
const SAID = 'where is my order';
const HINTS: SttHints = { phrases: [SAID, 'track my parcel', 'talk to a person'], expect: [] };
const speech = tone(1000, 8000);
const never = new AbortController().signal;

let server: SpeechTestServer;
const used = new Map<string, number>();
function engineOf(change: Partial<OpenaiSettings> = {}, clock = systemClock): SttEngine {
  const log = new LogCapture();
  const deps = {
    ...{ clock, logger: log.logger },
    used: (_: string, unit: string, amount: number) => void used.set(unit, (used.get(unit) ?? 0) + amount),
  };
  return hearElsewhere(new OpenaiStt({ ...server.settings, ...change }, deps));
}

describe('as a recogniser', () => {
  beforeAll(async () => {
    server = await SpeechTestServer.start();
  });
  afterAll(() => server.close());
  sttConformance('openai', {
    ...{ make: () => engineOf(), language: 'en-US', foreignLanguage: 'fr-FR', hints: HINTS },
    ...{ samples: speech, text: SAID, words: true },
  });
});

/** Everything one stretch gave. */
async function heard(engine: SttEngine, options: { language?: string; hints?: SttHints; samples?: Int16Array } = {}) {
  const { language = 'en-US', hints, samples = speech } = options;
  const stream = engine.open({ language, sampleRateHz: 8000, interim: true, ...(hints && { hints }) }, never);
  for (const frame of framesOf(samples)) stream.write(frame);
  stream.end();
  const events: SttEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events };
  } catch (error) {
    return { events, error: error as ServiceError };
  }
}

describe('OpenaiStt', () => {
  beforeEach(async () => {
    server = await SpeechTestServer.start();
    server.key = KEY;
    used.clear();
  });
  afterEach(() => server.close());

  it('sends the stretch in wideband, with language, hints and what it wants to know', async () => {
    server.hears = () => 'وين طلبي';
    server.language = 'arabic';
    const { events } = await heard(engineOf(), { language: 'ar-SA', hints: HINTS });
    expect(events).toMatchObject([{ text: 'وين طلبي', language: 'ar', startMs: 0, endMs: 1000 }]);
    const { fields, file } = server.asked[0]!;
    expect(fields).toEqual({
      ...{ model: ['whisper-1'], language: ['ar'], response_format: ['verbose_json'] },
      ...{ prompt: [HINTS.phrases.join('. ')], 'timestamp_granularities[]': ['word', 'segment'] },
    });
    expect([file?.name, file?.sampleRateHz]).toEqual(['speech.wav', 16_000]);
    const resampler = createResampler(8000, 16_000);
    const wanted = joined(resampler.push(speech), resampler.flush());
    expect(file!.samples.length).toBe(wanted.length);
    expect(file!.samples.every((sample, i) => sample === wanted[i])).toBe(true);
    expect(used.get('requests')).toBe(1);
    expect(used.get('audio-seconds')).toBeCloseTo(1, 2);
  });

  it('tells whoever asked what it took, and lets the service tell the language where several may be spoken', async () => {
    const use = new ServiceUse();
    const several = { languages: ['ar-SA', 'en-US'], used: use.tell };
    const stream = engineOf({ transcriptionModel: 'gpt-4o-transcribe' }).open(
      { language: 'en-US', sampleRateHz: 8000, interim: false, ...several },
      never,
    );
    for (const frame of framesOf(speech)) stream.write(frame);
    stream.end();
    for await (const event of stream) expect(event.text).toBe(SAID);
    expect(server.asked[0]!.fields['language']).toBeUndefined();
    expect(use.totals).toEqual({ openai: { requests: 1, 'audio-seconds': expect.closeTo(1, 1), tokens: 59 } });
  });

  it('dates words in the stream, behind what was said before', async () => {
    const stream = engineOf().open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    for (let n = 0; n < 2; n += 1) {
      for (const frame of framesOf(speech)) stream.write(frame);
      stream.flush();
    }
    stream.end();
    const words: unknown[] = [];
    for await (const event of stream)
      if (event.type === 'final') words.push(event.words?.map(({ startMs }) => Math.round(startMs / 10) * 10));
    expect(words).toEqual([
      [0, 250, 500, 750],
      [1000, 1250, 1500, 1750],
    ]);
  });

  it('gives finals in the order of their stretches, whichever answer comes first', async () => {
    const gates: (() => void)[] = [];
    server.hears = (samples) =>
      new Promise((resolve) => gates.push(() => resolve(samples.length > 20_000 ? 'long one' : 'short')));
    const stream = engineOf().open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    for (const samples of [tone(2000, 8000), tone(500, 8000)]) {
      for (const frame of framesOf(samples)) stream.write(frame);
      stream.flush();
    }
    stream.end();
    await until(() => gates.length === 2);
    for (const open of gates.reverse()) open();
    const texts: string[] = [];
    for await (const event of stream) texts.push(event.text);
    expect(texts).toEqual(['long one', 'short']);
  });

  it.each<{ name: string; flavour?: Flavour; model?: string; formats: string[]; language?: string }>([
    { name: 'a model that knows words', formats: ['verbose_json'], language: 'en' },
    { name: 'a model that streams', model: 'gpt-4o-transcribe', formats: ['json'] },
    { name: 'vLLM, which streams chunks of a chat', model: 'gpt-x', flavour: { chatChunks: true }, formats: ['json'] },
    { name: 'a server that knows no words', flavour: { plain: true }, formats: ['verbose_json', 'json', 'json'] },
  ])('understands $name', async ({ flavour = {}, model, formats, language }) => {
    server.flavour = flavour;
    const engine = engineOf(model === undefined ? {} : { transcriptionModel: model });
    const { events } = await heard(engine);
    expect(events).toMatchObject([{ type: 'final', text: SAID, ...(language && { language }) }]);
    if (formats.length > 1) await heard(engine); // the second time it knows
    expect(server.asked.map(({ fields }) => fields['response_format']?.[0])).toEqual(formats);
  });

  it.each([
    { name: 'noise that a model has words for', probability: 0.9, text: 'Thanks for watching!', final: '' },
    {
      name: 'two phrases of the hints in a row',
      probability: 0,
      text: 'Where is my order. Track my parcel.',
      final: '',
    },
    { name: 'one phrase of the hints', probability: 0, text: 'Track my parcel.', final: 'Track my parcel.' },
  ])('takes $name for what it is', async ({ probability, text, final }) => {
    server.noSpeechProb = probability;
    server.hears = () => text;
    const { events } = await heard(engineOf(), { hints: HINTS });
    expect(events).toMatchObject([{ text: final }]);
    expect((events[0] as { confidence: number }).confidence > 0).toBe(final !== '');
  });

  it('does not ask about what is too short for a word', async () => {
    expect((await heard(engineOf(), { samples: speech.subarray(0, 320) })).events).toMatchObject([{ text: '' }]);
    expect(server.asked).toEqual([]);
  });

  it('keeps no more hints than a model reads, and no long one', async () => {
    const phrases = ['x'.repeat(81), ...Array.from({ length: 100 }, (_, i) => `phrase number ${i}`)];
    await heard(engineOf(), { hints: { phrases, expect: [] } });
    const [prompt = ''] = server.asked[0]!.fields['prompt']!;
    expect([prompt.length <= 400, prompt.startsWith('phrase number 0. '), /number \d+$/.test(prompt)]).toEqual([
      ...[true, true, true],
    ]);
  });

  const garbage = (contentType: string, body: string): SpeechFault => ({ type: 'body', contentType, body });
  const broken = { type: 'refuse', status: 500 } as const;
  it.each<{ name: string; faults: SpeechFault[]; code?: string; requests?: number; model?: string }>([
    { name: 'a key that is refused', faults: [{ type: 'refuse', status: 401 }], code: 'unavailable' },
    { name: 'a bill that is not paid', faults: [{ type: 'refuse', status: 402 }], code: 'unavailable' },
    {
      name: 'a quota that is used up',
      faults: [{ type: 'refuse', status: 429, code: 'insufficient_quota' }],
      code: 'unavailable',
    },
    { name: 'too many requests', faults: [{ type: 'refuse', status: 429, retryAfter: '7' }], code: 'unavailable' },
    { name: '404', faults: [{ type: 'refuse', status: 404 }], code: 'unavailable' },
    { name: '500', faults: [broken], code: 'transcription_failed' },
    { name: '503', faults: [{ type: 'refuse', status: 503 }], code: 'unavailable' },
    { name: 'no JSON', faults: [garbage('application/json', '<html>')], code: 'transcription_failed' },
    { name: 'a web page', faults: [garbage('text/html', '<html>')], code: 'transcription_failed' },
    { name: 'another type of text', faults: [garbage('application/json', '{"text":7}')], code: 'transcription_failed' },
    {
      name: 'a body of 2 MB',
      faults: [garbage('application/json', ' '.repeat(2_000_000))],
      code: 'transcription_failed',
    },
    { name: 'one cut connection', faults: [{ type: 'cut', afterBytes: 20 }], requests: 2 },
    { name: 'one reset', faults: [{ type: 'reset' }], requests: 2 },
    { name: 'two resets', faults: [{ type: 'reset' }, { type: 'reset' }], code: 'unavailable', requests: 2 },
    {
      name: 'a stream that ends without its end',
      faults: [0, 1].map(() => garbage('text/event-stream', 'data: {"type":"transcript.text.delta","delta":"wh"}\n\n')),
      ...{ code: 'transcription_failed', requests: 2, model: 'gpt-4o-transcribe' },
    },
    {
      name: 'an error in the stream',
      faults: [garbage('text/event-stream', 'data: {"error":{"code":"server_error"}}\n\n')],
      ...{ code: 'transcription_failed', model: 'gpt-4o-transcribe' },
    },
  ])('meets $name', async ({ faults, code, requests = 1, model }) => {
    server.failNext(...faults);
    const { events, error } = await heard(engineOf(model === undefined ? {} : { transcriptionModel: model }));
    expect([error?.code, events.length]).toEqual([code, code === undefined ? 1 : 0]);
    if (error) expect(error).toBeInstanceOf(ServiceError);
    expect(server.asked.length).toBe(requests);
    expect(String(error?.cause)).not.toMatch(/canary|where is/);
  });

  it.each([
    { name: 'a refused key', fault: { type: 'refuse', status: 401 }, restMs: 300_000 },
    { name: 'too many requests', fault: { type: 'refuse', status: 429, retryAfter: '7' }, restMs: 7_000 },
  ] as const)('leaves the service alone after $name, and says why', async ({ fault, restMs }) => {
    const clock = new FakeClock();
    const { guard } = testGuard({ firstResultMs: 20_000 }, 'stt', 'remote', clock);
    const engine = guardStt(engineOf({}, clock), guard);
    server.failNext(fault);
    await heard(engine);
    expect(engine.available('en-US')).toMatchObject({ ok: false, why: expect.stringMatching(/^the service/) });
    expect((await heard(engine)).error?.code).toBe('unavailable');
    expect(server.asked.length).toBe(1);
    clock.advance(restMs);
    await until(() => engine.available('en-US').ok, 'it was tried with half a second of silence');
    expect(server.asked.length).toBe(2);
    expect((await heard(engine)).events.length).toBe(1);
  });

  it('follows no redirect: audio and key stay where they were sent', async () => {
    const other = await SpeechTestServer.start();
    server.failNext(...[0, 1].map(() => ({ type: 'redirect', to: `${other.baseUrl}/audio/transcriptions` }) as const));
    expect((await heard(engineOf())).error?.code).toBe('unavailable');
    expect(other.arrivals).toBe(0);
    await other.close();
  });

  it('ends the request when nobody waits any more', async () => {
    server.failNext({ type: 'silent' });
    const abort = new AbortController();
    const stream = engineOf().open({ language: 'en-US', sampleRateHz: 8000, interim: false }, abort.signal);
    for (const frame of framesOf(speech)) stream.write(frame);
    stream.flush();
    await until(() => server.asked.length === 1);
    abort.abort();
    for await (const event of stream) expect(event).toBeUndefined();
    await until(() => server.hungUp === 1);
  });

  it('leaves nothing behind that nobody handles when it is given up before it is sent', async () => {
    const left: unknown[] = [];
    const note = (reason: unknown): void => void left.push(reason);
    process.on('unhandledRejection', note);
    const abort = new AbortController();
    const stream = engineOf().open({ language: 'en-US', sampleRateHz: 8000, interim: false }, abort.signal);
    for (const frame of framesOf(speech)) stream.write(frame);
    stream.flush();
    abort.abort();
    for await (const event of stream) expect(event).toBeUndefined();
    // A file of a form is read in turns of its own: whatever still reads has had as many as this one.
    for (let n = 0; n < 5; n += 1) await new Response(new Blob([new Uint8Array(65_536)])).arrayBuffer();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(left).toEqual([]);
    expect(server.asked.length).toBe(0);
  });

  it('keeps a minute of one stretch, and fails a stream whose stretches are never answered', async () => {
    const stream = engineOf().open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    for (let second = 0; second < 70; second += 1) stream.write({ samples: tone(1000, 8000), sampleRateHz: 8000 });
    stream.end();
    for await (const event of stream) expect(event).toMatchObject({ startMs: 0, endMs: 70_000 });
    expect(server.asked[0]!.file!.samples.length).toBeLessThanOrEqual(60 * 16_000);
    server.hears = () => new Promise(() => {});
    const stuck = engineOf().open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    for (let n = 0; n < 9; n += 1) {
      stuck.write({ samples: tone(200, 8000), sampleRateHz: 8000 });
      stuck.flush();
    }
    const failure = (async () => {
      for await (const event of stuck) expect(event).toBeUndefined();
    })();
    await expect(failure).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('makes the connection while the call rings', async () => {
    const engine = engineOf();
    engine.warmUp?.({ language: 'en-US' });
    engine.warmUp?.({ language: 'en-US' });
    await until(() => server.requests.length === 1);
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/models']);
    await heard(engine, { samples: silence(200) });
    expect(server.asked.length).toBe(1);
  });

  it('names the setting that is missing', () => {
    const { transcriptionModel: _, ...settings } = server.settings;
    const deps = { clock: systemClock, logger: new LogCapture().logger, used: () => {} };
    const engine = hearElsewhere(new OpenaiStt(settings, deps));
    expect(engine.available('en-US')).toEqual({ ok: false, why: 'engines.openai.transcriptionModel is not set' });
  });
});
