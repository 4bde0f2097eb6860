import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeMulaw } from '../../src/audio/g711.ts';
import { readWav } from '../../src/audio/wav.ts';
import { ServiceError } from '../../src/core/errors.ts';
import type { TtsEngine } from '../../src/engines/tts/contract.ts';
import { type ApiRig, apiRig, type RigOptions, TOKEN } from '../support/api-rig.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

let rig: ApiRig;
const open = (options: RigOptions = {}): ApiRig => {
  rig = apiRig(options);
  return rig;
};
afterEach(() => rig.app.close());

const speak = (body: object, headers: Record<string, string> = {}) => rig.send({ url: '/v1/speech', body, headers });
const stream = (body: object, headers: Record<string, string> = {}) =>
  rig.send({ url: '/v1/speech/stream', body, headers });
const EVENTS = { accept: 'text/event-stream' };

function eventsOf(text: string): { type: string; [key: string]: unknown }[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event, data] = block.split('\n');
      const value = JSON.parse(data!.slice('data: '.length));
      expect(event).toBe(`event: ${value.type}`);
      return value;
    });
}

describe('POST /v1/speech', () => {
  it('says what it made in headers', async () => {
    open();
    const answer = await speak({ text: ' Hello there. ', voice: 'emma', model: 'sada-1', format: 'wav' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      ...{ 'content-type': 'audio/wav', 'x-service-model': 'sada-1', 'x-service-voice': 'emma' },
      ...{ 'x-service-format': 'wav', 'x-service-sample-rate': '24000', 'x-service-characters': '12' },
      ...{ 'x-service-cost-cents': '1', 'x-service-duration-ms': '60' },
    });
    const audio = readWav(answer.rawPayload);
    if (typeof audio === 'string') throw new Error(audio);
    expect([audio.sampleRateHz, audio.durationMs]).toEqual([24_000, 60]);
    expect(rig.ledger.spent()).toBe(1);
  });

  it('splits into sentences, and leaves pitch to the model that has it', async () => {
    open();
    await speak({ text: 'One. Two! ثلاثة؟', voice: 'emma', pitch: 3, speed: 1.5, format: 'wav' });
    expect(rig.tts.requests.map((one) => [one.text, one.pitchSemitones, one.speed, one.voice.id])).toEqual([
      ['One.', 0, 1.5, 'emma'],
      ['Two!', 0, 1.5, 'emma'],
      ['ثلاثة؟', 0, 1.5, 'emma'],
    ]);
    await speak({ text: 'One', voice: 'emma', model: 'nabra-1', pitch: -3, format: 'wav' });
    expect(rig.tts.requests.at(-1)!.pitchSemitones).toBe(-3);
  });

  it.each([
    { name: 'the voice of the language: Arabic', body: { text: 'مرحبا' }, header: 'x-service-voice', value: 'noura' },
    { name: 'the voice of the language: English', body: { text: 'hello' }, header: 'x-service-voice', value: 'emma' },
    { name: 'the first model of the voice', body: { text: 'hello' }, header: 'x-service-model', value: 'sada-1' },
    {
      name: 'format from Accept',
      accept: 'audio/basic',
      body: { text: 'a' },
      header: 'content-type',
      value: 'audio/basic',
    },
    {
      name: 'body before Accept',
      accept: 'audio/basic',
      body: { text: 'a', format: 'wav' },
      header: 'content-type',
      value: 'audio/wav',
    },
    { name: 'rate of mulaw', body: { text: 'a', format: 'mulaw' }, header: 'x-service-sample-rate', value: '8000' },
    {
      name: 'mulaw at 16 kHz',
      body: { text: 'a', format: 'mulaw', sample_rate: 16_000 },
      header: 'content-type',
      value: 'audio/x-mulaw;rate=16000',
    },
    {
      name: 'wav at 8 kHz',
      body: { text: 'a', format: 'wav', sample_rate: 8_000 },
      header: 'x-service-sample-rate',
      value: '8000',
    },
  ] as { name: string; body: object; accept?: string; header: string; value: string }[])(
    'default: $name',
    async ({ body, accept = 'audio/wav', header, value }) => {
      open();
      const answer = await speak(body, { accept });
      expect([answer.statusCode, answer.headers[header]]).toEqual([200, value]);
    },
  );

  it.each([
    { chars: 1, model: 'sada-1', cents: 1 },
    { chars: 200, model: 'sada-1', cents: 1 },
    { chars: 201, model: 'sada-1', cents: 2 },
    { chars: 5_000, model: 'sada-1', cents: 25 },
    { chars: 5_000, model: 'nabra-1', cents: 50 },
  ])('$chars characters of $model cost $cents', async ({ chars, model, cents }) => {
    open();
    const answer = await speak({ text: '😀'.repeat(chars), voice: 'emma', model, format: 'mulaw' });
    expect(answer.headers['x-service-cost-cents']).toBe(String(cents));
    expect(rig.ledger.spent()).toBe(cents);
  });

  it('counts code points: 5,000 letters with two units each fit', async () => {
    open();
    expect((await speak({ text: '😀'.repeat(5_000), format: 'mulaw' })).statusCode).toBe(200);
    expect((await speak({ text: '😀'.repeat(5_001), format: 'mulaw' })).json().error.code).toBe('text_too_long');
  });

  it('gives a short silence for a text without a word', async () => {
    open({ service: { tts: { ...SILENT, synthesize: async function* () {} } } });
    const answer = await speak({ text: '!!!', format: 'mulaw' });
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 800]);
  });

  it.each([
    { text: 'FAIL_AT_ONCE', code: 'synthesis_failed', status: 502 },
    { text: 'Good. FAIL_MIDWAY now.', code: 'synthesis_failed', status: 502 },
  ])('$text: $code and no charge', async ({ text, code, status }) => {
    open();
    const answer = await speak({ text, format: 'wav' });
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
    expect([rig.ledger.spent(), rig.ledger.held('acc_one')]).toEqual([0, 0]);
  });

  it('passes on that the synthesiser is full', async () => {
    open({
      service: {
        tts: {
          ...SILENT,
          synthesize: () => {
            throw new ServiceError('unavailable');
          },
        },
      },
    });
    const answer = await speak({ text: 'hello', format: 'wav' });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().error.code]).toEqual([
      503,
      '2',
      'unavailable',
    ]);
    expect(rig.ledger.spent()).toBe(0);
  });

  it('ends work that takes too long with 504, free of charge', async () => {
    open({ service: { tts: HANGING } });
    await rig.app.ready();
    const answer = speak({ text: 'hello', format: 'wav' });
    await until(() => rig.ledger.charges.size === 1);
    for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
    await rig.clock.advanceAsync(100_000, 50_000);
    expect((await answer).json().error.code).toBe('timeout');
    expect([rig.ledger.spent(), rig.ledger.held('acc_one')]).toEqual([0, 0]);
  });

  it('needs the price to be there before any work', async () => {
    open();
    rig.ledger.balances.set('acc_one', 24);
    const answer = await speak({ text: 'a'.repeat(5_000), format: 'wav' });
    expect([answer.statusCode, answer.json().error.code]).toEqual([402, 'insufficient_credit']);
    expect(rig.tts.requests).toEqual([]);
  });

  it.runIf(EVERY_TEST)('takes every sample request of the catalogue as it is', async () => {
    open();
    const { voices } = (await rig.send({ method: 'GET', url: '/v1/voices' })).json();
    for (const { id, sample_request } of voices) {
      const answer = await speak(sample_request);
      expect([id, answer.statusCode, answer.headers['x-service-voice']]).toEqual([id, 200, id]);
      expect(answer.headers['content-type']).toBe('audio/mpeg');
      expect(Object.keys(sample_request).sort()).toEqual(['format', 'model', 'text', 'voice']);
    }
  });
});

