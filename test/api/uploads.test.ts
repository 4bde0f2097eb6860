import { afterEach, describe, expect, it } from 'vitest';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import { type ApiRig, apiRig, clip, form, type RigOptions } from '../support/api-rig.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';

let rig: ApiRig;
const open = (options: RigOptions = {}): ApiRig => {
  rig = apiRig(options);
  return rig;
};
afterEach(() => rig.app.close());

const MB8 = 8 * 1024 * 1024;
const transcribe = (body: object | Buffer, headers: Record<string, string> = {}) =>
  rig.send({ url: '/v1/transcribe', body, headers });
const ask = (body: object | Buffer, headers: Record<string, string> = {}) =>
  rig.send({ url: '/v1/documents/ask', body, headers });

describe('POST /v1/transcribe', () => {
  it('takes both forms and answers alike', async () => {
    open();
    const sent = form({ bytes: clip(1.234) }, { language: 'en-US' });
    const fromForm = await transcribe(sent.body, sent.headers);
    expect(fromForm.json()).toEqual({ text: 'hello there', seconds: 1.23, confidence: 0.9, cost_cents: 3 });
    expect(fromForm.headers).toMatchObject({ 'x-service-cost-cents': '3' });
    expect(fromForm.headers['server-timing']).toMatch(/^stt;dur=/);
    const json = { file: clip(1.234).toString('base64'), mime_type: 'audio/x-wav', language: 'EN_us' };
    expect((await transcribe(json)).json()).toEqual(fromForm.json());
    const dataUrl = { file: `data:audio/wav;base64,${json.file}`, language: 'en' };
    expect((await transcribe(dataUrl)).json().text).toBe('hello there');
    expect(rig.ledger.spent()).toBe(9);
  });

  it.runIf(EVERY_TEST)('recognises a long clip piece by piece, and joins the texts', async () => {
    open();
    const answer = (await transcribe({ file: clip(14).toString('base64'), language: 'en' })).json();
    expect(answer).toMatchObject({ text: 'hello there second piece', seconds: 14, confidence: 0.9 });
  });

  it('answers an empty text, and charges, when nobody spoke', async () => {
    open({ service: { stt: createScriptedStt({ texts: [], languages: ['en-US'] }) } });
    const answer = (await transcribe({ file: clip(1).toString('base64'), language: 'en' })).json();
    expect(answer).toEqual({ text: '', seconds: 1, confidence: 0, cost_cents: 3 });
  });

  it.each(
    someOf(
      [
        { seconds: 60, status: 200 },
        { seconds: 60.2, status: 200 },
        { seconds: 60.3, status: 413 },
      ],
      3,
    ),
  )('$seconds s -> $status; a whole minute at most is charged', async ({ seconds, status }) => {
    open();
    const answer = await transcribe({ file: clip(seconds).toString('base64'), language: 'en' });
    expect(answer.statusCode).toBe(status);
    if (status === 413) expect(answer.json().error.code).toBe('audio_too_long');
    expect(rig.ledger.spent()).toBe(status === 200 ? 3 : 0);
  });

  it('without a recogniser for the language: unavailable, with the setting in a header', async () => {
    open();
    const answer = await transcribe({ file: clip(1).toString('base64') }); // Arabic is the default
    expect([answer.statusCode, answer.json().error]).toEqual([
      503,
      { code: 'unavailable', message: 'The voice engine is briefly at capacity. Retry shortly.' },
    ]);
    expect(answer.headers['x-service-reason']).toMatch(/engines\.stt/);
    expect(rig.ledger.spent()).toBe(0);
  });

  it('listens to what the bytes say before what was declared', async () => {
    open();
    const sent = form({ bytes: clip(1), type: 'audio/mpeg' }, { language: 'en' });
    expect((await transcribe(sent.body, sent.headers)).statusCode).toBe(200);
  });
});

