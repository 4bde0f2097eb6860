import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { sentence } from '../../../src/core/notice.ts';
import { OpenaiCallModel } from '../../../src/engines/openai/call-model.ts';
import type { ChatEvent } from '../../../src/engines/openai/chat-chunks.ts';
import {
  ChatClient,
  type ChatLimits,
  type ChatMessage,
  type ChatRequest,
} from '../../../src/engines/openai/chat-client.ts';
import { ChatFailure, retryAfterMs } from '../../../src/engines/openai/chat-failure.ts';
import { OpenaiDocumentModel } from '../../../src/engines/openai/document-model.ts';
import { authored } from '../../../src/engines/privacy/outbound.ts';
import { OpenaiReply } from '../../../src/engines/reply/openai.ts';
import { type Answer, ChatTestServer, calls, chunk, refuses, says, streaming } from '../../support/chat-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogCapture } from '../../support/log-capture.ts';

const KEY = 'sk-canary-0123456789';
const SECRET = 'a text that only its reader may see';
const never = new AbortController().signal;
const request: ChatRequest = {
  messages: [{ role: 'user', content: authored(SECRET) }],
  maxTokens: 100,
  temperature: 0.2,
};

let server: ChatTestServer;
beforeEach(async () => {
  server = await ChatTestServer.start();
});
afterEach(() => server.close());

function clientOf(limits: Partial<ChatLimits> = {}, clock = systemClock, baseUrl = server.baseUrl) {
  const log = new LogCapture();
  const client = new ChatClient({ baseUrl, apiKey: KEY, model: 'test-model' }, { clock, logger: log.logger, limits });
  return { client, logged: () => log.text };
}

async function outcome(client: ChatClient, signal = never): Promise<{ events: ChatEvent[]; error?: ChatFailure }> {
  const events: ChatEvent[] = [];
  try {
    for await (const event of client.chat(request, signal)) events.push(event);
    return { events };
  } catch (error) {
    return { events, error: error as ChatFailure };
  }
}
const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
const endOf = (events: readonly ChatEvent[]) => events.at(-1);

/** Writes raw bytes with a moment between them, so that they arrive as they were cut. */
function pieces(...parts: (string | Buffer)[]): Answer {
  return (response) => {
    streaming(response).flushHeaders();
    const next = (): void => {
      const part = parts.shift();
      if (part === undefined) response.end();
      else response.write(part, () => setTimeout(next, 5));
    };
    next();
  };
}
const bytes = (text: string, from: number, to?: number): Buffer => Buffer.from(text).subarray(from, to);

