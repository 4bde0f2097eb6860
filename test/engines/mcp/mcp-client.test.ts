import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { McpClient } from '../../../src/engines/mcp/mcp-client.ts';
import { McpFailure } from '../../../src/engines/mcp/mcp-messages.ts';
import { OfficialMcpServer, type OfficialOptions, type OfficialTool } from '../../sdk-clients/mcp-official.ts';
import { until } from '../../support/until.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const clientOf = (url: string, headers: Readonly<Record<string, string>> = {}): McpClient => {
  const client = new McpClient({ url, headers }, { clock: systemClock, version: '9.9.9' });
  closing.unshift(() => client.close());
  return client;
};
const never = new AbortController().signal;
const READ = { timeoutMs: 20_000, isRepeatable: true };
const tool = (name: string): OfficialTool => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });

const official = async (options: Partial<OfficialOptions> = {}): Promise<OfficialMcpServer> => {
  const server = await OfficialMcpServer.start({
    tools: [tool('find'), tool('open')],
    call: (name, args) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] }),
    ...options,
  });
  closing.push(() => server.close());
  return server;
};

describe.each([
  ['event streams', {}],
  ['JSON', { json: true }],
  ['neither a session nor event streams', { json: true, stateless: true }],
])('with the official server, %s', (_, options) => {
  it('lists its tools, calls one, and says goodbye', async () => {
    const server = await official(options);
    const client = clientOf(server.url, { authorization: 'Bearer k1' });
    expect((await client.tools(20_000)).map(({ name }) => name)).toEqual(['find', 'open']);
    const result = await client.call('find', { order: 4521 }, READ, never);
    expect(result).toEqual({ isError: false, text: 'find {"order":4521}', structured: {} });
    await client.close();
    const sent = server.requests.map(({ method, rpc }) => rpc ?? method);
    const hasSession = !('stateless' in options);
    expect(sent).toEqual([
      ...['initialize', 'notifications/initialized', 'tools/list', 'tools/call'],
      ...(hasSession ? ['DELETE'] : []),
    ]);
    expect(server.requests.every(({ authorization }) => authorization === 'Bearer k1')).toBe(true);
    const [first, ...others] = server.requests;
    expect([first!.session, first!.version]).toEqual([undefined, undefined]);
    expect(others.every(({ version }) => version === '2025-06-18')).toBe(true);
    expect(others.every(({ session }) => (session !== undefined) === hasSession)).toBe(true);
    expect(server.sessions).toBe(0);
  });

  it('reads every page of its list', async () => {
    const names = Array.from({ length: 25 }, (_one, i) => `tool-${i}`);
    const server = await official({ ...options, tools: names.map(tool), pageSize: 10 });
    expect((await clientOf(server.url).tools(20_000)).map(({ name }) => name)).toEqual(names);
  });

  it('gives what a tool structured, what it says when it fails, and that it does not know one', async () => {
    const server = await official({
      ...options,
      call: (name) => {
        if (name === 'find') return { content: [], structuredContent: { status: 'here' } };
        if (name === 'open') return { content: [{ type: 'text', text: 'no room' }], isError: true };
        throw new Error('strange');
      },
    });
    const client = clientOf(server.url);
    expect(await client.call('find', {}, READ, never)).toMatchObject({ structured: { status: 'here' } });
    expect(await client.call('open', {}, READ, never)).toMatchObject({ isError: true, text: 'no room' });
    await expect(client.call('other', {}, READ, never)).rejects.toMatchObject({ kind: 'error', said: /strange/ });
  });
});

