import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLOSE_MS_MAX, SILENT_MS_MAX } from '../../src/api/closing.ts';
import type { TokenIdentity } from '../../src/store/tokens.ts';
import { type ApiRig, apiRig, OTHER_TOKEN, type Sent, TOKEN, testAgent } from '../support/api-rig.ts';
import { LogCapture } from '../support/log-capture.ts';
import { until } from '../support/until.ts';

let rig: ApiRig;
beforeAll(() => {
  rig = apiRig();
});
afterAll(() => rig.app.close());

const ROUTES: readonly Sent[] = [
  { method: 'GET', url: '/v1/agents' },
  { method: 'GET', url: '/v1/voices' },
  { method: 'GET', url: '/v1/voices/noura' },
  { method: 'GET', url: '/v1/models' },
  { url: '/v1/agents/agt_one/reply' },
  { url: '/v1/speech' },
  { url: '/v1/speech/stream' },
  { url: '/v1/privacy/redact' },
  { url: '/v1/text/coverage' },
  { url: '/v1/text/normalize' },
  { url: '/v1/transcribe' },
  { url: '/v1/transcribe/token' },
  { url: '/v1/documents/ask' },
];

describe('the token', () => {
  it.each([
    { name: 'none', authorization: undefined },
    { name: 'empty', authorization: '' },
    { name: 'no scheme', authorization: TOKEN },
    { name: 'another scheme', authorization: `Basic ${TOKEN}` },
    { name: 'two words', authorization: `Bearer ${TOKEN} x` },
    { name: 'unknown', authorization: 'Bearer service_sk_live_nobody' },
    { name: 'cut', authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { name: 'with a space inside the scheme', authorization: `Bea rer ${TOKEN}` },
  ])(
    '$name: 401 on every operation, with the same body, before the request is looked at',
    async ({ authorization }) => {
      for (const route of ROUTES) {
        const answer = await rig.send({
          ...route,
          token: null,
          headers: { ...(authorization !== undefined && { authorization }), 'content-type': 'text/nonsense' },
          ...(route.method !== 'GET' && { body: '{' }),
        });
        expect([route.url, answer.statusCode, answer.body]).toEqual([
          ...[route.url, 401, '{"error":{"code":"unauthorized","message":"Invalid or missing API token."}}'],
        ]);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    },
  );

  it('may be written with any case of the scheme', async () => {
    const answer = await rig.send({
      method: 'GET',
      url: '/v1/models',
      token: null,
      headers: { authorization: `bearer  ${TOKEN} ` },
    });
    expect(answer.statusCode).toBe(200);
  });

  it('is looked for before the body arrives', async () => {
    await rig.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = rig.app.server.address() as { port: number };
    const status = await new Promise<number>((resolve, reject) => {
      const sent = httpRequest(
        { port, method: 'POST', path: '/v1/speech', headers: { 'content-length': 1_000_000 } },
        (answer) => {
          resolve(answer.statusCode!);
          sent.destroy();
        },
      );
      sent.on('error', reject);
      sent.flushHeaders(); // and nothing after them
    });
    expect(status).toBe(401);
  });

  it('and no credentials are needed for the reference', async () => {
    for (const url of ['/openapi.json', '/asyncapi.json', '/docs', '/healthz']) {
      expect((await rig.send({ method: 'GET', url, token: null })).statusCode).toBe(200);
    }
  });
});

describe('routes', () => {
  it.each([
    { method: 'GET', url: '/v1/nothing', status: 404, code: 'not_found' },
    { method: 'POST', url: '/v1/agents/agt_one', status: 404, code: 'not_found' },
    { method: 'GET', url: '/v1/speech', status: 405, code: 'method_not_allowed', allow: 'POST' },
    { method: 'DELETE', url: '/v1/agents/agt_one/reply', status: 405, code: 'method_not_allowed', allow: 'POST' },
    { method: 'POST', url: '/v1/voices/noura', status: 405, code: 'method_not_allowed', allow: 'GET, HEAD' },
    { method: 'PUT', url: '/v1/voices?x=1', status: 405, code: 'method_not_allowed', allow: 'GET, HEAD' },
    { method: 'OPTIONS', url: '/v1/speech', status: 405, code: 'method_not_allowed', allow: 'POST' },
    { method: 'GET', url: '/v1/voices/%zz', status: 400, code: 'invalid_request' },
    { method: 'GET', url: '/v1/voices/%ff', status: 400, code: 'invalid_request' },
    { method: 'GET', url: `/v1/voices/${'a'.repeat(3_000)}`, status: 404, code: 'unknown_voice' },
  ] as const)('$method $url -> $status $code', async ({ method, url, status, code, ...rest }) => {
    const answer = await rig.send({ method, url });
    expect([answer.statusCode, answer.json().error?.code]).toEqual([status, code]);
    expect(answer.headers.allow).toBe('allow' in rest ? rest.allow : undefined);
    expect(answer.headers).toMatchObject({ 'x-service-version': '1.2.3', 'x-content-type-options': 'nosniff' });
    expect(answer.headers['x-request-id']).toBeTruthy();
  });

  it.each(['/v1/voices?language=a&language=b', '/v1/voices?language[]=a'])('%s does no harm', async (url) => {
    expect([200, 400]).toContain((await rig.send({ method: 'GET', url })).statusCode);
  });
});

describe('every answer', () => {
  it('carries id, version and allowance', async () => {
    const { headers } = await rig.send({ method: 'GET', url: '/v1/models', headers: { 'x-request-id': 'mine-1' } });
    expect(headers).toMatchObject({
      ...{ 'x-request-id': 'mine-1', 'x-service-version': '1.2.3', 'ratelimit-limit': '100000' },
      ...{ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' },
    });
    expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
    expect(headers['ratelimit-reset']).toMatch(/^\d+$/);
  });

  it('has no CORS headers unless origins are configured', async () => {
    const origin = 'https://app.example';
    const plain = await rig.send({ method: 'GET', url: '/v1/models', headers: { origin } });
    expect(Object.keys(plain.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);

    const open = apiRig({ settings: { corsOrigins: [origin] } });
    const preflight = await open.send({
      method: 'OPTIONS',
      url: '/v1/speech',
      token: null,
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(origin);
    const read = await open.send({ method: 'GET', url: '/v1/models', headers: { origin } });
    expect(read.headers['access-control-expose-headers']).toContain('X-Service-Cost-Cents');
    const stranger = await open.send({ method: 'GET', url: '/v1/models', headers: { origin: 'https://evil.example' } });
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
    await open.app.close();
  });
});

describe('a body', () => {
  it.each([
    { name: 'with a charset', type: 'application/json; charset=utf-8', body: '{"text":"a"}' },
    { name: 'with capitals', type: 'Application/JSON', body: '{"text":"a"}' },
    { name: 'with a byte order mark', type: 'application/json', body: '\ufeff{"text":"a"}' },
    { name: 'with a field twice', type: 'application/json', body: '{"text":"b","text":"a"}' },
    { name: 'that names the prototype', type: 'application/json', body: '{"text":"a","__proto__":{"language":1}}' },
  ])('$name is read', async ({ type, body }) => {
    const answer = await rig.send({ url: '/v1/text/normalize', body, headers: { 'content-type': type } });
    expect([answer.statusCode, answer.json().original]).toEqual([200, 'a']);
  });
});

describe('limits', () => {
  it('refuses beyond the burst, says when to come back, and lets others in', async () => {
    const limited = apiRig({ settings: { requestsPerMinute: 60, requestBurst: 3 } });
    const get = (token?: string) => limited.send({ method: 'GET', url: '/v1/models', ...(token && { token }) });
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await get()).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await get();
    expect(refused.json().error.code).toBe('rate_limited');
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-remaining': '0', 'ratelimit-limit': '3' });
    expect((await get(OTHER_TOKEN)).statusCode).toBe(200);
    limited.clock.advance(1_000);
    expect((await get()).statusCode).toBe(200);
    expect((await get()).statusCode).toBe(429);
    await limited.app.close();
  });

  it('of an account hold for its tokens together, beside those of each, and the nearer one is told', async () => {
    const ofAccount = (tokenId: string) => ({ tokenId, accountId: 'acc_many', accountRequestsAMinute: 40 });
    const identities: Record<string, TokenIdentity> = { a: ofAccount('tok_a'), b: ofAccount('tok_b') };
    const limited = apiRig({
      settings: { requestsPerMinute: 60, requestBurst: 3 },
      service: { tokens: { authenticate: async (token) => identities[token ?? ''] } },
    });
    const get = async (token: string) => {
      const { statusCode, headers } = await limited.send({ method: 'GET', url: '/v1/models', token });
      return [statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['retry-after']];
    };
    expect(await get('a')).toEqual([200, '2', '1', undefined]);
    expect(await get('b')).toEqual([200, '2', '0', undefined]);
    expect(await get('b')).toEqual([429, '2', '0', '2']);
    limited.clock.advance(1_000);
    expect(await get('a')).toEqual([429, '2', '0', '1']);
    limited.clock.advance(600);
    expect(await get('a')).toEqual([200, '2', '0', undefined]);
    limited.clock.advance(3_000);
    expect(await get('b'), 'what was refused has used nothing up').toEqual([200, '2', '1', undefined]);
    await limited.app.close();
  });

  it('a token beyond its own limit uses nothing up of its account', async () => {
    const ofAccount = (tokenId: string) => ({ tokenId, accountId: 'acc_many', accountRequestsAMinute: 900 });
    const identities: Record<string, TokenIdentity> = { a: ofAccount('tok_a'), b: ofAccount('tok_b') };
    const limited = apiRig({
      settings: { requestsPerMinute: 600, requestBurst: 2 },
      service: { tokens: { authenticate: async (token) => identities[token ?? ''] } },
    });
    const get = (token: string) => limited.send({ method: 'GET', url: '/v1/models', token });
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await get('a')).statusCode);
    expect(statuses).toEqual([200, 200, 429, 429, 429]);
    const last = await get('b'); // three at once of the account
    expect([last.statusCode, last.headers['ratelimit-limit'], last.headers['ratelimit-remaining']]).toEqual([
      ...[200, '3', '0'],
    ]);
    expect((await get('b')).statusCode).toBe(429);
    await limited.app.close();
  });

  it('counts what is under way per account, and forgets what ended', async () => {
    let finish = (): void => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const busy = apiRig({
      settings: { requestsInFlightPerAccount: 2 },
      service: { documents: { ask: async () => gate.then(() => ({ answer: 'a', quotes: [], answered: true })) } },
    });
    await busy.app.ready();
    const ask = () => busy.send({ url: '/v1/documents/ask', body: { file: 'aGVsbG8=', question: 'q' } });
    const waiting = [ask(), ask()];
    await new Promise((resolve) => setImmediate(resolve));
    const third = await ask();
    expect([third.statusCode, third.headers['retry-after']]).toEqual([429, '1']);
    expect((await busy.send({ method: 'GET', url: '/v1/models', token: OTHER_TOKEN })).statusCode).toBe(200);
    finish();
    expect((await Promise.all(waiting)).map((answer) => answer.statusCode)).toEqual([200, 200]);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await ask()).statusCode).toBe(200);
    await busy.app.close();
  });
});

describe('two accounts', () => {
  it('cannot tell each other’s agents from unknown ones', async () => {
    const two = apiRig({ agents: [testAgent('agt_mine'), testAgent('agt_theirs', { accountId: 'acc_two' })] });
    const reply = (id: string) => two.send({ url: `/v1/agents/${id}/reply`, body: { text: 'hi', audio: false } });
    const [foreign, unknown] = [await reply('agt_theirs'), await reply('agt_nobody')];
    expect(foreign.statusCode).toBe(404);
    expect(foreign.body.replace('agt_theirs', 'X')).toBe(unknown.body.replace('agt_nobody', 'X'));
    const list = (await two.send({ method: 'GET', url: '/v1/agents' })).json();
    expect(list.agents.map((agent: { id: string }) => agent.id)).toEqual(['agt_mine']);
    await two.app.close();
  });
});

describe('what is not said', () => {
  it('keeps tokens and texts out of the logs, whatever happens', async () => {
    const log = new LogCapture();
    const canary = 'CANARYtext';
    const loud = apiRig({ logger: log.logger });
    for (const route of ROUTES) {
      for (const body of [{ text: canary, file: 'AAAA', question: canary }, { text: `${canary} BREAK FAIL_AT_ONCE` }]) {
        for (const token of [TOKEN, 'service_sk_live_CANARYtoken', null]) {
          const url = `${route.url}?token=CANARYquery`;
          await loud.send({ ...route, url, token, ...(route.method !== 'GET' && { body }) });
        }
      }
    }
    expect(log.text).toContain('"request"');
    expect(log.text).not.toContain('CANARY');
    expect(log.text).not.toContain(TOKEN);
    await loud.app.close();
  });

  it('never shows what went wrong inside', async () => {
    const broken = apiRig({
      service: {
        agents: {
          list: async () => {
            throw new TypeError('column "secret" of relation');
          },
          get: async () => undefined,
        },
      },
    });
    const answer = await broken.send({ method: 'GET', url: '/v1/agents' });
    expect(answer.json()).toEqual({ error: { code: 'internal_error', message: 'Something went wrong.' } });
    await broken.app.close();
  });

  it('answers `unavailable` while the database is away', async () => {
    const away = apiRig({
      service: {
        tokens: {
          authenticate: async () => {
            throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
          },
        },
      },
    });
    const answer = await away.send({ method: 'GET', url: '/v1/models' });
    expect([answer.statusCode, answer.json().error.code, answer.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '2',
    ]);
    await away.app.close();
  });
});

describe('bytes that are no request', () => {
  it.each([
    { name: 'nonsense', bytes: 'hello\r\n\r\n', status: 400 },
    { name: 'a long header', bytes: `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, status: 431 },
  ])('$name -> $status in the envelope', async ({ bytes, status }) => {
    const { port } = rig.app.server.address() as { port: number };
    const sent = rawRequest(port);
    sent.write(bytes);
    const answer = await sent.answer;
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('{"error":{"code":"invalid_request"');
  });
});

describe('closing', () => {
  it('finishes what is under way and turns away what comes after, in the envelope', async () => {
    let finish = (): void => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const closing = apiRig({
      service: { documents: { ask: async () => gate.then(() => ({ answer: 'a', quotes: [], answered: true })) } },
    });
    await closing.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = closing.app.server.address() as { port: number };
    const body = JSON.stringify({ file: 'aGVsbG8=', question: 'q' });
    const head = `host: a\r\nauthorization: Bearer ${TOKEN}\r\n`;
    const under = rawRequest(port);
    under.write(
      `POST /v1/documents/ask HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const late = rawRequest(port);
    late.write('GET /v1/models HTTP/1.1\r\n'); // begun before, so that its connection is not idle
    await until(() => closing.ledger.charges.size === 1);
    const closed = closing.app.close();
    await new Promise((resolve) => setImmediate(resolve));
    late.write(`${head}\r\n`);
    expect(await late.answer).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 2[\s\S]*"code":"unavailable"/);
    finish();
    expect(await under.answer).toMatch(/^HTTP\/1.1 200 /);
    await closed;
  });

  const LONG_STREAM = `POST /v1/speech/stream HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\n`;
  const startStream = async (closing: ReturnType<typeof apiRig>) => {
    await closing.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = closing.app.server.address() as { port: number };
    const stream = rawRequest(port);
    const body = JSON.stringify({ text: 'HOLD. Then more.' });
    stream.write(`${LONG_STREAM}content-length: ${body.length}\r\n\r\n${body}`);
    await until(() => stream.text().includes('HTTP/1.1 200'));
    return stream;
  };

  it('ends the connection of an answer that had begun as one to be kept alive', async () => {
    const { rig: closing, release } = heldSpeech();
    const stream = await startStream(closing);
    const closed = closing.app.close();
    await new Promise((resolve) => setImmediate(resolve));
    release();
    expect(await stream.answer).toMatch(/0\r\n\r\n$/); // whole, and then the connection ends
    await closed;
  });

  it('ends a connection that was opened ahead of need', async () => {
    const closing = apiRig();
    await closing.app.listen({ port: 0, host: '127.0.0.1' });
    const silent = rawRequest((closing.app.server.address() as { port: number }).port);
    await once(closing.app.server, 'connection');
    const closed = closing.app.close();
    await new Promise((resolve) => setImmediate(resolve));
    closing.clock.advance(SILENT_MS_MAX);
    expect(await silent.answer).toBe('');
    await closed;
  });

  it('cuts a stream that does not come to its end in time', async () => {
    const { rig: closing } = heldSpeech();
    const stream = await startStream(closing);
    const closed = closing.app.close();
    await new Promise((resolve) => setImmediate(resolve));
    closing.clock.advance(CLOSE_MS_MAX);
    expect(await stream.answer).not.toMatch(/0\r\n\r\n$/);
    await closed;
  });
});

/** Speech whose second piece waits for `release`, or for the end of its connection. */
function heldSpeech(): { readonly rig: ReturnType<typeof apiRig>; release(): void } {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* synthesize(_request: unknown, signal: AbortSignal) {
    yield new Int16Array(24_000);
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([gate, left]);
    yield new Int16Array(24_000);
  }
  const tts = {
    ...{ name: 'held', available: () => ({ ok: true }) as const, soundOf: () => '' },
    ...{ synthesize, close: async () => {} },
  };
  return { rig: apiRig({ service: { tts } }), release };
}

function rawRequest(port: number): { write(text: string): void; readonly answer: Promise<string>; text(): string } {
  const socket = createConnection(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  const answer = new Promise<string>((resolve, reject) => {
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  return { write: (part) => void socket.write(part), answer, text: () => text };
}