describe('forms', () => {
  it.each([
    { name: 'no file', make: () => form(undefined, { language: 'en' }), code: 'empty_file' },
    { name: 'a text field named file', make: () => form(undefined, { file: 'x' }), code: 'empty_file' },
    { name: 'the file in another part', make: () => form({ bytes: clip(1) }, {}, 'audio'), code: 'empty_file' },
    { name: 'an empty file', make: () => form({ bytes: Buffer.alloc(0) }), code: 'empty_file' },
    { name: 'a byte too many', make: () => form({ bytes: Buffer.alloc(MB8 + 1) }), code: 'file_too_large' },
    { name: 'far too many', make: () => form({ bytes: Buffer.alloc(MB8 + 1_000_000) }), code: 'file_too_large' },
    {
      name: 'twenty fields',
      make: () => form({ bytes: clip(1) }, Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, 'x']))),
      code: 'invalid_request',
    },
    {
      name: 'a field named __proto__',
      make: () => form({ bytes: clip(1) }, { __proto__x: 'a', constructor: 'x' }),
      code: 'invalid_request',
    },
    {
      name: 'a long field',
      make: () => form({ bytes: clip(1) }, { language: 'e'.repeat(20_000) }),
      code: 'invalid_request',
    },
    {
      name: 'no boundary',
      make: () => ({ ...form({ bytes: clip(1) }), headers: { 'content-type': 'multipart/form-data' } }),
      code: 'invalid_request',
    },
    {
      name: 'cut in the middle',
      make: () => {
        const { body, headers } = form({ bytes: clip(1) }, { language: 'en' });
        return { body: body.subarray(0, 1_000), headers };
      },
      code: 'invalid_request',
    },
    { name: 'another language', make: () => form({ bytes: clip(1) }, { language: 'fr' }), code: 'unknown_language' },
    { name: 'another type', make: () => form({ bytes: clip(1), type: 'video/mp4' }), code: 'unsupported_audio' },
  ])('$name -> $code, free of charge', async ({ make, code }) => {
    open();
    const { body, headers } = make();
    const answer = await transcribe(body, headers);
    expect([code, answer.json().error.code]).toEqual([code, code]);
    expect([rig.ledger.spent(), rig.ledger.held('acc_one')]).toEqual([0, 0]);
  });

  it.runIf(EVERY_TEST)('take a file of exactly 8 MB', async () => {
    open();
    const text = Buffer.alloc(MB8, 'a');
    const sent = form({ bytes: text, type: 'text/plain', name: 'a.txt' }, { question: 'How long?' });
    expect((await ask(sent.body, sent.headers)).statusCode).toBe(200);
    expect((await ask({ file: text.toString('base64'), question: 'How long?' })).statusCode).toBe(200);
    const over = Buffer.alloc(MB8 + 1, 'a').toString('base64');
    expect((await ask({ file: over, question: 'q' })).json().error.code).toBe('file_too_large');
  });

  it('are sixteen at once at most, whoever sends them', async () => {
    let finish = (): void => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    open({
      service: { documents: { ask: async () => gate.then(() => ({ answer: 'a', quotes: [], answered: true })) } },
    });
    const request = { file: 'aGVsbG8=', question: 'q' };
    const first = Array.from({ length: 16 }, () => ask(request));
    while (rig.ledger.charges.size < 16) await new Promise((resolve) => setImmediate(resolve));
    expect((await ask(request)).json().error.code).toBe('unavailable');
    finish();
    expect((await Promise.all(first)).every((answer) => answer.statusCode === 200)).toBe(true);
    expect((await ask(request)).statusCode).toBe(200);
  });

  it('are not taken by operations without files', async () => {
    open();
    const sent = form(undefined, { text: 'hello' });
    const answer = await rig.send({ url: '/v1/text/normalize', body: sent.body, headers: sent.headers });
    expect(answer.json().error.code).toBe('unsupported_media_type');
  });
});

