import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import { type ApiRig, apiRig, clip, type Sent } from '../support/api-rig.ts';

let rig: ApiRig;
beforeAll(() => {
  rig = apiRig();
});
afterAll(() => rig.app.close());

interface Operation {
  readonly url: string;
  readonly good: Readonly<Record<string, unknown>>;
  readonly limitBytes: number;
  readonly tooLarge: ErrorCode;
}
const SMALL = { limitBytes: 1024 * 1024, tooLarge: 'request_too_large' } as const;
const UPLOAD = { limitBytes: 12 * 1024 * 1024, tooLarge: 'file_too_large' } as const;
const WAV = clip(0.2).toString('base64');

const OPERATIONS: Readonly<Record<string, Operation>> = {
  reply: { url: '/v1/agents/agt_one/reply', good: { text: 'hello', audio: false }, ...SMALL },
  speech: { url: '/v1/speech', good: { text: 'hello', format: 'wav' }, ...SMALL },
  stream: { url: '/v1/speech/stream', good: { text: 'hello', format: 'wav' }, ...SMALL },
  redact: { url: '/v1/privacy/redact', good: { text: 'hello' }, ...SMALL },
  coverage: { url: '/v1/text/coverage', good: { text: 'hello' }, ...SMALL },
  normalize: { url: '/v1/text/normalize', good: { text: 'hello' }, ...SMALL },
  transcribe: { url: '/v1/transcribe', good: { file: WAV, language: 'en' }, ...UPLOAD },
  ask: { url: '/v1/documents/ask', good: { file: 'aGVsbG8=', question: 'How long?' }, ...UPLOAD },
};

interface Bad {
  readonly name: string;
  readonly body?: string | Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
}
const JSON_TYPE = { 'content-type': 'application/json' };
const raw = (name: string, body: string | Buffer, code: ErrorCode = 'invalid_request'): Bad => ({
  ...{ name, body, code },
  headers: JSON_TYPE,
});

