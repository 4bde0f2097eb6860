import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectTcp, type Socket as TcpSocket } from 'node:net';
import { mulaw } from 'alawmulaw';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { SOCKET_ERRORS } from '../../../src/api/asyncapi.ts';
import { RequestRates } from '../../../src/api/rate-limit.ts';
import type { TranscribeSocketDeps } from '../../../src/api/transcribe-socket/socket.ts';
import { ServiceError } from '../../../src/core/errors.ts';
import type { SttEngine } from '../../../src/engines/stt/contract.ts';
import { EventChannel } from '../../../src/engines/stt/event-channel.ts';
import { createScriptedStt } from '../../../src/engines/stt/scripted.ts';
import { SttByLanguage } from '../../../src/engines/stt-by-language.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import {
  GOOD_TOKEN,
  loud,
  quiet,
  SECOND_TOKEN,
  type SocketClient,
  type SocketRig,
  sendAudio,
  socketRig,
} from '../../support/socket-rig.ts';
import { until } from '../../support/until.ts';

let rig: SocketRig;
const start = async (changes: Partial<TranscribeSocketDeps> = {}): Promise<SocketRig> => {
  rig = await socketRig(changes);
  return rig;
};
afterEach(() => rig.close());

/** Codes that a client really got in these tests. */
const reached = new Set<string>();
async function endOf(client: SocketClient): Promise<{ code: unknown; close: number; reason: string }> {
  const { code, close, reason } = await client.end();
  if (typeof code === 'string') reached.add(code);
  expect(client.of('error').length).toBe(code === undefined ? 0 : 1);
  expect(client.frames.findIndex((frame) => frame.type === 'error')).toBe(
    code === undefined ? -1 : client.frames.length - 1,
  );
  return { code, close, reason };
}
/** What was sent before has been read by the server. */
async function arrived(client: SocketClient): Promise<void> {
  client.ws.ping();
  await new Promise((resolve) => client.ws.once('pong', resolve));
}
/** A connection that is upgraded and then says nothing by itself, not even an answer to a close frame. */
async function rawUpgrade({ query = '', headers = '' }): Promise<TcpSocket> {
  const [host, port] = rig.address.split(':');
  const raw = connectTcp({ host: host!, port: Number(port) });
  raw.on('error', () => {});
  const key = Buffer.alloc(16).toString('base64');
  raw.write(
    `GET /v1/transcribe/ws${query} HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n${headers}\r\n`,
  );
  await once(raw, 'data');
  return raw;
}
const LIMITS = { socketsPerAccount: 20, socketsTotal: 200, socketMaxSeconds: 7_200 };

