import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { type GuardOptions, type HostAddress, isPublicAddress } from '../../../src/core/guarded-request.ts';
import { callTool } from '../../../src/engines/reply/http-tool.ts';
import { createToolFetcher, type Fetcher } from '../../../src/engines/reply/tool-fetcher.ts';
import { freeTcpPort } from '../../support/ports.ts';

let server: Server;
let port: number;
let connections: number;
let serve: RequestListener;
beforeEach(async () => {
  connections = 0;
  serve = (_, response) => void response.end('{"eta":"noon"}');
  server = createServer((request, response) => serve(request, response));
  server.on('connection', () => {
    connections += 1;
  });
  port = await freeTcpPort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const LOOPBACK: HostAddress = { address: '127.0.0.1', family: 4 };
const call = (url: string, options: Partial<GuardOptions> = {}, method: 'GET' | 'POST' = 'GET') => {
  // biome-ignore lint/suspicious/noThenProperty: the name of the contract
  const action = { type: 'http', method, url, body: { order: '{{order}}' }, then: {}, otherwise: {} } as const;
  const fetcher: Fetcher = createToolFetcher({ allowedHosts: [], ...options });
  const limits = { timeoutMs: 10_000, maxBytes: 1_000 };
  return callTool(action, () => '45', fetcher, limits, new AbortController().signal, systemClock);
};
const forbidden = { ok: false, why: 'forbidden' };
const found = { ok: true, facts: { eta: 'noon' }, text: '{"eta":"noon"}' };

describe('an HTTP tool does not reach', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '0.0.0.0',
    '0',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '127.000.000.001',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]',
    '169.254.169.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.100.100.200',
    '224.0.0.1',
    '255.255.255.255',
    'localhost',
    'localhost.',
    '１２７.０.０.１',
  ])('%s', async (host) => {
    expect(await call(`http://${host}:${port}/x`)).toEqual(forbidden);
    expect(connections).toBe(0);
  });

  it.each([
    ['a name of a private address', [LOOPBACK]],
    ['a name with one private address among public ones', [{ address: '93.184.216.34', family: 4 }, LOOPBACK]],
    ['a name of a private IPv6 address', [{ address: '::1', family: 6 }]],
  ])('%s', async (_, addresses) => {
    expect(await call(`http://tool.example:${port}/x`, { resolve: async () => addresses })).toEqual(forbidden);
    expect(connections).toBe(0);
  });

  it('what a redirect points to', async () => {
    serve = (_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
    const options = { allowedHosts: ['tool.example'], resolve: async () => [LOOPBACK] };
    expect(await call(`http://tool.example:${port}/x`, options)).toEqual({ ok: false, why: 'network' });
    expect(connections).toBe(1);
  });
});

describe('a secret of the operator', () => {
  const resolved: string[] = [];
  const withSecret = (url: string, hosts: string[], allowedHosts: string[], name = 'shop') =>
    callTool(
      { ...{ method: 'GET', url }, headers: { authorization: `Bearer {{secret:${name}}}` } },
      () => undefined,
      createToolFetcher({
        allowedHosts,
        secrets: { shop: { value: 'canary', hosts }, away: { hosts } },
        resolve: async (name) => {
          resolved.push(name);
          return [LOOPBACK];
        },
      }),
      { timeoutMs: 5_000, maxBytes: 1_000 },
      new AbortController().signal,
      systemClock,
    );

  it('goes to its own hosts, and to no other', async () => {
    let sent: string | undefined;
    serve = (request, response) => {
      sent = request.headers.authorization;
      response.end('{"eta":"noon"}');
    };
    const [url, here] = [`http://127.0.0.1:${port}/x`, `127.0.0.1:${port}`];
    expect(await withSecret(url, [here], [here])).toEqual(found);
    expect(sent).toBe('Bearer canary');
    expect(await withSecret(url, ['api.example.com'], [here])).toEqual(forbidden);
    expect(await withSecret(url, [here], [here], 'toString')).toEqual(forbidden);
    expect(await withSecret(url, [here], [here], 'away')).toEqual(forbidden);
    expect(await withSecret('http://api.example.com/x', ['api.example.com'], [])).toEqual(forbidden); // it could be read on the way
    expect([connections, resolved]).toEqual([1, []]); // nobody was asked for
  });
});