/** Bodies that no operation takes, whatever its fields are. */
const SHAPES: readonly Bad[] = [
  raw('nothing', ''),
  raw('white space', '  \n'),
  raw('half an object', '{"text": "a"'),
  raw('half a string', '{"text": "a'),
  raw('a trailing comma', '{"text": "a",}'),
  raw('single quotes', "{'text': 'a'}"),
  raw('a comment', '{"text": "a"} // x'),
  raw('two documents', '{"text":"a"}{"text":"b"}'),
  raw('NaN', '{"text": NaN}'),
  raw('undefined', 'undefined'),
  raw('null', 'null'),
  raw('true', 'true'),
  raw('a number', '17'),
  raw('a string', '"text"'),
  raw('an empty array', '[]'),
  raw('an array', '[{"text":"a"}]'),
  raw('a nul byte', '{"text":"a\u0000"}'),
  raw('a raw line break in a string', '{"text":"a\nb"}'),
  raw('a bad escape', '{"text":"\\x41"}'),
  raw('a bad unicode escape', '{"text":"\\u12g4"}'),
  raw('invalid UTF-8', Buffer.from('7b2274657874223a22ff22 7d'.replace(' ', ''), 'hex')),
  raw('overlong UTF-8', Buffer.from('7b2274657874223a22c0af227d', 'hex')),
  raw('UTF-8 cut inside a letter', Buffer.from('7b2274657874223a22d8227d', 'hex')),
  raw('a surrogate in UTF-8', Buffer.from('7b2274657874223a22eda080227d', 'hex')),
  raw('UTF-16', Buffer.from('{"text":"a"}', 'utf16le')),
  raw('gzip under a JSON type', Buffer.from('1f8b0800000000000003ab5602', 'hex')),
  raw('form fields under a JSON type', 'text=hello'),
  raw('XML under a JSON type', '<text>hello</text>'),
  ...[
    'True',
    'None',
    'nul',
    '+1',
    '01',
    '.5',
    '0x1',
    'Infinity',
    '-',
    '"\\"',
    '{"a"}',
    '{,}',
    '{:1}',
    '{"a":}',
    '[,]',
  ].map((body) => raw(body, body)),
  raw('a deep tower of arrays', '['.repeat(100_000)),
  raw('a deep tower, closed', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
  { name: 'plain text', body: 'hello', headers: { 'content-type': 'text/plain' }, code: 'unsupported_media_type' },
  { name: 'XML', body: '<a/>', headers: { 'content-type': 'application/xml' }, code: 'unsupported_media_type' },
  {
    name: 'a form',
    body: 'text=a',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    code: 'unsupported_media_type',
  },
  { name: 'bytes', body: 'a', headers: { 'content-type': 'application/octet-stream' }, code: 'unsupported_media_type' },
  {
    name: 'JSON of another kind',
    body: '{}',
    headers: { 'content-type': 'text/json' },
    code: 'unsupported_media_type',
  },
  { name: 'a broken type', body: '{}', headers: { 'content-type': '!!' }, code: 'unsupported_media_type' },
  { name: 'no body and no type', code: 'invalid_request' },
];

const WRONG_TYPES: readonly unknown[] = [null, 0, 1.5, true, false, [], ['a'], {}, { toString: 'a' }];

/** Bodies with one wrong field each. */
function wrongFields({ good }: Operation): Bad[] {
  const required = Object.keys(good).filter((name) => ['text', 'file', 'question'].includes(name));
  const missing = required.map((name): Bad => {
    const { [name]: _, ...rest } = good;
    return { name: `no ${name}`, body: rest, code: `empty_${name}` as ErrorCode };
  });
  const blank = required.map(
    (name): Bad => ({ name: `${name} is empty`, body: { ...good, [name]: '' }, code: `empty_${name}` as ErrorCode }),
  );
  const wrong = required.flatMap((name) =>
    WRONG_TYPES.map(
      (value): Bad => ({
        name: `${name} is ${JSON.stringify(value)}`,
        body: { ...good, [name]: value },
        code: 'invalid_request',
      }),
    ),
  );
  return [...missing, ...blank, ...wrong];
}

const field = (body: object, code: ErrorCode = 'invalid_request'): Bad => ({ name: JSON.stringify(body), body, code });
const text = 'hello';
const SPEECH_FIELDS: readonly Bad[] = [
  field({ text: ' \n\t ' }, 'empty_text'),
  field({ text: 'a'.repeat(5_001) }, 'text_too_long'),
  field({ text, format: 'flac' }, 'unknown_format'),
  field({ text, format: '' }, 'unknown_format'),
  field({ text, format: 1 }),
  field({ text, format: null }),
  field({ text, model: 'sada-2' }, 'unknown_model'),
  field({ text, model: '' }, 'unknown_model'),
  field({ text, model: {} }),
  field({ text, voice: 'nobody' }, 'unknown_voice'),
  field({ text, voice: '' }, 'unknown_voice'),
  field({ text, voice: '__proto__' }, 'unknown_voice'),
  field({ text, voice: 7 }),
  field({ text, speed: 0.49 }),
  field({ text, speed: 2.01 }),
  field({ text, speed: '1' }),
  field({ text, speed: null }),
  field({ text, pitch: -12.5 }),
  field({ text, pitch: 13 }),
  field({ text, pitch: 'high' }),
  field({ text, sample_rate: 11_025 }),
  field({ text, sample_rate: 8000.5 }),
  field({ text, sample_rate: '8000' }),
  field({ text, sample_rate: -8000 }),
  field({ text, sample_rate: 24_000, format: 'mulaw' }),
];
const REPLY_FIELDS: readonly Bad[] = [
  field({ text: ' ' }, 'empty_text'),
  field({ text, audio: 'false' }),
  field({ text, audio: 0 }),
  field({ text, history: {} }),
  field({ text, history: 'hello' }),
  field({ text, history: ['hello'] }),
  field({ text, history: [{}] }),
  field({ text, history: [{ text: 1 }] }),
  field({ text, history: [{ text: 'a', role: 'system' }] }),
  { name: '1,001 turns', body: { text, history: Array(1_001).fill({ text: 'a' }) }, code: 'invalid_request' },
  field({ text, variables: [] }),
  field({ text, variables: 'name' }),
  field({ text, variables: { name: 1 } }),
  field({ text, variables: { name: null } }),
  field({ text, variables: { 'a b': 'x' } }),
  field({ text, variables: { '1a': 'x' } }),
  field({ text, variables: { [`a${'b'.repeat(64)}`]: 'x' } }),
  { name: 'a long value', body: { text, variables: { a: 'x'.repeat(1_001) } }, code: 'invalid_request' },
  {
    name: '51 variables',
    body: { text, variables: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`v${i}`, 'x'])) },
    code: 'invalid_request',
  },
];
const file = WAV;
const TRANSCRIBE_FIELDS: readonly Bad[] = [
  field({ file: 'not base64!' }),
  field({ file: 'AAAAA' }),
  field({ file: 'AA=A' }),
  field({ file: 'AAAA' }, 'unsupported_audio'),
  field({ file: 'AAAA', mime_type: 'audio/wav' }, 'invalid_audio'),
  field({ file: Buffer.from('RIFF0000WAVE').toString('base64'), language: 'en' }, 'invalid_audio'),
  field({ file: Buffer.from('RIFF0000WAVEfmt ').toString('base64'), language: 'en' }, 'invalid_audio'),
  { name: 'video', body: { file, mime_type: 'video/mp4' }, code: 'unsupported_audio' },
  { name: 'aac', body: { file, mime_type: 'audio/aac' }, code: 'unsupported_audio' },
  { name: 'Klingon', body: { file, language: 'tlh' }, code: 'unknown_language' },
  { name: 'Australian', body: { file, language: 'en-AU' }, code: 'unknown_language' },
  { name: 'no language', body: { file, language: '' }, code: 'unknown_language' },
  { name: 'language as a number', body: { file, language: 1 }, code: 'invalid_request' },
  { name: 'type as a list', body: { file, mime_type: [] }, code: 'invalid_request' },
];
const question = 'How long?';
const ASK_FIELDS: readonly Bad[] = [
  field({ file: 'not base64!', question }),
  field({ file: 'aGVsbG8=', question: ' \n' }, 'empty_question'),
  { name: 'a long question', body: { file: 'aGVsbG8=', question: 'a'.repeat(2_001) }, code: 'question_too_long' },
  field({ file: 'aGVsbG8=', question, mime_type: 'image/png' }, 'unsupported_document'),
  field({ file: 'aGVsbG8=', question, mime_type: 3 }),
  field({ file: 'aGVsbG8=', question, filename: {} }),
  {
    name: 'a long file name',
    body: { file: 'aGVsbG8=', question, filename: 'a'.repeat(256) },
    code: 'invalid_request',
  },
  field({ file: Buffer.from([1, 0, 2, 0]).toString('base64'), question }, 'unsupported_document'),
];
const LONG_TEXT: readonly Bad[] = [
  { name: '5,001 characters', body: { text: 'a'.repeat(5_001) }, code: 'text_too_long' },
  { name: 'white space', body: { text: ' \u00a0\n' }, code: 'empty_text' },
];
const OWN: Readonly<Record<string, readonly Bad[]>> = {
  reply: REPLY_FIELDS,
  speech: SPEECH_FIELDS,
  stream: [
    ...SPEECH_FIELDS,
    field({ text, format: 'mp3' }, 'unknown_format'),
    field({ text, model: 'nabra-1' }, 'unknown_model'),
  ],
  redact: [{ name: 'white space', body: { text: ' \n' }, code: 'empty_text' }],
  coverage: LONG_TEXT,
  normalize: [
    ...LONG_TEXT,
    field({ text, language: 'fr' }, 'unknown_language'),
    field({ text, language: '' }, 'unknown_language'),
    field({ text, language: 1 }),
  ],
  transcribe: TRANSCRIBE_FIELDS,
  ask: ASK_FIELDS,
};