describe('a session', () => {
  it('goes from authenticated to done, with transcripts of what was said', async () => {
    await start();
    const client = rig.connect();
    const { session_id: id } = await client.frame('authenticated');
    expect(id).toMatch(/^ts_0[0-9]{6}[a-z2-7]{13}$/);
    client.send({ type: 'start', language: 'en_us', sample_rate: 8000 });
    expect(await client.frame('opened')).toEqual({
      ...{ type: 'opened', session_id: id, language: 'en-US', sample_rate: 8000, encoding: 'pcm' },
    });
    sendAudio(client, quiet(200));
    sendAudio(client, loud(700));
    sendAudio(client, quiet(200));
    await until(() => client.finals.length === 1);
    sendAudio(client, loud(400));
    client.send({ type: 'stop' });
    expect(await endOf(client)).toEqual({ code: undefined, close: 1000, reason: '' });
    const interims = client.of('transcript').filter((frame) => frame['final'] === false);
    for (const { text } of interims) expect('book a table|for two').toContain(text as string);
    expect(interims.length).toBeGreaterThan(1);
    expect(client.finals).toEqual([
      { type: 'transcript', text: 'book a table', final: true, confidence: 0.9, language: 'en', start: 0.2, end: 0.9 },
      { type: 'transcript', text: 'for two', final: true, confidence: 0.9, language: 'en', start: 1.1, end: 1.5 },
    ]);
    expect(client.frames.at(-1)).toEqual({ type: 'done', seconds: 1.5, cost_cents: 3 });
    expect(rig.sessions.ends).toEqual([{ id, audioMs: 1500, reason: 'stop', cents: 3 }]);
    expect(rig.sessions.balanceCents).toBe(997);
  });

  it('has the defaults of the contract', async () => {
    await start();
    const client = await rig.open({});
    expect(client.of('opened')[0]).toMatchObject({ language: 'ar-SA', sample_rate: 16_000, encoding: 'pcm' });
  });

  it.each([
    { encoding: 'pcm', rate: 8000 },
    { encoding: 'pcm', rate: 16_000 },
    { encoding: 'pcm', rate: 44_100 },
    { encoding: 'pcm', rate: 48_000 },
    { encoding: 'mulaw', rate: 8000 },
    { encoding: 'mulaw', rate: 16_000 },
  ])('hears $encoding at $rate Hz in frames of any size', async ({ encoding, rate }) => {
    await start();
    const client = await rig.open({ language: 'en-US', sample_rate: rate, encoding });
    const samples = Int16Array.from([...loud(1000, rate), ...quiet(300, rate)]);
    const bytes =
      encoding === 'mulaw' ? Buffer.from(mulaw.encode(samples)) : Buffer.from(samples.buffer, 0, samples.byteLength);
    for (let at = 0; at < bytes.length; at += 4321) client.ws.send(bytes.subarray(at, at + 4321)); // odd
    await until(() => client.finals.length === 1);
    client.send({ type: 'stop' });
    expect(await client.frame('done')).toEqual({ type: 'done', seconds: 1.3, cost_cents: 3 });
    expect(client.finals).toHaveLength(1);
  });

  it('may be sent in one go: what comes before the greeting waits', async () => {
    await start();
    const client = rig.connect();
    client.ws.on('open', () => {
      client.send({ type: 'start', language: 'en-US', sample_rate: 8000 });
      sendAudio(client, loud(500));
      client.send({ type: 'stop' });
    });
    expect(await endOf(client)).toMatchObject({ code: undefined, close: 1000 });
    expect(client.frames.map((frame) => frame.type)).toEqual(
      expect.arrayContaining(['authenticated', 'opened', 'transcript', 'done']),
    );
    expect(client.frames.at(-1)).toMatchObject({ seconds: 0.5, cost_cents: 3 });
  });

  it('stopped before it started costs nothing', async () => {
    await start();
    const client = rig.connect();
    await client.frame('authenticated');
    client.send({ type: 'stop' });
    expect(await endOf(client)).toMatchObject({ code: undefined, close: 1000 });
    expect(client.of('done')).toEqual([{ type: 'done', seconds: 0, cost_cents: 0 }]);
    expect(rig.sessions.balanceCents).toBe(1000);
  });

  it('ignores what comes after stop, and frames it does not know', async () => {
    await start();
    const client = await rig.open();
    client.send({ type: 'from-the-future', x: [1] });
    sendAudio(client, loud(300));
    for (const frame of ['{"type":"stop"}', '{"type":"stop"}', '{"type":"start"}']) client.send(frame);
    sendAudio(client, loud(300));
    expect(await endOf(client)).toMatchObject({ code: undefined, close: 1000 });
    expect(client.of('done')).toEqual([{ type: 'done', seconds: 0.3, cost_cents: 3 }]);
    expect(rig.sessions.ends).toHaveLength(1);
  });

  it('empty audio frames are no audio', async () => {
    await start();
    const client = await rig.open();
    for (let i = 0; i < 10; i += 1) client.ws.send(Buffer.alloc(0));
    client.send({ type: 'stop' });
    expect(await client.frame('done')).toEqual({ type: 'done', seconds: 0, cost_cents: 0 });
  });
});

