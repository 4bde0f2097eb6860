import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient, ServiceError } from '../../src/client/api-client.ts';

import { type ApiRig, apiRig, clip, TOKEN } from '../support/api-rig.ts';

let rig: ApiRig;
let baseUrl: string;
let client: ApiClient;
beforeAll(async () => {
  rig = apiRig();
  baseUrl = await rig.app.listen({ port: 0, host: '127.0.0.1' });
  client = new ApiClient({ baseUrl, token: TOKEN });
});
afterAll(() => rig.app.close());

const WAV = new Blob([new Uint8Array(clip(1))], { type: 'audio/wav' });

describe('ApiClient', () => {
  it('calls every operation', async () => {
    expect((await client.listAgents()).agents[0]!.id).toBe('agt_one');
    const reply = await client.createAgentReply('agt_one', { text: 'hi', history: [{ text: 'Hello' }], audio: false });
    expect(reply).toMatchObject({ reply: 'How can I help you?', audio: null, cost_cents: 2 });
    expect((await client.redactText({ text: 'a' })).verdict).toBe('allow');
    expect((await client.checkCoverage({ text: 'a' })).coverage).toBe(1);
    expect((await client.normalizeText({ text: 'a', language: 'en' })).normalized).toBe('a');
    expect((await client.getVoice('noura')).id).toBe('noura');
    expect((await client.listVoices({ gender: 'male' })).voices.every((voice) => voice.gender === 'male')).toBe(true);
    expect((await client.listModels()).models.map((model) => model.id)).toEqual(['sada-1', 'nabra-1']);
    expect((await client.createTranscribeToken()).token).toMatch(/^service_st_/);
    expect((await client.createTalkToken('agt_one', { from: 'web' })).token).toMatch(/^service_tt_/);
    expect((await client.transcribe({ file: WAV, language: 'en' })).text).toBe('hello there');
    const asked = { file: new Blob(['Leave is thirty days.'], { type: 'text/plain' }), question: 'How long?' };
    expect((await client.askDocument(asked)).answered).toBe(true);
  });

  it('reads speech whole, in pieces and as events', async () => {
    const speech = await client.createSpeech({ text: 'Hello there.', format: 'wav' });
    expect(speech).toMatchObject({ contentType: 'audio/wav', costCents: 1, durationMs: 60 });
    const request = { text: 'word '.repeat(100), format: 'pcm' } as const;
    const pieces: Uint8Array[] = [];
    for await (const piece of client.streamSpeech(request)) pieces.push(piece);
    const events = [];
    for await (const event of client.streamSpeechEvents(request)) events.push(event);
    const audio = events.flatMap((event) => (event.type === 'audio' ? [Buffer.from(event.audio, 'base64')] : []));
    expect(Buffer.concat(audio).equals(Buffer.concat(pieces))).toBe(true);
    expect(events.at(-1)!.type).toBe('usage');
  });

  it('throws what the service said', async () => {
    const error = await client.getVoice('no/body?').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 404, code: 'unknown_voice', message: 'Unknown voice no/body?' });
    expect((error as ServiceError).requestId).toMatch(/^req_/);
    const arabic = await client.transcribe({ file: WAV }).catch((thrown: ServiceError) => thrown);
    expect(arabic).toMatchObject({ status: 503, code: 'unavailable' });
    expect((arabic as ServiceError).reason).toMatch(/engines\.stt/);
  });

  it('sends a paid request once under its key', async () => {
    const spent = rig.ledger.spent();
    const options = { idempotencyKey: 'one-request' };
    const first = await client.redactText({ text: 'a' }, options);
    expect(await client.redactText({ text: 'a' }, options)).toEqual(first);
    expect(rig.ledger.spent() - spent).toBe(4);
  });

  it.each([
    { name: 'refused for now: sent again', answers: [503, 429, 200], retries: 2, calls: 3, ok: true },
    { name: 'refused too often', answers: [503, 503, 503], retries: 1, calls: 2, ok: false },
    { name: 'refused for good', answers: [402, 200], retries: 2, calls: 1, ok: false },
  ])('$name', async ({ answers, retries, calls, ok }) => {
    let called = 0;
    const answering: typeof fetch = async () => {
      const status = answers[called++]!;
      const body = status === 200 ? { models: [] } : { error: { code: 'x', message: 'y' } };
      return new Response(JSON.stringify(body), { status, headers: { 'retry-after': '0' } });
    };
    const patient = new ApiClient({ baseUrl, token: TOKEN, fetch: answering, retries });
    const result = await patient.listModels().then(
      () => true,
      () => false,
    );
    expect([result, called]).toEqual([ok, calls]);
  });

  it('survives an answer that is not ours', async () => {
    const proxy: typeof fetch = async () => new Response('<html>Bad gateway</html>', { status: 502 });
    const error = await new ApiClient({ baseUrl, token: TOKEN, fetch: proxy, retries: 0 })
      .listModels()
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 502, code: 'unreadable' });
  });
});