describe.each(Object.entries(OPERATIONS))('%s', (name, operation) => {
  const bodies = [...SHAPES, ...wrongFields(operation), ...(OWN[name] ?? [])];

  it(`refuses ${bodies.length} bad bodies in the envelope, and charges for none`, async () => {
    const wrong: unknown[] = [];
    for (const bad of bodies) {
      const request: Sent = {
        url: operation.url,
        ...(bad.body !== undefined && { body: bad.body }),
        ...(bad.headers && { headers: bad.headers }),
      };
      const answer = await rig.send(request);
      const error = answer.json().error;
      const ok =
        error?.code === bad.code &&
        answer.statusCode === ERRORS[bad.code].status &&
        answer.headers['content-type'] === 'application/json; charset=utf-8' &&
        Object.keys(answer.json()).length === 1 &&
        Object.keys(error).join() === 'code,message' &&
        !String(error.message).includes('<detail>');
      if (!ok) wrong.push([bad.name, bad.code, answer.statusCode, answer.body.slice(0, 200)]);
    }
    expect(wrong).toEqual([]);
    expect(rig.ledger.spent()).toBe(0);
    expect(rig.ledger.held('acc_one')).toBe(0);
  });

  it('refuses a body that is too large', async () => {
    const body = `{"text":"${'a'.repeat(operation.limitBytes)}"}`;
    const answer = await rig.send({ url: operation.url, body, headers: JSON_TYPE });
    expect([answer.statusCode, answer.json().error.code]).toEqual([413, operation.tooLarge]);
  });

  it('takes a good body, with fields it does not know', async () => {
    const answer = await rig.send({ url: operation.url, body: { ...operation.good, futureField: [1] } });
    expect(answer.statusCode).toBe(200);
    // What was charged is booked by now, so that the next operation begins at zero.
    for (const charge of rig.ledger.charges.values()) charge.booked = 0;
  });
});

it('has enough of them', () => {
  const counts = Object.entries(OPERATIONS).map(
    ([name, operation]) => SHAPES.length + wrongFields(operation).length + (OWN[name] ?? []).length,
  );
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(60);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(580);
});