describe('POST /v1/documents/ask', () => {
  it('hands the document on and answers with its quotes', async () => {
    const asked: object[] = [];
    open({
      service: {
        documents: {
          ask: async (question) => {
            asked.push(question);
            return { answer: 'Thirty days.', quotes: ['Leave is thirty days.'], answered: true };
          },
        },
      },
    });
    const sent = form(
      { bytes: Buffer.from('Leave is thirty days.'), type: 'text/plain', name: 'policy.txt' },
      { question: ' How long? ' },
    );
    const answer = await ask(sent.body, sent.headers);
    expect(answer.json()).toEqual({
      ...{ answer: 'Thirty days.', quotes: ['Leave is thirty days.'], answered: true },
      cost_cents: 4,
    });
    expect(asked).toEqual([
      {
        file: Buffer.from('Leave is thirty days.'),
        mimeType: 'text/plain',
        filename: 'policy.txt',
        question: 'How long?',
      },
    ]);
  });

  it('charges nothing when it fails or there is no reader', async () => {
    open();
    expect((await ask({ file: 'aGVsbG8=', question: 'BREAK' })).json().error.code).toBe('answer_failed');
    await rig.app.close();
    const { documents: _, ...without } = rig.deps;
    rig = apiRig({ service: { ...without, documents: undefined } as RigOptions['service'] });
    const answer = await ask({ file: 'aGVsbG8=', question: 'q' });
    expect([answer.statusCode, answer.headers['x-service-reason']]).toEqual([
      503,
      'this installation has no document reader',
    ]);
    expect(rig.ledger.spent()).toBe(0);
  });
});

describe('POST /v1/privacy/redact', () => {
  const redact = (text: string) => rig.send({ url: '/v1/privacy/redact', body: { text } });
  it('cuts at 6,000 characters, says so, and charges four cents', async () => {
    open();
    const answer = await redact('😀'.repeat(6_001));
    expect(answer.json().redacted).toBe('😀'.repeat(6_000));
    expect(answer.headers).toMatchObject({ 'x-service-truncated': 'true', 'x-service-cost-cents': '4' });
    expect((await redact('a'.repeat(6_000))).headers['x-service-truncated']).toBeUndefined();
    expect(rig.ledger.spent()).toBe(8);
  });
  it('fails as check_failed, free of charge', async () => {
    open();
    expect((await redact('BREAK')).json().error.code).toBe('check_failed');
    expect(rig.ledger.spent()).toBe(0);
  });
});

describe('what is free', () => {
  it('needs no credit', async () => {
    open();
    rig.ledger.balances.set('acc_one', 0);
    for (const url of ['/v1/text/normalize', '/v1/text/coverage']) {
      expect((await rig.send({ url, body: { text: 'hello' } })).statusCode).toBe(200);
    }
    for (const url of ['/v1/voices', '/v1/voices/noura', '/v1/models']) {
      expect((await rig.send({ method: 'GET', url })).statusCode).toBe(200);
    }
    expect((await rig.send({ url: '/v1/transcribe/token' })).statusCode).toBe(200);
    expect(rig.ledger.charges.size).toBe(0);
  });

  it.each([
    { query: 'language=ar', every: (voice: { language: string }) => voice.language.startsWith('ar-') },
    { query: 'language=en-us', every: (voice: { language: string }) => voice.language === 'en-US' },
    { query: 'gender=male', every: (voice: { gender: string }) => voice.gender === 'male' },
    { query: 'dialect=hijazi', every: (voice: { dialect: string }) => voice.dialect === 'hijazi' },
  ])('voices can be filtered: $query', async ({ query, every }) => {
    open();
    const { voices } = (await rig.send({ method: 'GET', url: `/v1/voices?${query}` })).json();
    expect(voices.length).toBeGreaterThan(0);
    expect(voices.length).toBeLessThan(rig.deps.voices.list.length);
    expect(voices.every(every)).toBe(true);
  });

  it('the token for a socket is good once', async () => {
    open();
    const { token, expires_at } = (await rig.send({ url: '/v1/transcribe/token' })).json();
    expect(expires_at).toMatch(/Z$/);
    expect((await rig.deps.socketTokens.redeem(token))?.accountId).toBe('acc_one');
    expect(await rig.deps.socketTokens.redeem(token)).toBeUndefined();
  });
});
