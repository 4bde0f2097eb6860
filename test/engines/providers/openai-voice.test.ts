import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createResampler } from '../../../src/audio/resampler.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { ServiceError } from '../../../src/core/errors.ts';
import { guardTts } from '../../../src/engines/guarded-engines.ts';
import type { OpenaiSettings } from '../../../src/engines/providers/openai/settings.ts';
import { OpenaiTts } from '../../../src/engines/providers/openai/speech.ts';
import { speakElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { TtsEngine, TtsRequest } from '../../../src/engines/tts/contract.ts';
import { OTHER_VOICE, TEST_VOICE, ttsConformance, ttsRequest } from '../../conformance/tts.ts';
import { testGuard } from '../../support/engine-guards.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { joined } from '../../support/speech-clips.ts';
import { type Flavour, type SpeechFault, SpeechTestServer } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';

const KEY = 'sk-canary-0123456789';
const TEXT = 'Good morning, how can I help you today?';
let server: SpeechTestServer;
const used = new Map<string, number>();
function engineOf(change: Partial<OpenaiSettings> = {}, clock = systemClock): TtsEngine {
  const deps = {
    ...{ clock, logger: new LogCapture().logger },
    used: (_: string, unit: string, amount: number) => void used.set(unit, (used.get(unit) ?? 0) + amount),
  };
  return speakElsewhere(new OpenaiTts({ ...server.settings, ...change }, deps));
}

describe('as a synthesiser', () => {
  beforeAll(async () => {
    server = await SpeechTestServer.start();
  });
  afterAll(() => server.close());
  ttsConformance('openai', () => engineOf());
});

async function spoken(engine: TtsEngine, change: Partial<TtsRequest> = {}, signal = new AbortController().signal) {
  const chunks: Int16Array[] = [];
  let error: ServiceError | undefined;
  try {
    for await (const chunk of engine.synthesize(ttsRequest({ text: TEXT, ...change }), signal)) chunks.push(chunk);
  } catch (failure) {
    error = failure as ServiceError;
  }
  return { chunks, samples: joined(...chunks), error };
}

describe('OpenaiTts', () => {
  beforeEach(async () => {
    server = await SpeechTestServer.start();
    server.key = KEY;
    used.clear();
  });
  afterEach(() => server.close());

  it.each<{ name: string; flavour: Flavour; rateHz: number }>([
    { name: 'raw samples in odd pieces', flavour: {}, rateHz: 24_000 },
    { name: 'a WAV of another rate', flavour: { wav: true, rateHz: 22_050 }, rateHz: 22_050 },
    { name: 'a rate in the type', flavour: { rateHz: 16_000, contentType: 'audio/L16; rate=16000' }, rateHz: 16_000 },
    { name: 'no type at all', flavour: { contentType: 'application/octet-stream' }, rateHz: 24_000 },
  ])('plays $name, sample by sample', async ({ flavour, rateHz }) => {
    server.flavour = flavour;
    const sound = noise(rateHz * 2);
    server.speaks = () => sound;
    const { samples, error } = await spoken(engineOf());
    expect(error).toBeUndefined();
    const resampler = createResampler(rateHz, 8000);
    const wanted = joined(resampler.push(sound), resampler.flush());
    expect(samples.length).toBe(wanted.length);
    expect(samples.every((sample, i) => sample === wanted[i])).toBe(true);
  });

  it('asks for the voice of the catalogue, at the speed that is wanted, and counts what it sent', async () => {
    await spoken(engineOf(), { speed: 1.5 });
    await spoken(engineOf(), { voice: OTHER_VOICE });
    expect(server.asked.map(({ json }) => json)).toEqual([
      { model: 'tts-1', voice: 'alloy', input: TEXT, response_format: 'pcm', speed: 1.5 },
      { model: 'tts-1', voice: 'onyx', instructions: 'Calm.', input: TEXT, response_format: 'pcm' },
    ]);
    expect([used.get('requests'), used.get('characters')]).toEqual([2, 2 * TEXT.length]);
  });

  it('tells sounds apart by server, model, voice and instructions', () => {
    const sounds = [
      engineOf().soundOf(TEST_VOICE),
      engineOf().soundOf(OTHER_VOICE),
      engineOf({ speechModel: 'tts-1-hd' }).soundOf(TEST_VOICE),
      engineOf({ speechVoice: 'echo' }).soundOf(TEST_VOICE),
      engineOf({ baseUrl: 'http://127.0.0.1:1/v1' }).soundOf(TEST_VOICE),
    ];
    expect(new Set(sounds).size).toBe(sounds.length);
  });

  it.each(['', '...', ' - '])('sends nothing for %j', async (text) => {
    expect(await spoken(engineOf(), { text })).toMatchObject({ chunks: [], error: undefined });
    expect(server.requests).toEqual([]);
  });

  const body = (contentType: string, bytes: Buffer | string): SpeechFault => ({
    type: 'body',
    contentType,
    body: bytes,
  });
  it.each<{ name: string; fault: SpeechFault; code: string; heard?: boolean }>([
    { name: 'a refused key', fault: { type: 'refuse', status: 401 }, code: 'unavailable' },
    { name: 'too many requests', fault: { type: 'refuse', status: 429 }, code: 'unavailable' },
    { name: '500', fault: { type: 'refuse', status: 500 }, code: 'synthesis_failed' },
    { name: 'a reset', fault: { type: 'reset' }, code: 'unavailable' },
    {
      name: 'a cut in the middle of a word',
      fault: { type: 'cut', afterBytes: 9_601 },
      code: 'synthesis_failed',
      heard: true,
    },
    { name: 'no sound', fault: body('audio/pcm', ''), code: 'synthesis_failed' },
    { name: 'half a sample', fault: body('audio/pcm', 'x'), code: 'synthesis_failed' },
    { name: 'an mp3', fault: body('audio/mpeg', Buffer.from([0xff, 0xfb, 0x90, 0, 0, 0])), code: 'synthesis_failed' },
    { name: 'JSON', fault: body('application/json', '{}'), code: 'synthesis_failed' },
  ])('meets $name', async ({ fault, code, heard = false }) => {
    server.failNext(fault);
    const { samples, error } = await spoken(engineOf());
    expect([error?.code, samples.length > 0]).toEqual([code, heard]);
    expect(`${error?.message} ${error?.cause}`).not.toMatch(/canary|morning/);
    expect(server.asked.length).toBe(1);
  });

  it('gives up a sentence that goes on no more', async () => {
    const clock = new FakeClock();
    server.failNext({ type: 'stall', afterBytes: 9_601 });
    const chunks: Int16Array[] = [];
    const speaking = (async () => {
      for await (const chunk of engineOf({}, clock).synthesize(ttsRequest(), new AbortController().signal))
        chunks.push(chunk);
    })();
    speaking.catch(() => {});
    await until(() => joined(...chunks).length > 1_500 && clock.pending === 1);
    clock.advance(3_000);
    await expect(speaking).rejects.toMatchObject({ code: 'synthesis_failed' });
    expect(clock.pending).toBe(0);
  });

  it('ends the request at once when the caller interrupts', async () => {
    server.failNext({ type: 'stall', afterBytes: 9_601 });
    const abort = new AbortController();
    const { error } = await (async () => {
      const run = spoken(engineOf(), {}, abort.signal);
      await until(() => server.asked.length === 1);
      abort.abort();
      return run;
    })();
    expect(error).toBeUndefined();
    await until(() => server.hungUp === 1);
  });

  it('leaves the service alone after a refused key, and says why', async () => {
    const clock = new FakeClock();
    const engine = guardTts(engineOf({}, clock), testGuard({ firstResultMs: 20_000 }, 'tts', 'remote', clock).guard);
    server.failNext({ type: 'refuse', status: 401 });
    await spoken(engine);
    expect(engine.available()).toMatchObject({ ok: false, why: expect.stringContaining('refused the key') });
    expect((await spoken(engine)).error?.code).toBe('unavailable');
    expect(server.asked.length).toBe(1);
    clock.advance(300_000);
    await until(() => engine.available().ok, 'it was tried with a word of our own');
    expect(server.asked.length).toBe(2);
    expect((await spoken(engine)).error).toBeUndefined();
  });
});

function noise(length: number): Int16Array {
  let seed = 1;
  let last = 0;
  return Int16Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    last = 0.95 * last + (seed / 2_147_483_648 - 0.5) * 2_000; // low enough for a telephone
    return Math.round(last);
  });
}