describe('a session', () => {
  it('that the server has forgotten is begun once more', async () => {
    const server = await official();
    const client = clientOf(server.url);
    await client.tools(20_000);
    server.forget();
    expect((await client.call('find', {}, { ...READ, isRepeatable: false }, never)).isError).toBe(false);
    expect(server.requests.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2);
    expect(server.calls).toHaveLength(1);
  });

  it('is one for all who ask at once, and outlives who hangs up first', async () => {
    const server = await official();
    const client = clientOf(server.url);
    const abort = new AbortController();
    const first = client.call('find', {}, READ, abort.signal);
    const others = [1, 2, 3].map((order) => client.call('find', { order }, READ, never));
    abort.abort();
    await expect(first).rejects.toMatchObject({ kind: 'aborted' });
    expect((await Promise.all(others)).map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(server.requests.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(1);
  });
});

/** A server that begins a session well and then does what it likes. */
class WildServer {
  readonly seen: { readonly rpc: string; readonly id: unknown }[] = [];
  hungUp = 0;
  redirected = 0;
  version = '2025-06-18';
  wild: (response: ServerResponse, id: unknown, request: IncomingMessage) => void = () => {};
  readonly #server: Server = createServer((request, response) => {
    if (request.url === '/elsewhere') this.redirected += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('close', () => {
      if (!response.writableFinished) this.hungUp += 1;
    });
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { method = 'none', id } = JSON.parse(text === '' ? '{}' : text) as { method?: string; id?: unknown };
      this.seen.push({ rpc: method, id });
      if (method === 'initialize') {
        const result = { protocolVersion: this.version, capabilities: {}, serverInfo: { name: 'wild', version: '1' } };
        json(response, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 's1' });
      } else if (method === 'notifications/initialized') response.writeHead(202).end();
      else this.wild(response, id, request);
    });
  });

  static async start(): Promise<WildServer> {
    const server = new WildServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      server.#server.closeAllConnections();
      await new Promise((resolve) => server.#server.close(resolve));
    });
    return server;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }
}