describe('who may', () => {
  const status = (token: string | null, query = ''): Promise<{ status: number; body: string; headers: unknown }> =>
    new Promise((resolve) => {
      const [host, port] = rig.address.split(':');
      const headers = {
        ...{ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
        ...{ 'sec-websocket-key': Buffer.alloc(16).toString('base64') },
        ...(token !== null && { authorization: token }),
      };
      const call = request({ host, port, path: `/v1/transcribe/ws${query}`, headers });
      call.on('response', (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += String(chunk);
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
      });
      call.on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve({ status: 101, body: '', headers: {} });
      });
      call.end();
    });

  it.each([
    { name: 'no token', token: null, query: '', is: 401 },
    { name: 'a wrong token', token: 'Bearer nope', query: '', is: 401 },
    { name: 'a malformed header', token: 'nope', query: '', is: 401 },
    { name: 'a wrong header beside a good query', token: 'Bearer nope', query: `?token=${GOOD_TOKEN}`, is: 401 },
    { name: 'two tokens in the query', token: null, query: '?token=a&token=b', is: 401 },
    { name: 'a good token', token: `Bearer ${GOOD_TOKEN}`, query: '', is: 101 },
    { name: 'a good header beside a wrong query', token: `Bearer ${GOOD_TOKEN}`, query: '?token=nope', is: 101 },
  ])('$name in the header: $is before the upgrade', async ({ token, query, is }) => {
    await start();
    const answer = await status(token, query);
    expect(answer.status).toBe(is);
    if (is !== 401) return;
    expect(JSON.parse(answer.body)).toEqual({
      error: { code: 'unauthorized', message: 'Invalid or missing API token.' },
    });
    expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer' });
  });

  it('a database that is away is 503 before the upgrade', async () => {
    await start({
      tokens: { authenticate: () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })) },
    });
    expect((await status(`Bearer ${GOOD_TOKEN}`)).status).toBe(503);
    const client = rig.connect({ token: null, query: `?token=${GOOD_TOKEN}` });
    expect(await endOf(client)).toMatchObject({ code: 'unavailable', close: 4503 });
  });

  it('a good token in the query opens, and appears in no log', async () => {
    await start();
    const client = rig.connect({ token: null, query: `?token=${GOOD_TOKEN}` });
    await client.frame('authenticated');
    client.send({ type: 'stop' });
    await endOf(client);
    const bad = rig.connect({ token: null, query: '?token=service_sk_live_canary' });
    expect(await endOf(bad)).toMatchObject({ code: 'unauthorized', close: 4401 });
    await until(() => rig.logs.text.includes('live transcription ended'));
    expect(rig.logs.text).not.toContain('service_sk_live');
  });

  it('a socket token opens once', async () => {
    await start();
    const { token } = rig.socketTokens.issue({ accountId: 'acc_good', tokenId: 'tok_good' });
    const first = rig.connect({ token: null, query: `?token=${token}` });
    await first.frame('authenticated');
    const second = rig.connect({ token: null, query: `?token=${token}` });
    expect(await endOf(second)).toMatchObject({ code: 'unauthorized', close: 4401 });
  });

  it('of ten connections at once with the same one-use token exactly one is let in', async () => {
    await start();
    const { token } = rig.socketTokens.issue({ accountId: 'acc_good', tokenId: 'tok_good' });
    const clients = Array.from({ length: 10 }, () => rig.connect({ token: null, query: `?token=${token}` }));
    await until(() => clients.every((client) => client.frames.length > 0), 'an answer to everybody');
    const winners = clients.filter((client) => client.of('authenticated').length === 1);
    expect(winners).toHaveLength(1);
    for (const client of clients.filter((one) => one !== winners[0])) {
      expect(await endOf(client)).toMatchObject({ code: 'unauthorized', close: 4401 });
    }
    expect([...rig.sessions.held.values()]).toEqual([3]); // one session, one minute
  });

  it('a plain GET is told to upgrade; other paths are not found, upgraded or not', async () => {
    await start();
    const plain = await fetch(`http://${rig.address}/v1/transcribe/ws`, {
      headers: { authorization: `Bearer ${GOOD_TOKEN}` },
    });
    expect(plain.status).toBe(400);
    expect(await plain.json()).toMatchObject({ error: { code: 'invalid_request' } });
    expect((await fetch(`http://${rig.address}/v1/transcribe/ws`)).status).toBe(401);
    const elsewhere = new WebSocket(`ws://${rig.address}/nowhere`);
    const code = await new Promise((resolve) => {
      elsewhere.on('unexpected-response', (call, response) => {
        resolve(response.statusCode);
        call.destroy();
      });
      elsewhere.on('error', () => {});
    });
    expect(code).toBe(404);
  });
});

describe('how often', () => {
  const tight = (clock: FakeClock): Partial<TranscribeSocketDeps> => ({
    clock,
    rates: new RequestRates(clock, { requestsPerMinute: 60, requestBurst: 2 }),
  });

  it('beyond its bucket a token is refused before the upgrade, and told when to come back', async () => {
    const clock = new FakeClock();
    await start(tight(clock));
    const [first, second] = [rig.connect(), rig.connect()];
    await Promise.all([first.frame('authenticated'), second.frame('authenticated')]);
    const third = rig.connect();
    await until(() => third.refused !== undefined);
    expect(third.refused?.status).toBe(429);
    expect(JSON.parse(third.refused!.body)).toEqual({
      error: { code: 'rate_limited', message: 'Too many requests. Retry shortly.' },
    });
    expect(third.refused!.headers).toMatchObject({
      ...{ 'retry-after': '1', 'ratelimit-limit': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '2' },
      'content-type': 'application/json; charset=utf-8',
    });
    await rig.connect({ token: SECOND_TOKEN }).frame('authenticated');
    clock.advance(1_000);
    await rig.connect().frame('authenticated');
    expect(rig.sessions.ends).toEqual([]); // nothing was begun for the refused one, and nothing ended
  });

  it('a token in the query is told after the upgrade, for browsers', async () => {
    await start(tight(new FakeClock()));
    for (let i = 0; i < 2; i += 1)
      await rig.connect({ token: null, query: `?token=${GOOD_TOKEN}` }).frame('authenticated');
    const third = rig.connect({ token: null, query: `?token=${GOOD_TOKEN}` });
    expect(await endOf(third)).toEqual({ code: 'rate_limited', close: 4429, reason: 'retry after 1 s' });
  });

  it('a one-use token was counted when it was issued', async () => {
    await start(tight(new FakeClock()));
    for (let i = 0; i < 4; i += 1) {
      const { token } = rig.socketTokens.issue({ accountId: 'acc_good', tokenId: 'tok_good' });
      await rig.connect({ token: null, query: `?token=${token}` }).frame('authenticated');
    }
  });

  it('an upgraded answer has the headers of every other one', async () => {
    await start(tight(new FakeClock()));
    const client = rig.connect();
    const [answer] = (await once(client.ws, 'upgrade')) as [IncomingMessage];
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '1',
    });
  });

  it('no socket is opened while the gateway is too busy', async () => {
    await start({ load: { admit: () => undefined } });
    const header = rig.connect();
    await until(() => header.refused !== undefined);
    expect(header.refused).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    const query = rig.connect({ token: null, query: `?token=${GOOD_TOKEN}` });
    expect(await endOf(query)).toMatchObject({ code: 'unavailable', close: 4503 });
  });
});