describe('an HTTP tool reaches', () => {
  it.each([
    ['an allowed host', ['127.0.0.1']],
    ['an allowed host and port', ['127.0.0.1:PORT']],
  ])('%s', async (_, hosts) => {
    const allowedHosts = hosts.map((host) => host.replace('PORT', String(port)));
    expect(await call(`http://127.0.0.1:${port}/x`, { allowedHosts })).toEqual(found);
  });

  it('not another port of a host that is allowed with its port', async () => {
    expect(await call(`http://127.0.0.1:${port}/x`, { allowedHosts: ['127.0.0.1:1'] })).toEqual(forbidden);
  });

  it('the address that was checked, and asks for it once', async () => {
    const asked: string[] = [];
    const resolve = async (name: string): Promise<HostAddress[]> => {
      asked.push(name);
      return asked.length === 1 ? [LOOPBACK] : [{ address: '127.0.0.2', family: 4 }];
    };
    let host: string | undefined;
    serve = (request, response) => {
      host = request.headers.host;
      response.end('{"eta":"noon"}');
    };
    expect(await call(`http://Tool.Example:${port}/x`, { allowedHosts: ['tool.example'], resolve })).toEqual(found);
    expect(asked).toEqual(['tool.example']);
    expect(host).toBe(`tool.example:${port}`);
  });

  it('with its body', async () => {
    let body = '';
    serve = async (request, response) => {
      for await (const chunk of request) body += String(chunk);
      response.end('{"eta":"noon"}');
    };
    expect(await call(`http://127.0.0.1:${port}/x`, { allowedHosts: ['127.0.0.1'] }, 'POST')).toEqual(found);
    expect(body).toBe('{"order":"45"}');
  });

  it.each<[string, RequestListener, string]>([
    ['an error status', (_, response) => void response.writeHead(500).end('{}'), 'status'],
    ['too much', (_, response) => void response.end(' '.repeat(50_000)), 'too-large'],
    ['no JSON', (_, response) => void response.end('<html>'), 'not-json'],
    [
      'half an answer',
      (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
      'network',
    ],
    ['nothing', (_, response) => void response.destroy(), 'network'],
  ])('and says why when it answers with %s', async (_, listener, why) => {
    serve = listener;
    expect(await call(`http://127.0.0.1:${port}/x`, { allowedHosts: ['127.0.0.1'] })).toEqual({ ok: false, why });
  });

  it('nobody for longer than it may take, a resolver included', async () => {
    const fetcher = createToolFetcher({ allowedHosts: [], resolve: () => new Promise(() => {}) });
    const abort = new AbortController();
    const asked = fetcher('http://tool.example/', {
      method: 'GET',
      headers: {},
      redirect: 'error',
      signal: abort.signal,
    });
    abort.abort();
    await expect(asked).rejects.toThrow('aborted');
  });
});

describe('isPublicAddress', () => {
  it.each([
    ['93.184.216.34', 4, true],
    ['8.8.8.8', 4, true],
    ['172.15.255.255', 4, true],
    ['172.32.0.0', 4, true],
    ['172.31.255.255', 4, false],
    ['100.127.255.255', 4, false],
    ['2606:4700:4700::1111', 6, true],
    ['2a00:1450::1', 6, true],
    ['::ffff:8.8.8.8', 6, false],
    ['2001:db8::1', 6, false],
    ['fd00::1', 6, false],
    ['not an address', 4, false],
  ])('%s: %s', (address, family, isPublic) => {
    expect(isPublicAddress({ address, family: family as number })).toBe(isPublic);
  });
});