const json = (response: ServerResponse, body: unknown, headers: object = {}): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
const data = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`;
const good = (id: unknown): object => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'good' }] } });

describe('a hostile server', () => {
  type Wild = WildServer['wild'];
  const endless: Wild = (response) => {
    stream(response);
    const send = (): void => {
      if (!response.destroyed) response.write(`: ${'still there '.repeat(2_000)}\n\n`, () => setImmediate(send));
    };
    send();
  };
  it.each<[string, string, Wild, number?]>([
    ['says nothing', 'timeout', () => {}, 300],
    ['begins an event stream and says nothing', 'timeout', (response) => void stream(response).flushHeaders(), 300],
    ['sends without end', 'too-large', endless],
    [
      'sends one line without end',
      'too-large',
      (response) => void stream(response).write(`data: ${'x'.repeat(700_000)}`),
    ],
    ['sends a huge body', 'too-large', (response) => json(response, { text: 'x'.repeat(2_000_000) })],
    ['answers somebody else', 'garbage', (response) => json(response, good(999_999))],
    ['answers with the id as text', 'garbage', (response, id) => json(response, good(String(id)))],
    [
      'streams the answers of others',
      'network',
      (response) => void stream(response).end(data(good(999_999)).repeat(5)),
    ],
    [
      'streams messages without end',
      'too-large',
      (response) => void stream(response).end(data({ jsonrpc: '2.0', method: 'notifications/progress' }).repeat(300)),
    ],
    [
      'sends no JSON',
      'garbage',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<'),
    ],
    ['sends a list', 'garbage', (response) => json(response, [1, 2, null])],
    ['sends a result that is none', 'garbage', (response, id) => json(response, { jsonrpc: '2.0', id, result: 7 })],
    ['points elsewhere', 'network', (response) => void response.writeHead(307, { location: '/elsewhere' }).end()],
    ['hangs up', 'network', (response) => void response.destroy()],
    ['refuses', 'refused', (response) => void response.writeHead(401).end('secret words')],
    ['breaks', 'status', (response) => void response.writeHead(500).end('secret words')],
    ['knows no session', 'session', (response) => void response.writeHead(404).end()],
  ])('that %s is a failure: %s', async (_, kind, wild, timeoutMs = 20_000) => {
    const server = await WildServer.start();
    server.wild = wild;
    const client = clientOf(server.url);
    const failed = client.call('find', {}, { timeoutMs, isRepeatable: false }, never);
    await expect(failed).rejects.toBeInstanceOf(McpFailure);
    await expect(failed).rejects.toMatchObject({ kind, message: expect.not.stringContaining('secret words') });
    expect(server.redirected).toBe(0);
    server.wild = (response, id) => json(response, good(id));
    expect((await client.call('find', {}, READ, never)).text).toBe('good'); // and is asked again like any other
  });

  it('is asked no more than twice for what may be repeated, and once for what may not', async () => {
    const server = await WildServer.start();
    server.wild = (response) => void response.destroy();
    const client = clientOf(server.url);
    const calls = (): number => server.seen.filter(({ rpc }) => rpc === 'tools/call').length;
    await expect(client.call('find', {}, READ, never)).rejects.toMatchObject({ kind: 'network' });
    expect(calls()).toBe(2);
    await expect(client.call('find', {}, { ...READ, isRepeatable: false }, never)).rejects.toThrow();
    expect(calls()).toBe(3);
  });

  it('whose list has no end, or goes in a circle, is read so far and no further', async () => {
    const server = await WildServer.start();
    let page = 0;
    server.wild = (response, id) => {
      page += 1;
      const tools = [{ name: `t${page}`, inputSchema: { type: 'object' } }, { name: 'bad name!' }, 7, null];
      json(response, { jsonrpc: '2.0', id, result: { tools, nextCursor: String(page) } });
    };
    expect(await clientOf(server.url).tools(20_000)).toHaveLength(20);
    server.wild = (response, id) => json(response, { jsonrpc: '2.0', id, result: { tools: [], nextCursor: 'same' } });
    expect(await clientOf(server.url).tools(20_000)).toEqual([]);
    expect(server.seen.filter(({ rpc }) => rpc === 'tools/list')).toHaveLength(22);
  });

  it('that asks for something itself is declined, and waits for nobody', async () => {
    const server = await WildServer.start();
    const answers: unknown[] = [];
    let held: { response: ServerResponse; id: unknown } | undefined;
    server.wild = (response, id, request) => {
      if (server.seen.at(-1)!.rpc !== 'none') {
        held = { response, id };
        stream(response).write(data({ jsonrpc: '2.0', id: 'a', method: 'sampling/createMessage', params: {} }));
        return;
      }
      answers.push(request.headers['mcp-session-id']);
      response.writeHead(202).end();
      held?.response.end(data(good(held.id)));
    };
    expect((await clientOf(server.url).call('find', {}, READ, never)).text).toBe('good');
    expect(answers).toEqual(['s1']);
  });

  it.each([
    ['2025-06-18', true],
    ['2025-11-25', true],
    ['2025-03-26', true],
    ['2024-11-05', false],
    ['1.0', false],
  ])('that speaks revision %s is served: %s', async (version, isServed) => {
    const server = await WildServer.start();
    Object.assign(server, { version });
    server.wild = (response, id, request) => {
      expect(request.headers['mcp-protocol-version']).toBe(version);
      json(response, good(id));
    };
    const called = clientOf(server.url).call('find', {}, READ, never);
    if (isServed) expect((await called).text).toBe('good');
    else await expect(called).rejects.toMatchObject({ kind: 'version' });
  });

  it('is left at once by a caller who interrupts', async () => {
    const server = await WildServer.start();
    const abort = new AbortController();
    const called = clientOf(server.url).call('find', {}, READ, abort.signal);
    await until(() => server.seen.some(({ rpc }) => rpc === 'tools/call'), 'it is called');
    abort.abort();
    await expect(called).rejects.toMatchObject({ kind: 'aborted' });
    await until(() => server.hungUp === 1, 'it is left');
  });
});