describe('what is refused', () => {
  it.each([
    { name: 'audio before start', send: [Buffer.alloc(320)], code: 'not_started', close: 4409 },
    {
      name: 'a second start',
      send: ['{"type":"start","language":"en"}', '{"type":"start"}'],
      code: 'already_started',
      close: 4409,
    },
    { name: 'text that is not JSON', send: ['hello'], code: 'invalid_frame', close: 4400 },
    { name: 'JSON without a type', send: ['{}'], code: 'invalid_frame', close: 4400 },
    { name: 'an array', send: ['[]'], code: 'invalid_frame', close: 4400 },
    { name: 'a language', send: ['{"type":"start","language":"fr"}'], code: 'unknown_language', close: 4400 },
    { name: 'rate 7999', send: ['{"type":"start","sample_rate":7999}'], code: 'invalid_sample_rate', close: 4400 },
    { name: 'rate 48001', send: ['{"type":"start","sample_rate":48001}'], code: 'invalid_sample_rate', close: 4400 },
    { name: 'an encoding', send: ['{"type":"start","encoding":"opus"}'], code: 'unknown_encoding', close: 4400 },
    {
      name: 'a binary frame above 128 KiB',
      send: ['{"type":"start","language":"en"}', Buffer.alloc(131_073)],
      code: 'frame_too_large',
      close: 1009,
    },
    {
      name: 'a text frame above 128 KiB',
      send: [`{"type":"stop","x":"${'x'.repeat(131_072)}"}`],
      code: 'frame_too_large',
      close: 1009,
    },
    { name: 'a frame above 1 MiB', send: [Buffer.alloc(1_048_577)], code: undefined, close: 1009 },
    {
      name: 'text that is not UTF-8',
      send: ['{"type":"start","language":"en"}'],
      raw: Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]),
      code: undefined,
      close: 1007,
    },
  ])('$name: $code', async ({ send, raw, code, close }) => {
    await start();
    const client = rig.connect();
    await client.frame('authenticated');
    for (const frame of send) client.ws.send(frame);
    if (raw) {
      await client.frame('opened');
      (client.ws as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(raw);
    }
    expect(await endOf(client)).toMatchObject({ code, close });
    await until(() => rig.sessions.ends.length === 1);
    expect(rig.sessions.ends[0]).toMatchObject({ cents: 0 });
    expect(rig.sessions.balanceCents).toBe(1000);
  });

  it('a frame of exactly 128 KiB is taken, whatever it lasts', async () => {
    await start();
    const client = await rig.open({ language: 'en', sample_rate: 48_000 });
    client.ws.send(Buffer.alloc(131_072));
    client.send({ type: 'stop' });
    expect(await client.frame('done')).toMatchObject({ seconds: 1.37, cost_cents: 3 });
  });
});

