import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOCKET_ERRORS } from '../../src/api/asyncapi.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { type ApiRig, apiRig, clip, MemoryKeys, type Sent, TOKEN, testAgent } from '../support/api-rig.ts';

/** The operations that clients rely on. Names are part of the contract: generated clients are made of them. */
const OPERATIONS = {
  createAgentReply: 'POST /v1/agents/{id}/reply',
  listAgents: 'GET /v1/agents',
  createSpeech: 'POST /v1/speech',
  streamSpeech: 'POST /v1/speech/stream',
  redactText: 'POST /v1/privacy/redact',
  checkCoverage: 'POST /v1/text/coverage',
  normalizeText: 'POST /v1/text/normalize',
  transcribe: 'POST /v1/transcribe',
  askDocument: 'POST /v1/documents/ask',
  getVoice: 'GET /v1/voices/{id}',
  listVoices: 'GET /v1/voices',
  listModels: 'GET /v1/models',
  createTranscribeToken: 'POST /v1/transcribe/token',
  createTalkToken: 'POST /v1/agents/{id}/talk/token',
} as const;
type OperationId = keyof typeof OPERATIONS;

type Schema = { $ref?: string; [key: string]: unknown };
interface Operation {
  readonly operationId: OperationId;
  readonly tags: string[];
  readonly summary: string;
  readonly security: object[];
  readonly requestBody?: { content: Record<string, { schema: Schema }> };
  readonly responses: Record<
    string,
    { content: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, unknown> }> }
  >;
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, Schema> };
}

const GOOD: Readonly<Record<OperationId, Sent>> = {
  createAgentReply: { url: '/v1/agents/agt_one/reply', body: { text: 'hi' }, headers: { accept: 'audio/wav' } },
  listAgents: { method: 'GET', url: '/v1/agents' },
  createSpeech: { url: '/v1/speech', body: { text: 'hi', format: 'wav' } },
  streamSpeech: { url: '/v1/speech/stream', body: { text: 'hi' } },
  redactText: { url: '/v1/privacy/redact', body: { text: 'hi' } },
  checkCoverage: { url: '/v1/text/coverage', body: { text: 'hi' } },
  normalizeText: { url: '/v1/text/normalize', body: { text: 'hi' } },
  transcribe: { url: '/v1/transcribe', body: { file: clip(0.5).toString('base64'), language: 'en' } },
  askDocument: { url: '/v1/documents/ask', body: { file: 'aGVsbG8=', question: 'q' } },
  getVoice: { method: 'GET', url: '/v1/voices/noura' },
  listVoices: { method: 'GET', url: '/v1/voices' },
  listModels: { method: 'GET', url: '/v1/models' },
  createTranscribeToken: { url: '/v1/transcribe/token' },
  createTalkToken: { url: '/v1/agents/agt_one/talk/token', body: { from: 'web' } },
};

/** What an engine is told to fail with, by a word in the request. */
const fail = (text: string): void => {
  if (text.includes('SLOW')) throw new ServiceError('timeout');
  if (text.includes('BREAK')) throw new Error('broken');
};
class RefusingKeys extends MemoryKeys {
  override async begin(request: Parameters<MemoryKeys['begin']>[0]) {
    if (request.key === 'running' || request.key === 'mismatch') return { type: request.key } as const;
    return super.begin(request);
  }
}
const TOKENS: Readonly<Record<string, () => { tokenId: string; accountId: string }>> = {
  [TOKEN]: () => ({ tokenId: 'tok', accountId: 'acc_one' }),
  poor: () => ({ tokenId: 'poor', accountId: 'acc_two' }),
  boom: () => {
    throw new TypeError('a mistake of ours');
  },
  away: () => {
    throw new Error('connect ECONNREFUSED');
  },
};

function brokenEnginesRig(): ApiRig {
  const base = apiRig();
  const guarded = {
    reply: Object.assign(Object.create(base.deps.reply), {
      reply: async function* (request: { text: string }, signal: AbortSignal) {
        if (request.text.includes('BREAK')) throw new ServiceError('reply_failed');
        fail(request.text);
        yield* base.deps.reply.reply(request as never, signal);
      },
    }),
    tts: Object.assign(Object.create(base.tts), {
      synthesize: async function* (request: { text: string }, signal: AbortSignal) {
        if (request.text.includes('BREAK')) throw new ServiceError('synthesis_failed');
        fail(request.text);
        yield* base.tts.synthesize(request as never, signal);
      },
    }),
    decoder: {
      decode: async (file: { bytes: Uint8Array }, wanted: object, signal: AbortSignal) => {
        const mark = file.bytes.length;
        if (mark === 44 + 16) throw new ServiceError('transcription_failed');
        if (mark === 44 + 32) throw new ServiceError('timeout');
        return base.deps.decoder.decode(file as never, wanted as never, signal);
      },
    },
    documents: {
      ask: async ({ question }: { question: string }) => {
        if (question.includes('BREAK')) throw new ServiceError('answer_failed');
        fail(question);
        return { answer: 'a', quotes: [], answered: false };
      },
    },
  };
  const rig = apiRig({
    agents: [
      testAgent('agt_one'),
      testAgent('agt_draft', { status: 'draft' }),
      testAgent('agt_one', { accountId: 'acc_two' }),
    ],
    service: {
      ...guarded,
      idempotency: new RefusingKeys(),
      tokens: { authenticate: async (token) => TOKENS[token ?? '']?.() },
    },
  });
  rig.ledger.balances.set('acc_two', 0);
  return rig;
}