describe('POST /v1/speech/stream', () => {
  it('streams one WAV file of unknown length', async () => {
    open();
    const answer = await stream({ text: 'Hello there. And more.' });
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/wav',
      'x-service-cost-cents': '1',
      'cache-control': 'no-store',
    });
    expect(answer.headers['content-length']).toBeUndefined();
    expect(answer.rawPayload.readUInt32LE(40)).toBe(0xffffffff);
    const audio = readWav(answer.rawPayload);
    if (typeof audio === 'string') throw new Error(audio);
    expect(audio.durationMs).toBe(105);
    expect(rig.ledger.spent()).toBe(1);
  });

  it.each(['pcm', 'mulaw'])('streams %s with the same samples as the finished file has', async (format) => {
    open();
    const text = 'The same words, whichever way they come.';
    const streamed = (await stream({ text, format, sample_rate: 8_000 })).rawPayload;
    const finished = readWav((await speak({ text, format: 'wav', sample_rate: 8_000 })).rawPayload);
    if (typeof finished === 'string') throw new Error(finished);
    const samples = format === 'mulaw' ? decodeMulaw(streamed) : new Int16Array(new Uint8Array(streamed).buffer);
    expect(samples).toHaveLength(finished.channels[0]!.length);
    const apart = samples.reduce((most, sample, i) => Math.max(most, Math.abs(sample - finished.channels[0]![i]!)), 0);
    expect(apart).toBeLessThan(format === 'pcm' ? 1 : 300);
  });

  it('sends events: audio in order, then usage', async () => {
    open();
    const answer = await stream({ text: 'word '.repeat(200), format: 'pcm', sample_rate: 8_000 }, EVENTS);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers['x-accel-buffering']).toBe('no');
    const events = eventsOf(answer.body);
    const audio = events.filter((event) => event.type === 'audio');
    expect(audio.map((event) => event['seq'])).toEqual(audio.map((_, i) => i));
    expect(audio.length).toBeGreaterThan(10);
    const bytes = Buffer.concat(audio.map((event) => Buffer.from(String(event['audio']), 'base64')));
    const [usage] = events.slice(-1);
    expect(usage).toEqual({
      ...{ type: 'usage', characters: 999, cost_cents: 5, model: 'sada-1', voice: 'emma', format: 'pcm' },
      ...{ sample_rate: 8_000, seconds: Math.round(bytes.length / 160) / 100 },
    });
    // Pieces of whole frames: 160 ms each, but the last.
    for (const event of audio.slice(0, -1)) expect(Buffer.from(String(event['audio']), 'base64')).toHaveLength(2_560);
    expect(rig.ledger.spent()).toBe(5);
  });

  it.each([
    { body: { text: 'a', format: 'mp3' }, code: 'unknown_format' },
    { body: { text: 'a', model: 'nabra-1' }, code: 'unknown_model' },
    { body: { text: 'a', voice: 'nobody' }, code: 'unknown_voice' },
    { body: { text: 'FAIL_AT_ONCE' }, code: 'synthesis_failed' },
  ])('$body.text $code is an ordinary error, in both forms, and free', async ({ body, code }) => {
    open();
    for (const headers of [{}, EVENTS]) expect((await stream(body, headers)).json().error.code).toBe(code);
    expect([rig.ledger.spent(), rig.ledger.held('acc_one')]).toEqual([0, 0]);
  });

  it('takes pitch and ignores it', async () => {
    open();
    expect((await stream({ text: 'hello', pitch: 5 })).statusCode).toBe(200);
    expect(rig.tts.requests[0]!.pitchSemitones).toBe(0);
  });

  it('says in an event that it failed on the way, and charges nothing', async () => {
    open();
    const events = eventsOf((await stream({ text: `${'a'.repeat(100)}. FAIL_MIDWAY` }, EVENTS)).body);
    // The piece that was not full is lost; nothing of it is passed off as the end.
    expect(events.at(-1)).toEqual({
      type: 'error',
      error: { code: 'synthesis_failed', message: 'Synthesis failed. Please try again.' },
    });
    expect(events.some((event) => event.type === 'usage')).toBe(false);
    expect([rig.ledger.spent(), rig.ledger.held('acc_one')]).toEqual([0, 0]);
  });
});