describe('capacity', () => {
  it('so many sessions an account, so many in all; a place that is left is free', async () => {
    await start({ limits: { ...LIMITS, socketsPerAccount: 2, socketsTotal: 3 } });
    const first = await rig.open();
    await rig.open();
    expect(await endOf(rig.connect())).toMatchObject({ code: 'too_many_sessions', close: 4429 });
    await rig.connect({ token: SECOND_TOKEN }).frame('authenticated');
    expect(await endOf(rig.connect({ token: SECOND_TOKEN }))).toMatchObject({ code: 'too_many_sessions' });
    first.send({ type: 'stop' });
    await endOf(first);
    await rig.open();
    expect(rig.sessions.ends.map((end) => end.reason)).toEqual(['stop']); // the refused ones were never begun
  });

  it('refused connections that do not close keep nobody out', async () => {
    await start({ limits: { ...LIMITS, socketsTotal: 2 } });
    const strangers = await Promise.all(Array.from({ length: 4 }, () => rawUpgrade({ query: '?token=nope' })));
    await until(() => rig.logs.text.split('live transcription ended').length === 5, 'that all were refused');
    const held = async () => (await rig.deps.metrics.socketsActive.get()).values[0]!.value;
    expect(await held()).toBe(4);
    await Promise.all([rig.open(), rig.open()]);
    expect(await held()).toBe(4); // two made room
    for (const stranger of strangers) stranger.destroy();
  });

  it('of connections that are not judged yet only so many are held', async () => {
    await start({ limits: { ...LIMITS, socketsTotal: 2 }, tokens: { authenticate: () => new Promise(() => {}) } });
    const waiting = Array.from({ length: 4 }, () => rig.connect({ token: null, query: '?token=slow' }));
    await until(() => waiting.every(({ ws }) => ws.readyState === WebSocket.OPEN), 'four connections');
    expect(await endOf(rig.connect({ token: null, query: '?token=slow' }))).toMatchObject({ close: 1006 });
    rig.clock.advance(11_000);
    for (const one of waiting) expect(await endOf(one)).toMatchObject({ code: 'unavailable', close: 4503 });
  });

  it('no recogniser for Arabic: unavailable, and the close frame says what to set', async () => {
    await start({ stt: new SttByLanguage({ en: createScriptedStt({ texts: [] }) }) });
    const client = rig.connect();
    await client.frame('authenticated');
    client.send({ type: 'start' });
    const end = await endOf(client);
    expect(end).toMatchObject({ code: 'unavailable', close: 4503 });
    expect(end.reason).toContain('engines.stt.ar');
    expect(rig.sessions.balanceCents).toBe(1000);
  });

  it('a recogniser that is full: unavailable, not billed', async () => {
    await start({ stt: createScriptedStt({ texts: [], languages: ['en-US'], streamsMax: 1 }) });
    await rig.open();
    const client = rig.connect();
    await client.frame('authenticated');
    client.send({ type: 'start', language: 'en-US' });
    expect(await endOf(client)).toMatchObject({ code: 'unavailable', close: 4503 });
    expect(rig.sessions.ends).toMatchObject([{ cents: 0 }]);
  });
});

/** A recogniser whose events the test makes. */
function manualStt(): SttEngine & { readonly channel: EventChannel; endedCalls: number } {
  const channel = new EventChannel();
  const engine = {
    channel,
    endedCalls: 0,
    name: 'manual',
    capabilities: { interim: true, sampleRatesHz: [8000], languages: ['en-US'] },
    available: () => ({ ok: true }) as const,
    open: () => ({
      write: () => {},
      flush: () => {},
      hint: () => {},
      end: () => {
        engine.endedCalls += 1;
      },
      [Symbol.asyncIterator]: () => channel[Symbol.asyncIterator](),
    }),
    close: async () => {},
  };
  return engine;
}

