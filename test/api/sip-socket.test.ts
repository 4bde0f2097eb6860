import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { useErrorEnvelope } from '../../src/api/error-envelope.ts';
import { type SipSocketParts, type SipSocketPeer, sipSocketRoute } from '../../src/api/sip-socket.ts';
import { useWebSockets } from '../../src/api/websockets.ts';
import { DialError } from '../../src/call/dialer.ts';
import { systemClock } from '../../src/core/clock.ts';
import { hungUp, offer, plain, SignallingRig } from '../support/signalling-rig.ts';
import { until } from '../support/until.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

interface Served {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly peers: SipSocketPeer[];
}

async function serve(parts: Partial<SipSocketParts> = {}): Promise<Served> {
  const app = Fastify() as unknown as FastifyInstance;
  const peers: SipSocketPeer[] = [];
  useErrorEnvelope(app);
  await app.register(async (scope) => {
    await useWebSockets(scope);
    const accept = (_: unknown, peer: SipSocketPeer) => void peers.push(peer);
    const own = { clock: systemClock, plain: true, secure: false, corsOrigins: ['https://app.example.com'], accept };
    await sipSocketRoute(scope, { ...own, ...parts });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  cleanups.push(() => app.close());
  return { app, url: `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/sip`, peers };
}

/** The open socket, or the status and text of the refusal. */
async function upgrade(url: string, headers: Record<string, string> = {}, protocols: string | string[] = 'sip') {
  const socket = new WebSocket(url, protocols, { headers });
  cleanups.push(() => socket.terminate());
  return new Promise<WebSocket | string>((resolve) => {
    socket.once('open', () => resolve(socket));
    socket.on('error', () => undefined);
    socket.once('unexpected-response', (_request, response) => {
      let text = String(response.statusCode);
      response.on('data', (chunk) => {
        text += ` ${chunk}`;
      });
      response.on('end', () => resolve(text));
    });
  });
}

describe('SIP over WebSocket on the HTTP port', () => {
  it.each([
    { name: 'a program', headers: {}, out: 'sip' },
    { name: 'a page that may', headers: { origin: 'https://app.example.com' }, out: 'sip' },
    { name: 'a page that may not', headers: { origin: 'https://evil.example.com' }, out: /^403 pages of this origin/ },
    { name: 'a page of nowhere', headers: { origin: 'null' }, out: /^403/ },
    { name: 'no subprotocol', protocols: [], out: /^400 .*the subprotocol must be sip/ },
    { name: 'another subprotocol', protocols: ['xmpp'], out: /^400/ },
    { name: 'sip among others', protocols: ['xmpp', 'sip'], out: 'sip' },
  ])('$name: $out', async ({ headers, protocols, out }) => {
    const { url, peers } = await serve();
    const found = await upgrade(url, headers as Record<string, string>, protocols);
    if (typeof out === 'string') expect((found as WebSocket).protocol).toBe(out);
    else expect(found).toMatch(out);
    expect(peers).toHaveLength(typeof out === 'string' ? 1 : 0);
  });

  it('takes every page where every page may', async () => {
    const { url } = await serve({ corsOrigins: ['*'] });
    expect(await upgrade(url, { origin: 'https://evil.example.com' })).toBeInstanceOf(WebSocket);
  });

  it('says what it is to whoever asks without an upgrade', async () => {
    const { app } = await serve();
    const { statusCode, headers, body } = await app.inject('/sip');
    expect([statusCode, headers['upgrade']]).toEqual([400, 'websocket']);
    expect(body).toContain('must be upgraded to a WebSocket');
  });

  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.9, 198.51.100.7' };
  it.each([
    {
      name: 'believes a proxy on this machine, its last word',
      secure: true,
      headers: proxied,
      peer: [true, '198.51.100.7'],
    },
    { name: 'believes nobody where none is expected', secure: false, headers: proxied, peer: [false, '127.0.0.1'] },
    {
      name: 'takes no address that is none',
      ...{ secure: true, headers: { 'x-forwarded-proto': 'wss', 'x-forwarded-for': 'unknown' } },
      peer: [true, '127.0.0.1'],
    },
  ])('$name', async ({ secure, headers, peer }) => {
    const { url, peers } = await serve({ secure });
    await upgrade(url, headers);
    expect(peers.map(({ isSecure, remoteAddress }) => [isSecure, remoteAddress])).toEqual([peer]);
  });

  it('keeps out who comes without TLS where only that is served', async () => {
    const { url, peers } = await serve({ plain: false, secure: true });
    expect(await upgrade(url)).toMatch(/^403 SIP is spoken over wss here/);
    expect(await upgrade(url, proxied)).toBeInstanceOf(WebSocket);
    expect(peers).toHaveLength(1);
  });

  it('closes with the gateway, also for a page that does not answer', async () => {
    const { app, url } = await serve();
    const [polite, silent] = [await upgrade(url), await upgrade(url)] as [WebSocket, WebSocket];
    silent.pause();
    const closed = once(polite, 'close');
    const startedMs = performance.now();
    await app.close();
    expect(await closed).toEqual([1001, expect.anything()]);
    expect(performance.now() - startedMs).toBeLessThan(15_000); // `ws` itself waits for half a minute
  });
});

it('a browser phone calls, and is hung up on by the socket that it opened', async () => {
  const rig = await SignallingRig.open('listen', systemClock, { transports: ['udp', 'ws'] });
  cleanups.push(() => rig.close());
  const { url } = await serve({
    accept: (socket, { isSecure: _, ...peer }) => rig.embedded.acceptSocket(socket, { ...peer, transport: 'ws' }),
  });
  const phone = (await upgrade(url)) as WebSocket;
  const got: string[] = [];
  phone.on('message', (data) => got.push(String(data)));
  const next = (start: RegExp) => until(() => got.find((text) => start.test(text)), String(start));
  const request = (method: string, to: string, extra: readonly string[], body = '') =>
    phone.send(
      [
        `${method} sip:2000@nidaa.example.com SIP/2.0`,
        `Via: SIP/2.0/WS df7jal23ls0d.invalid;branch=z9hG4bK-${method}`,
        'Max-Forwards: 70',
        'From: <sip:alice@example.com>;tag=a',
        `To: ${to}`,
        'Call-ID: browser-call',
        `CSeq: 1 ${method}`,
        ...extra,
        '',
        body,
      ].join('\r\n'),
    );
  const contact = 'Contact: <sip:alice@df7jal23ls0d.invalid;transport=ws;ob>';
  request('INVITE', '<sip:2000@nidaa.example.com>', [contact, 'Content-Type: application/sdp'], offer);
  const ok = await next(/^SIP\/2.0 200 OK/);
  expect(ok).toMatch(/^Contact: <sip:[^>]*127\.0\.0\.1:\d+;transport=ws>/m);
  request('ACK', /^To: (.*)\r$/m.exec(ok)![1]!, []);
  const leg = await until(() => rig.legs[0]);
  expect(leg.info).toMatchObject({ transport: 'ws', from: 'alice', called: '2000' });
  await until(() => (leg as { state?: string }).state === 'confirmed');
  const over = leg.hangup(hungUp);
  const bye = await next(/^BYE /);
  expect(bye).toMatch(
    /^BYE sip:alice@df7jal23ls0d\.invalid;transport=ws;ob SIP\/2\.0\r\nVia: SIP\/2\.0\/WS 127\.0\.0\.1:\d+;/,
  );
  const copied = bye.match(/^(?:Via|From|To|Call-ID|CSeq): .*$/gm)!.map((line) => line.trim());
  phone.send(`${['SIP/2.0 200 OK', ...copied].join('\r\n')}\r\n\r\n`);
  await over;
  await until(() => rig.embedded.dialogCount === 0);
});

it('a browser phone is called by the flow that it registered on, while that lasts', async () => {
  const rig = await SignallingRig.open('listen', systemClock, { transports: ['udp', 'ws'] });
  cleanups.push(() => rig.close());
  let port = 0;
  const { url } = await serve({
    accept: (socket, { isSecure: _, ...peer }) => {
      port = peer.remotePort;
      rig.embedded.acceptSocket(socket, { ...peer, transport: 'ws' });
    },
  });
  const phone = (await upgrade(url)) as WebSocket;
  await until(() => port > 0);
  const got: string[] = [];
  phone.on('message', (data) => got.push(String(data)));
  const call = () =>
    rig.server.dial({
      ...{ uri: 'sip:alice@df7jal23ls0d.invalid;transport=ws', nextHop: `sip:127.0.0.1:${port};transport=ws` },
      ...{ from: 'me', media: plain, ringTimeoutMs: 5_000 },
    });
  const refused = call().catch((error: unknown) => error);
  const invite = await until(() => got[0]);
  expect(invite).toMatch(/^INVITE sip:alice@df7jal23ls0d\.invalid;transport=ws SIP\/2\.0\r\nVia: SIP\/2\.0\/WS /);
  const copied = invite.match(/^(?:Via|From|To|Call-ID|CSeq): .*$/gm)!.map((line) => line.trim());
  phone.send(`SIP/2.0 486 Busy Here\r\n${copied.join('\r\n').replace(/^(To: .*)$/m, '$1;tag=b')}\r\n\r\n`);
  expect(await refused).toMatchObject({ status: 486 });
  phone.terminate();
  // Not every call at once: until the server has seen that the socket is gone, one may still be sent on it.
  const over = await until(async () => {
    const error = await call().catch((failed: DialError) => failed);
    return error instanceof DialError && error.status === 0 && error;
  });
  expect(over.end).toMatchObject({ reason: 'signalling-lost', detail: expect.stringContaining('not available') });
});
