import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavFile } from '../../src/audio/wav.ts';
import { SpeechTestServer, tone } from '../support/speech-server.ts';

/** The vendor's own client finds in the stand-in what it looks for: addresses, fields, framing and the order of events. */
describe('the stand-in, asked by the client of OpenAI', () => {
  let server: SpeechTestServer;
  let client: OpenAI;
  beforeAll(async () => {
    server = await SpeechTestServer.start();
    server.key = 'sk-canary';
    client = new OpenAI({ apiKey: 'sk-canary', baseURL: server.baseUrl, maxRetries: 0 });
  });
  afterAll(() => server.close());
  const file = () => {
    const wav = wavFile({ sampleRateHz: 16_000, channels: 1 }, tone(1000, 16_000));
    return new File([new Uint8Array(wav)], 'speech.wav', { type: 'audio/wav' });
  };

  it('transcribes a file, with words and segments', async () => {
    const heard = await client.audio.transcriptions.create({
      ...{ file: file(), model: 'whisper-1', language: 'en', prompt: 'Orders.', response_format: 'verbose_json' },
      timestamp_granularities: ['word', 'segment'],
    });
    expect(heard).toMatchObject({ text: 'where is my order', language: 'english', duration: 1 });
    expect(heard.words?.map(({ word, start, end }) => [word, start, end])).toEqual([
      ['where', 0, 0.25],
      ['is', 0.25, 0.5],
      ['my', 0.5, 0.75],
      ['order', 0.75, 1],
    ]);
    expect(server.asked.at(-1)).toMatchObject({
      file: { name: 'speech.wav', sampleRateHz: 16_000 },
      fields: { language: ['en'], prompt: ['Orders.'], 'timestamp_granularities[]': ['word', 'segment'] },
    });
  });

  it('streams a transcript: pieces, then the whole', async () => {
    const events = await client.audio.transcriptions.create({ file: file(), model: 'gpt-4o-transcribe', stream: true });
    const types: string[] = [];
    let text = '';
    for await (const event of events) {
      types.push(event.type);
      if (event.type === 'transcript.text.delta') text += event.delta;
      if (event.type === 'transcript.text.done') expect(event.text).toBe(text);
    }
    expect([...new Set(types)]).toEqual(['transcript.text.delta', 'transcript.text.done']);
    expect(text).toBe('where is my order');
  });

  it('speaks raw samples', async () => {
    const asked = { model: 'tts-1', voice: 'alloy', input: 'Hello.', response_format: 'pcm', speed: 2 } as const;
    const speech = await client.audio.speech.create(asked);
    expect((await speech.arrayBuffer()).byteLength).toBe(6 * 25 * 24 * 2);
    expect(server.asked.at(-1)?.json).toMatchObject(asked);
  });

  it('refuses as the API does', async () => {
    const stranger = new OpenAI({ apiKey: 'sk-wrong', baseURL: server.baseUrl, maxRetries: 0 });
    const speak = { model: 'tts-1', voice: 'alloy', input: 'Hello.', response_format: 'pcm' } as const;
    const refusal = await stranger.audio.speech.create(speak).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ status: 401, code: 'invalid_api_key' });
    const tooFast = await client.audio.speech.create({ ...speak, speed: 5 }).catch((error: unknown) => error);
    expect(tooFast).toMatchObject({ status: 400, code: 'invalid_speed' });
  });
});