describe('time', () => {
  it.each([
    { name: 'no start frame', afterMs: 10_000, opened: false, code: 'start_timeout', close: 4408 },
    { name: 'no audio', afterMs: 30_000, opened: true, code: 'idle_timeout', close: 4408 },
  ])('$name for $afterMs ms', async ({ afterMs, opened, code, close }) => {
    await start();
    const client = opened ? await rig.open() : rig.connect();
    await client.frame('authenticated');
    rig.clock.advance(afterMs - 1_001);
    expect(client.of('error')).toEqual([]);
    rig.clock.advance(1_001 + 1_000);
    expect(await endOf(client)).toMatchObject({ code, close });
  });

  it.each(['keepalive', 'audio'])('%s keeps it open', async (kind) => {
    await start();
    const client = await rig.open();
    for (let i = 0; i < 5; i += 1) {
      rig.clock.advance(20_000);
      if (kind === 'audio') sendAudio(client, quiet(20));
      else client.send({ type: 'keepalive' });
      await arrived(client);
    }
    expect(client.of('error')).toEqual([]);
    client.send({ type: 'stop' });
    expect(await endOf(client)).toMatchObject({ code: undefined, close: 1000 });
  });

  it('a session has an end, after the last final', async () => {
    await start({ limits: { ...LIMITS, socketMaxSeconds: 25 } });
    const client = await rig.open();
    sendAudio(client, loud(500));
    await until(() => client.of('transcript').length > 0);
    rig.clock.advance(26_000);
    expect(await endOf(client)).toMatchObject({ code: 'session_too_long', close: 4413 });
    expect(client.finals).toMatchObject([{ text: 'book a table' }]);
    expect(rig.sessions.ends).toMatchObject([{ reason: 'session_too_long', cents: 3 }]);
  });

  it('pings every twenty seconds', async () => {
    await start();
    const client = await rig.open();
    let pings = 0;
    client.ws.on('ping', () => {
      pings += 1;
    });
    rig.clock.advance(21_000);
    await until(() => pings === 1);
    client.send({ type: 'keepalive' });
    await arrived(client);
    rig.clock.advance(20_000);
    await until(() => pings === 2);
  });

  it('two pings in a row without an answer end it, billed for what was heard', async () => {
    await start();
    const client = await rig.open(undefined, rig.connect({ autoPong: false }));
    sendAudio(client, loud(500));
    await arrived(client);
    for (let i = 0; i < 3; i += 1) {
      expect(client.closed).toBeUndefined();
      rig.clock.advance(20_000);
      sendAudio(client, quiet(20)); // audio is no answer
      if (i < 2) await arrived(client);
    }
    expect(await endOf(client)).toEqual({ code: undefined, close: 1006, reason: '' });
    expect(rig.sessions.ends).toMatchObject([{ reason: 'no-pong', audioMs: 540, cents: 3 }]);
    await until(() => rig.clock.pending === 0);
  });

  it('one pong keeps it open for another two pings', async () => {
    await start();
    const client = await rig.open(undefined, rig.connect({ autoPong: false }));
    for (let i = 0; i < 12; i += 1) {
      rig.clock.advance(20_000);
      if (i % 2 === 1) client.ws.pong();
      sendAudio(client, quiet(20));
      await arrived(client);
    }
    client.send({ type: 'stop' });
    expect(await endOf(client)).toMatchObject({ code: undefined, close: 1000 });
  });

  it('a client that is gone without a word is let go', async () => {
    await start();
    const client = await rig.open();
    const socket = (client.ws as unknown as { _socket: { pause(): void } })._socket;
    socket.pause(); // nothing is read, nothing answered
    rig.clock.advance(31_000);
    await until(() => rig.sessions.ends.length === 1);
    rig.clock.advance(5_000);
    await until(() => rig.clock.pending === 0);
    expect(rig.sessions.ends).toMatchObject([{ reason: 'idle_timeout', cents: 0 }]);
    await rig.open();
  });

  it('an engine that never settles is failed, and not billed', async () => {
    await start({ stt: manualStt() });
    const client = await rig.open();
    sendAudio(client, loud(500));
    client.send({ type: 'stop' });
    await until(() => (rig.deps.stt as ReturnType<typeof manualStt>).endedCalls === 1);
    rig.clock.advance(21_000);
    expect(await endOf(client)).toMatchObject({ code: 'transcription_failed', close: 1011 });
    expect(rig.sessions.ends).toMatchObject([{ cents: 0, audioMs: 500 }]);
  });
});

describe('engines that fail', () => {
  it.each([
    {
      name: 'throws unavailable',
      fail: (channel: EventChannel) => channel.fail(new ServiceError('unavailable')),
      code: 'unavailable',
      close: 4503,
    },
    {
      name: 'throws',
      fail: (channel: EventChannel) => channel.fail(new Error('secret detail')),
      code: 'transcription_failed',
      close: 1011,
    },
    { name: 'just ends', fail: (channel: EventChannel) => channel.finish(), code: 'transcription_failed', close: 1011 },
  ])('$name: $code, not billed', async ({ fail, code, close }) => {
    const stt = manualStt();
    await start({ stt });
    const client = await rig.open();
    sendAudio(client, loud(1000));
    stt.channel.push({ type: 'final', text: 'so far', confidence: 1, startMs: 0, endMs: 1 });
    await until(() => client.finals.length === 1);
    fail(stt.channel);
    expect(await endOf(client)).toMatchObject({ code, close });
    expect(JSON.stringify(client.frames)).not.toContain('secret');
    await until(() => rig.sessions.ends.length === 1);
    expect(rig.sessions.ends).toMatchObject([{ cents: 0 }]);
    expect(rig.sessions.balanceCents).toBe(1000);
  });

  it('nothing recognised is silence, unless an interim has to be taken back', async () => {
    const stt = manualStt();
    await start({ stt });
    const client = await rig.open();
    const nothing = { type: 'final', text: '', confidence: 0, startMs: 0, endMs: 1 } as const;
    stt.channel.push(nothing);
    stt.channel.push({ type: 'interim', text: 'perhaps' });
    await until(() => client.of('transcript').length === 1);
    stt.channel.push(nothing);
    await until(() => client.of('transcript').length === 2);
    expect(client.of('transcript')).toMatchObject([
      { text: 'perhaps', final: false },
      { text: '', final: true, confidence: 0 },
    ]);
  });
});