const withBody = (id: OperationId, body: object): Sent => ({
  ...GOOD[id],
  body: { ...(GOOD[id].body as object), ...body },
});
const keyed = (id: OperationId, key: string): Sent => ({
  ...GOOD[id],
  headers: { ...GOOD[id].headers, 'idempotency-key': key },
});
const broken = (id: OperationId, word: 'BREAK' | 'SLOW'): Sent => {
  if (id === 'askDocument') return withBody(id, { question: word });
  if (id === 'transcribe') {
    const samples = word === 'BREAK' ? 8 : 16;
    return withBody(id, { file: clip(samples / 8_000).toString('base64') });
  }
  return withBody(id, { text: word });
};

/** How to get every status out of an operation. */
const REACH: Readonly<Record<string, (id: OperationId) => Sent>> = {
  200: (id) => GOOD[id],
  400: (id) => (id === 'listVoices' ? { ...GOOD[id], url: '/v1/voices?model=a&model=b' } : { ...GOOD[id], body: [] }),
  401: (id) => ({ ...GOOD[id], token: null }),
  402: (id) => ({ ...GOOD[id], token: 'poor' }),
  404: (id) => {
    if (id === 'createAgentReply') return { ...GOOD[id], url: '/v1/agents/agt_none/reply' };
    if (id === 'createTalkToken') return { ...GOOD[id], url: '/v1/agents/agt_none/talk/token' };
    if (id === 'getVoice') return { ...GOOD[id], url: '/v1/voices/nobody' };
    return withBody(id, { voice: 'nobody' });
  },
  409: (id) => {
    if (id === 'createTalkToken') return { ...GOOD[id], url: '/v1/agents/agt_draft/talk/token' };
    return id === 'createAgentReply' ? { ...GOOD[id], url: '/v1/agents/agt_draft/reply' } : keyed(id, 'running');
  },
  413: (id) => ({ ...GOOD[id], body: `"${'a'.repeat(13_000_000)}"`, headers: { 'content-type': 'application/json' } }),
  415: (id) => ({ ...GOOD[id], body: 'a', headers: { 'content-type': 'text/plain' } }),
  422: (id) => keyed(id, 'mismatch'),
  429: (id) => GOOD[id],
  500: (id) => ({ ...GOOD[id], token: 'boom' }),
  502: (id) => broken(id, 'BREAK'),
  503: (id) => ({ ...GOOD[id], token: 'away' }),
  504: (id) => broken(id, 'SLOW'),
};

let rig: ApiRig;
let limited: ApiRig;
let document: Document;
let check: (schema: Schema, value: unknown) => string | undefined;

beforeAll(async () => {
  rig = brokenEnginesRig();
  limited = apiRig({ settings: { requestBurst: 0 } });
  document = (await rig.app.inject('/openapi.json')).json();
  check = await schemaChecker(document);
});
afterAll(() => Promise.all([rig.app.close(), limited.app.close()]));

/** The schema compiler of the server itself, over the document as it was published. */
async function schemaChecker(published: Document): Promise<typeof check> {
  const scratch = Fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  });
  const text = JSON.stringify(published.components.schemas).replaceAll('#/components/schemas/', '');
  for (const [name, schema] of Object.entries(JSON.parse(text) as Record<string, object>)) {
    scratch.addSchema({ ...schema, $id: name });
  }
  let compile: ((schema: Schema) => { (value: unknown): boolean; errors?: unknown }) | undefined;
  scratch.get('/', async (request) => {
    compile = (schema) => request.compileValidationSchema(schema) as never;
    return {};
  });
  await scratch.inject('/');
  return (schema, value) => {
    const own = JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', ''));
    const validate = compile!(own);
    return validate(value) ? undefined : JSON.stringify(validate.errors);
  };
}

const operations = (): [OperationId, Operation][] =>
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation): [OperationId, Operation] => [operation.operationId, operation]),
  );