describe('ChatClient', () => {
  it('asks for a stream, with the model, the key and the limits', async () => {
    await outcome(clientOf().client);
    const [{ path, headers, body }] = server.requests as [(typeof server.requests)[number]];
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(body)).toEqual({
      model: 'test-model',
      messages: [{ role: 'user', content: SECRET }],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      temperature: 0.2,
    });
  });

  const arabic = chunk({ content: 'أهلًا وسهلًا 👋🏽' });
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}\n\n';
  it.each<{ name: string; answer: Answer; text: string; reason?: string; events?: number; malformed?: number }>([
    { name: 'a stream', answer: says('Hello there.'), text: 'Hello there.' },
    { name: 'no [DONE]', answer: pieces(chunk({ content: 'Hi.' }), chunk({}, 'stop')), text: 'Hi.' },
    { name: '[DONE] without a reason', answer: pieces(chunk({ content: 'Hi.' }), 'data: [DONE]\n\n'), text: 'Hi.' },
    {
      name: 'cut short by its length',
      answer: pieces(chunk({ content: 'Hi' }), chunk({}, 'length')),
      text: 'Hi',
      reason: 'length',
    },
    {
      name: 'letters split over chunks',
      answer: pieces(bytes(arabic, 0, 78), bytes(arabic, 78, 79), bytes(arabic, 79), 'data: [DONE]\n\n'),
      text: 'أهلًا وسهلًا 👋🏽',
    },
    {
      name: 'CR LF and pings',
      answer: pieces(': ping\r\n\r\n', chunk({ content: 'Hi.' }).replaceAll('\n', '\r\n'), 'data: [DONE]\r\n\r\n'),
      text: 'Hi.',
    },
    {
      name: 'lines that are no JSON',
      answer: pieces('data: {oops\n\n', chunk({ content: 'Hi.' }), 'data: 5\n\n', 'data: [DONE]\n\n'),
      text: 'Hi.',
      malformed: 2,
    },
    { name: 'usage', answer: pieces(chunk({ content: 'Hi.' }), usage, 'data: [DONE]\n\n'), text: 'Hi.', events: 3 },
    {
      name: 'deltas of other kinds',
      answer: pieces(
        chunk({ reasoning_content: 'hmm' }),
        chunk({ content: null }),
        chunk({ content: 'Hi.' }),
        'data: {"choices":[]}\n\n',
        'data: {"id":7}\n\n',
        'data: [DONE]\n\n',
      ),
      text: 'Hi.',
    },
    {
      name: 'more after [DONE]',
      answer: pieces(chunk({ content: 'Hi.' }), 'data: [DONE]\n\n', chunk({ content: ' No.' })),
      text: 'Hi.',
    },
    {
      name: 'one body instead of a stream',
      answer: (response) => {
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
        response.end(
          JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] }),
        );
      },
      text: 'Hi.',
    },
  ])('takes $name', async ({ answer, text, reason = 'stop', events, malformed = 0 }) => {
    server.answer = answer;
    const { client } = clientOf();
    const got = await outcome(client);
    expect(got.error).toBeUndefined();
    expect(textOf(got.events)).toBe(text);
    expect(endOf(got.events)).toEqual({ type: 'end', reason });
    if (events) expect(got.events).toHaveLength(events);
    expect(client.counters.malformed).toBe(malformed);
  });

  it('puts tool calls together', async () => {
    server.answer = calls('One moment.', 'transfer', { to: 'reception' });
    const { events } = await outcome(clientOf().client);
    expect(events).toEqual([
      { type: 'text', text: 'One moment.' },
      { type: 'tool', id: 'call_1', name: 'transfer', arguments: '{"to":"reception"}' },
      { type: 'end', reason: 'tool_calls' },
    ]);
  });

  const call = (fields: object) => chunk({ tool_calls: [fields] });
  const END = [chunk({}, 'stop'), 'data: [DONE]\n\n'];
  it.each<{ name: string; answer: Answer; id?: string }>([
    {
      name: 'without an index',
      answer: pieces(call({ id: 'a', function: { name: 'f', arguments: '{"x":1}' } }), ...END),
      id: 'a',
    },
    {
      name: 'without an id',
      answer: pieces(call({ index: 0, function: { name: 'f', arguments: '{"x":1}' } }), ...END),
    },
    {
      name: 'with an object of arguments',
      answer: pieces(call({ index: 0, function: { name: 'f', arguments: { x: 1 } } }), ...END),
    },
    {
      name: 'in a body that is no stream',
      answer: (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const tool_calls = [{ id: 'b', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }];
        response.end(JSON.stringify({ choices: [{ message: { content: null, tool_calls }, finish_reason: 'stop' }] }));
      },
      id: 'b',
    },
  ])('a tool call $name is the same call', async ({ answer, id = 'call_0' }) => {
    server.answer = answer;
    const { events } = await outcome(clientOf().client);
    expect(events[0]).toEqual({ type: 'tool', id, name: 'f', arguments: '{"x":1}' });
  });

  it('sends a second round: the calls that were asked for, and what came of each', async () => {
    server.answer = says('It is open.');
    const { client } = clientOf();
    const messages: readonly ChatMessage[] = [
      { role: 'user', content: authored('Is it open?') },
      {
        role: 'assistant',
        content: authored('One moment.'),
        toolCalls: [{ id: 'call_1', name: 'opening', arguments: authored('{"day":"today"}') }],
      },
      { role: 'tool', toolCallId: 'call_1', content: authored('{"open":true}') },
    ];
    const asked = { messages, maxTokens: 10, temperature: 0 };
    for await (const event of client.chat(asked, new AbortController().signal)) expect(event.type).not.toBe('tool');
    expect(server.messages).toEqual([
      { role: 'user', content: 'Is it open?' },
      {
        role: 'assistant',
        content: 'One moment.',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'opening', arguments: '{"day":"today"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"open":true}' },
    ]);
  });

  const endless =
    (piece: string): Answer =>
    (response) => {
      streaming(response);
      const write = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', write);
      write();
    };
  const small = { maxBytes: 20_000, maxLineChars: 1_000 };
  it.each<{ name: string; answer: Answer; kind: ChatFailure['kind']; text?: string; limits?: Partial<ChatLimits> }>([
    { name: '429', answer: refuses(429), kind: 'busy' },
    { name: '503', answer: refuses(503), kind: 'busy' },
    { name: '401', answer: refuses(401), kind: 'refused-key' },
    { name: '403', answer: refuses(403), kind: 'refused-key' },
    { name: '404', answer: refuses(404), kind: 'no-model' },
    { name: '400', answer: refuses(400), kind: 'refused' },
    { name: '500', answer: refuses(500), kind: 'broken' },
    {
      name: 'a redirect',
      answer: (r) => void r.writeHead(307, { location: server.baseUrl }).end(),
      kind: 'unreachable',
    },
    {
      name: 'an error in the stream',
      answer: pieces(chunk({ content: 'Hi' }), 'data: {"error":{"message":"oom","type":"server_error"}}\n\n'),
      kind: 'broken',
      text: 'Hi',
    },
    { name: 'an answer without words', answer: pieces(chunk({}, 'stop'), 'data: [DONE]\n\n'), kind: 'broken' },
    { name: 'an empty body', answer: (r) => void streaming(r).end(), kind: 'broken' },
    {
      name: 'a web page',
      answer: (r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      kind: 'broken',
    },
    { name: 'garbage without end', answer: endless('data: garbage\n\n'), kind: 'garbage' },
    { name: 'a line without end', answer: endless('x'.repeat(400)), kind: 'too-large', limits: small },
    { name: 'an answer without end', answer: endless(': ping\n\n'), kind: 'too-large', limits: small },
    {
      name: 'a huge body instead of a stream',
      answer: (r) => void r.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(50_000)),
      kind: 'too-large',
      limits: small,
    },
    { name: 'a connection that is reset', answer: (r) => void r.destroy(), kind: 'unreachable' },
    {
      name: 'a stream that ends without its end',
      answer: pieces(chunk({ content: 'Hi.' })),
      kind: 'cut',
      text: 'Hi.',
    },
    {
      name: 'a tool call that never came to its end',
      answer: pieces(chunk({ tool_calls: [{ index: 0, function: { name: 'hangup', arguments: '{}' } }] })),
      kind: 'cut',
    },
    {
      name: 'a connection that is cut in the middle',
      answer: (r) => void streaming(r).write(chunk({ content: 'Hi' }), () => setTimeout(() => r.destroy(), 20)),
      kind: 'cut',
      text: 'Hi',
    },
  ])('$name is a failure of its kind, and nothing of it is logged', async ({ answer, kind, text = '', limits }) => {
    server.answer = answer;
    const { client, logged } = clientOf(limits);
    const { error, events } = await outcome(client);
    expect(error).toBeInstanceOf(ChatFailure);
    expect(error?.kind).toBe(kind);
    expect(textOf(events)).toBe(text);
    for (const said of [logged(), String(error), JSON.stringify(error)]) {
      expect(said).not.toContain(KEY);
      expect(said).not.toContain(SECRET);
    }
  });

  it('nobody there', async () => {
    const { baseUrl } = server;
    await server.close();
    const { error } = await outcome(clientOf({}, systemClock, baseUrl).client);
    expect(error?.message).toBe('unreachable: ECONNREFUSED');
    server = await ChatTestServer.start();
  });

  it('keeps away for as long as it was asked to', async () => {
    const clock = new FakeClock();
    server.answer = refuses(429, { 'retry-after': '7' });
    const { client } = clientOf({}, clock);
    expect((await outcome(client)).error).toMatchObject({ kind: 'busy', retryAfterMs: 7_000 });
    clock.advance(3_000);
    expect(client.busyForMs).toBe(4_000);
    const why = sentence('engine.chat-left-alone', { seconds: 4 });
    for (const model of [new OpenaiCallModel(client), new OpenaiDocumentModel(client), new OpenaiReply(client, 1_000)])
      expect(model.available()).toEqual({ ok: false, why });
    expect((await outcome(client)).error?.kind).toBe('busy');
    expect(server.requests).toHaveLength(1);
    clock.advance(4_000);
    server.answer = says('Back again.');
    expect(textOf((await outcome(client)).events)).toBe('Back again.');
  });

  /** Resolves once the server has begun with what it does. */
  const begun = (answer: Answer): Promise<void> =>
    new Promise((resolve) => {
      server.answer = (response, received) => {
        answer(response, received);
        resolve();
      };
    });

  it.each<{ name: string; answer: Answer; limit: ChatFailure['kind']; afterMs: number }>([
    { name: 'says nothing', answer: () => {}, limit: 'first-token-timeout', afterMs: 3_000 },
    {
      name: 'says only that it will',
      answer: (r) => streaming(r).flushHeaders(),
      limit: 'first-token-timeout',
      afterMs: 3_000,
    },
  ])('gives up on a server that $name', async ({ answer, limit, afterMs }) => {
    const clock = new FakeClock();
    const started = begun(answer);
    const { client } = clientOf({}, clock);
    const asked = outcome(client);
    await started;
    clock.advance(afterMs);
    expect((await asked).error?.kind).toBe(limit);
  });

  it('gives up on a server that never comes to an end', async () => {
    const clock = new FakeClock();
    server.answer = (response) => void streaming(response).write(chunk({ content: 'Well' }));
    const { client } = clientOf({}, clock);
    const events = client.chat(request, never);
    expect((await events.next()).value).toEqual({ type: 'text', text: 'Well' });
    clock.advance(29_999);
    const more = events.next();
    clock.advance(1);
    await expect(more).rejects.toMatchObject({ kind: 'total-timeout' });
  });

  it.each<[string, Answer, boolean]>([
    ['before an answer', () => {}, false],
    ['in the middle', (response) => void streaming(response).write(chunk({ content: 'Well' })), true],
  ])('ends at once and without an error when aborted %s, and hangs up', async (_, answer, hasText) => {
    const abort = new AbortController();
    const started = begun(answer);
    const events = clientOf().client.chat(request, abort.signal);
    const first = events.next();
    await started;
    if (hasText) expect((await first).value).toMatchObject({ type: 'text' });
    const waiting = hasText ? events.next() : first;
    abort.abort();
    expect(await waiting).toEqual({ value: undefined, done: true });
    await expect.poll(() => server.hungUp).toBe(1);
  });

  it('sends nothing when aborted before', async () => {
    expect(await outcome(clientOf().client, AbortSignal.abort())).toEqual({ events: [] });
    expect(server.requests).toEqual([]);
  });

  it('lists the models', async () => {
    server.models = ['a', 'b'];
    expect(await clientOf().client.models(5_000, never)).toEqual(['a', 'b']);
  });
});

describe('retryAfterMs', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  it.each([
    ['7', 7_000],
    ['0', 0],
    ['0.5', 500],
    ['3600', 60_000],
    ['Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['soon', 1_000],
    [null, 1_000],
  ])('%s', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