describe('money', () => {
  /** Sends `seconds` of silence in real time as the clock has it. */
  async function listen(client: SocketClient, seconds: number): Promise<void> {
    for (let i = 0; i < seconds && !client.closed; i += 1) {
      sendAudio(client, quiet(1000), 8000, 500);
      client.ws.ping();
      await Promise.race([
        new Promise((resolve) => client.ws.once('pong', resolve)),
        until(() => client.closed !== undefined || client.of('error').length > 0),
      ]);
      rig.clock.advance(1000);
    }
  }

  it('no credit at the beginning', async () => {
    await start();
    rig.sessions.balanceCents = 2;
    expect(await endOf(rig.connect())).toMatchObject({ code: 'insufficient_credit', close: 4402 });
    expect(rig.sessions.ends).toEqual([]);
  });

  it('holds each minute before it is heard, and notes progress', async () => {
    await start();
    const client = await rig.open();
    await listen(client, 62);
    expect([...rig.sessions.held.values()]).toEqual([6]);
    expect(rig.sessions.checkpoints[0]).toBe(500); // that it began
    expect(rig.sessions.checkpoints.filter((ms) => ms <= 60_000)).toHaveLength(6);
    expect(rig.sessions.checkpoints).toContain(60_020);
    client.send({ type: 'stop' });
    expect(await client.frame('done')).toEqual({ type: 'done', seconds: 62, cost_cents: 6 });
    expect(rig.sessions.balanceCents).toBe(994);
  });

  it('exactly one minute is one minute', async () => {
    await start();
    const client = await rig.open({ language: 'en-US', sample_rate: 16_000 });
    for (let i = 0; i < 60; i += 1) {
      sendAudio(client, quiet(1000, 16_000), 16_000, 500);
      await arrived(client);
      rig.clock.advance(1000);
    }
    client.send({ type: 'stop' });
    expect(await client.frame('done')).toEqual({ type: 'done', seconds: 60, cost_cents: 3 });
    expect(rig.sessions.checkpoints.every((ms) => ms <= 60_000)).toBe(true);
  });

  it('credit that runs out ends it after the last final, billed for what was heard', async () => {
    await start();
    rig.sessions.balanceCents = 5;
    const client = await rig.open();
    await listen(client, 59);
    sendAudio(client, loud(2000));
    rig.clock.advance(2000);
    expect(await endOf(client)).toMatchObject({ code: 'insufficient_credit', close: 4402 });
    expect(client.finals).toMatchObject([{ text: 'book a table', end: 60 }]);
    expect(rig.sessions.ends).toMatchObject([{ audioMs: 60_000, cents: 3, reason: 'insufficient_credit' }]);
    expect(rig.sessions.balanceCents).toBe(2);
  });

  it.each([
    { name: 'is cut off', leave: (client: SocketClient) => client.ws.terminate() },
    { name: 'closes by itself', leave: (client: SocketClient) => client.ws.close(1001) },
    {
      name: 'stops and closes at once',
      leave: (client: SocketClient) => {
        client.send({ type: 'stop' });
        client.ws.close();
      },
    },
    {
      name: 'stops twice and is cut off',
      leave: (client: SocketClient) => {
        client.send({ type: 'stop' });
        client.send({ type: 'stop' });
        client.ws.terminate();
      },
    },
  ])('a client that $name is billed once', async ({ leave }) => {
    await start();
    const client = await rig.open();
    sendAudio(client, loud(1000));
    await until(() => client.of('transcript').some((frame) => frame['text'] === 'book a table'));
    leave(client);
    await until(() => rig.sessions.ends.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    rig.clock.advance(120_000);
    expect(rig.sessions.ends).toMatchObject([{ cents: 3 }]);
    expect(rig.sessions.balanceCents).toBe(997);
    expect(rig.sessions.held.size).toBe(0);
    expect(rig.clock.pending).toBe(0);
  });

  it('a client that leaves while the first minute is being held leaves no hold', async () => {
    await start();
    let open = (): void => {};
    rig.sessions.beginGate = new Promise((resolve) => {
      open = resolve;
    });
    const client = rig.connect();
    await until(() => client.ws.readyState === WebSocket.OPEN);
    client.ws.terminate();
    rig.clock.advance(11_000); // nothing is read while it is not admitted: its time is over first
    open();
    await until(() => rig.sessions.ends.length === 1);
    expect(rig.sessions.ends).toMatchObject([{ audioMs: 0, cents: 0 }]);
    expect(rig.sessions.balanceCents).toBe(1000);
  });

  it('a database that is away: unavailable, nothing held', async () => {
    await start();
    rig.sessions.beginError = new ServiceError('unavailable');
    expect(await endOf(rig.connect())).toMatchObject({ code: 'unavailable', close: 4503 });
    expect(rig.sessions.balanceCents).toBe(1000);
  });
});

describe('senders and readers', () => {
  it.runIf(EVERY_TEST)('a sender faster than time is held back and loses nothing', async () => {
    const written = { ms: 0 };
    const scripted = createScriptedStt({ texts: ['all of it'], languages: ['en-US'] });
    const stt: SttEngine = {
      ...scripted,
      open: (options, signal) => {
        const stream = scripted.open(options, signal);
        const write = stream.write.bind(stream);
        stream.write = (frame) => {
          written.ms += 20;
          write(frame);
        };
        return stream;
      },
    };
    await start({ stt });
    const client = await rig.open();
    const seconds = 600;
    const samples = loud(1000);
    for (let i = 0; i < seconds; i += 1) sendAudio(client, samples, 8000, 1000);
    client.send({ type: 'stop' });
    await until(() => written.ms >= 1900);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(written.ms).toBeLessThanOrEqual(2000);
    expect(client.ws.bufferedAmount).toBeGreaterThan(0); // it waits at the client: 9.6 MB are more than kernels keep
    while (client.of('done').length === 0) {
      rig.clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(client.of('done')).toEqual([{ type: 'done', seconds, cost_cents: 30 }]);
    expect(written.ms).toBe(600_000);
    expect(client.of('error')).toEqual([]);
  });

  it('a reader that reads nothing is closed, others are not, and memory stays', async () => {
    const stt = manualStt();
    await start({ stt });
    const client = await rig.open();
    const socket = (client.ws as unknown as { _socket: { pause(): void } })._socket;
    socket.pause();
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 4_000 && rig.sessions.ends.length === 0; i += 1) {
      stt.channel.push({ type: 'interim', text: `${i} ${'word '.repeat(400)}` });
      stt.channel.push({ type: 'final', text: 'word '.repeat(1000), confidence: 1, startMs: 0, endMs: 1 });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => rig.sessions.ends.length === 1);
    expect(rig.sessions.ends).toMatchObject([{ reason: 'slow-reader' }]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
    expect(rig.logs.text).toMatch(/"droppedInterims":[1-9]/);
  });

  it('junk instead of frames ends the connection and books it', async () => {
    await start();
    const raw = await rawUpgrade({ headers: `Authorization: Bearer ${GOOD_TOKEN}\r\n` });
    raw.write(Buffer.alloc(5000, 0xf7)); // reserved bits, unknown opcode, not masked
    await until(() => rig.sessions.ends.length === 1);
    expect(rig.sessions.ends).toMatchObject([{ cents: 0 }]);
    raw.destroy();
  });

  it.runIf(EVERY_TEST)('a flood of pings ends the connection, booked once, and others are served', async () => {
    await start();
    const [flood, other] = [await rig.open(), await rig.open()];
    sendAudio(flood, loud(300));
    await arrived(flood);
    for (let i = 0; i < 20_000; i += 1) flood.ws.ping('x', undefined, () => {});
    expect(await endOf(flood)).toMatchObject({ code: undefined, close: 1006 });
    await until(() => rig.sessions.ends.length === 1);
    expect(rig.sessions.ends).toMatchObject([{ reason: 'disconnected', cents: 3 }]);
    await arrived(other);
  });

  it('many tiny frames are one recording', async () => {
    await start();
    const client = await rig.open();
    for (let i = 0; i < 20_001; i += 1) client.ws.send(Buffer.of(i & 255)); // half a sample each
    client.send({ type: 'stop' });
    expect(await client.frame('done')).toMatchObject({ seconds: 1.25 });
  });
});

describe('closing the gateway', () => {
  it('ends every session after its last final, books it, and lets go', async () => {
    await start();
    const [waiting, speaking] = [rig.connect(), await rig.open()];
    await waiting.frame('authenticated');
    sendAudio(speaking, loud(600));
    await until(() => speaking.of('transcript').some((frame) => frame['text'] === 'book a table'));
    const closed = rig.app.close();
    expect(await endOf(waiting)).toMatchObject({ code: 'shutting_down', close: 1012 });
    expect(await endOf(speaking)).toMatchObject({ code: 'shutting_down', close: 1012 });
    await closed;
    expect(speaking.finals).toHaveLength(1);
    expect(rig.sessions.ends.map((end) => end.cents).sort()).toEqual([0, 3]);
    expect(rig.clock.pending).toBe(0);
  });

  it('does not wait for a recogniser that hangs', async () => {
    await start({ stt: manualStt() });
    const client = await rig.open();
    sendAudio(client, loud(600));
    await arrived(client);
    const closed = rig.app.close();
    await until(() => (rig.deps.stt as ReturnType<typeof manualStt>).endedCalls === 1);
    rig.clock.advance(4_500);
    expect(await endOf(client)).toMatchObject({ code: 'shutting_down', close: 1012 });
    await closed;
    expect(rig.sessions.ends).toMatchObject([{ cents: 3 }]);
  });
});

describe('the catalogue', () => {
  it('has no code that these tests did not get from a socket', () => {
    expect([...reached].sort()).toEqual(Object.keys(SOCKET_ERRORS).sort());
  });
});