describe('the OpenAPI document', () => {
  it('is 3.1 and has exactly the operations of the contract', () => {
    expect(document.openapi).toBe('3.1.0');
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => [one.operationId, `${method.toUpperCase()} ${path}`]),
    );
    expect(Object.fromEntries(found)).toEqual(OPERATIONS);
    expect(found).toHaveLength(Object.keys(OPERATIONS).length);
  });

  it('explains every operation', () => {
    for (const [id, operation] of operations()) {
      expect([id, operation.summary.length > 5, operation.tags.length, operation.security]).toEqual([
        ...[id, true, 1, [{ bearer: [] }]],
      ]);
    }
  });

  it('resolves every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) {
      const name = reference.replace('#/components/schemas/', '');
      expect(document.components.schemas[name], reference).toBeDefined();
    }
  });

  it('shows an example of every shape, and each is one', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const [example] = (schema['examples'] ?? []) as unknown[];
      expect([name, example !== undefined]).toEqual([name, true]);
      expect([name, check({ $ref: `#/components/schemas/${name}` }, example)]).toEqual([name, undefined]);
    }
  });

  it('shows an example of every JSON answer, and each is one', () => {
    for (const [id, { responses }] of operations()) {
      const json = responses['200']?.content['application/json'];
      if (!json) continue;
      const name = json.schema.$ref?.split('/').at(-1) ?? '';
      const example = json.example ?? (document.components.schemas[name]?.['examples'] as unknown[])?.[0];
      expect([id, example !== undefined]).toEqual([id, true]);
      expect([id, check(json.schema, example)]).toEqual([id, undefined]);
    }
  });

  it('describes the requests that are sent here', () => {
    for (const [id, { requestBody }] of operations()) {
      const json = requestBody?.content['application/json'];
      expect([id, json !== undefined]).toEqual([id, GOOD[id].body !== undefined]);
      if (json) expect([id, check(json.schema, GOOD[id].body)]).toEqual([id, undefined]);
    }
  });
});

describe('every operation', () => {
  it.each(Object.keys(OPERATIONS) as OperationId[])(
    '%s answers as declared, with every status it declares',
    async (id) => {
      const [, operation] = operations().find(([one]) => one === id)!;
      for (const [status, declared] of Object.entries(operation.responses)) {
        const reach = REACH[status];
        if (!reach) throw new Error(`nobody knows how to get ${status} out of ${id}`);
        const answer = await (status === '429' ? limited : rig).send(reach(id));
        const where = `${id} ${status}: ${answer.body.slice(0, 200)}`;
        expect(answer.statusCode, where).toBe(Number(status));
        const mediaType = String(answer.headers['content-type']).split(';')[0]!;
        const content = declared.content[mediaType];
        expect(content, `${where} ${mediaType}`).toBeDefined();
        if (mediaType !== 'application/json') continue;
        expect(check(content!.schema, answer.json()), where).toBeUndefined();
        if (status !== '200') expect(Object.keys(content!.examples ?? {}), where).toContain(answer.json().error.code);
      }
    },
  );

  it('refuses what it does not declare: a response schema is more than decoration', () => {
    const reply = { $ref: '#/components/schemas/Reply' };
    expect(check(reply, { reply: 'a' })).toBeDefined();
    expect(check({ $ref: '#/components/schemas/Error' }, { error: { code: 'nonsense', message: '' } })).toBeDefined();
  });
});

describe('the socket’s document', () => {
  it('is AsyncAPI 3 with every frame and every error', async () => {
    const socket = (await rig.app.inject('/asyncapi.json')).json();
    expect(socket.asyncapi).toBe('3.0.0');
    expect(socket.channels.transcribe.address).toBe('/v1/transcribe/ws');
    const [own, talk] = [false, true].map((isTalk) =>
      Object.keys(socket.components.messages)
        .filter((key) => key.startsWith('talk.') === isTalk)
        .sort(),
    );
    expect(own).toEqual([
      ...['audio', 'authenticated', 'done', 'error', 'keepalive', 'opened', 'start', 'stop', 'transcript'],
    ]);
    expect(talk!.map((key) => key.slice('talk.'.length))).toEqual([
      ...['audio', 'authenticated', 'clear', 'dtmf', 'end', 'ended', 'error', 'keepalive', 'mark', 'opened'],
      ...['sentence', 'start', 'transcript', 'turn'],
    ]);
    expect(socket.channels.talk.address).toBe('/v1/agents/{id}/talk');
    for (const { messages } of Object.values(socket.operations) as { messages: { $ref: string }[] }[]) {
      for (const { $ref } of messages) expect(socket.components.messages).toHaveProperty([$ref.split('/').at(-1)!]);
    }
    const errors = socket.components.messages.error.payload.properties.error.properties.code.enum;
    expect(errors).toEqual(Object.keys(SOCKET_ERRORS));
    expect(SOCKET_ERRORS).toEqual({
      ...{
        unauthorized: 4401,
        insufficient_credit: 4402,
        invalid_frame: 4400,
        not_started: 4409,
        already_started: 4409,
      },
      ...{ unknown_language: 4400, invalid_sample_rate: 4400, unknown_encoding: 4400, frame_too_large: 1009 },
      ...{ start_timeout: 4408, idle_timeout: 4408, session_too_long: 4413 },
      ...{ too_many_sessions: 4429, rate_limited: 4429 },
      ...{ unavailable: 4503, transcription_failed: 1011, shutting_down: 1012 },
    });
  });
});