describe('over a real connection', () => {
  const start = async (options: RigOptions, text = 'hello', accept = 'audio/wav') => {
    open(options);
    await rig.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = rig.app.server.address() as { port: number };
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', accept };
    const sent = httpRequest({ port, method: 'POST', path: '/v1/speech/stream', headers });
    sent.end(JSON.stringify({ text, format: 'pcm', sample_rate: 8_000 }));
    return sent;
  };

  it('a client that leaves stops the synthesis, and pays', async () => {
    const endless = endlessTts();
    const sent = await start({ service: { tts: endless.tts } });
    await new Promise<void>((resolve) =>
      sent.once('response', (answer) =>
        answer.once('data', () => {
          sent.destroy();
          resolve();
        }),
      ),
    );
    await until(() => endless.stopped && rig.ledger.spent() > 0);
    expect(rig.ledger.spent()).toBe(1);
    expect(rig.ledger.held('acc_one')).toBe(0);
  });

  it('a client that does not read holds the synthesis back, and is given up after half a minute', async () => {
    const endless = endlessTts();
    const sent = await start({ service: { tts: endless.tts } });
    sent.on('error', () => {});
    await new Promise<void>((resolve) =>
      sent.once('response', (answer) => {
        answer.pause();
        answer.on('error', () => {});
        resolve();
      }),
    );
    let made = -1;
    // The buffers of both ends of the connection fill up; then nothing more is made.
    while (made !== endless.chunks) {
      made = endless.chunks;
      for (let i = 0; i < 200; i += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(endless.stopped).toBe(false);
    await rig.clock.advanceAsync(30_000, 10_000);
    await until(() => endless.stopped);
    await until(() => rig.ledger.spent() === 1);
  });

  it('a failure on the way breaks the raw stream off', async () => {
    const sent = await start({}, `${'a'.repeat(500)}. FAIL_MIDWAY`);
    const ended = await new Promise<string>((resolve) =>
      sent.once('response', (answer) => {
        answer.resume();
        answer.once('end', () => resolve('end'));
        answer.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      }),
    );
    expect(ended).toBe('ECONNRESET');
    await until(() => rig.ledger.held('acc_one') === 0);
    expect(rig.ledger.spent()).toBe(0);
  });
});

const SILENT: TtsEngine = {
  name: 'silent',
  available: () => ({ ok: true }),
  soundOf: () => '',
  async *synthesize() {},
  close: async () => {},
};
const HANGING: TtsEngine = {
  ...SILENT,
  async *synthesize() {
    await new Promise(() => {});
  },
};

function endlessTts() {
  const state = { chunks: 0, stopped: false };
  const tts: TtsEngine = {
    ...SILENT,
    async *synthesize(_request, signal) {
      try {
        while (!signal.aborted) {
          state.chunks += 1;
          yield new Int16Array(8_000);
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        state.stopped = true;
      }
    },
  };
  return {
    tts,
    get chunks() {
      return state.chunks;
    },
    get stopped() {
      return state.stopped;
    },
  };
}
