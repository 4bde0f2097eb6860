import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { makeResponse } from '../../../src/sip-server/message/build-message.ts';
import { serializeSipMessage } from '../../../src/sip-server/message/serialize-message.ts';
import { header, type SipRequest } from '../../../src/sip-server/message/sip-message.ts';
import { TlsCredentials } from '../../../src/sip-server/tls/tls-credentials.ts';
import { CertificateRefused } from '../../../src/sip-server/transport/flow.ts';
import type { TlsOptions } from '../../../src/sip-server/transport/stream-endpoints.ts';
import type { TransportOptions } from '../../../src/sip-server/transport/transport-layer.ts';
import { TRANSPORT_LIMITS } from '../../../src/sip-server/transport/transport-limits.ts';
import { optionsText, RecordingLayer, TcpPhone, UdpPhone } from '../../support/transport-peer.ts';
import { until } from '../../support/until.ts';

const opened: { close(): unknown }[] = [];
async function layer(options?: Partial<TransportOptions>): Promise<RecordingLayer> {
  const peer = await RecordingLayer.open(options);
  opened.push(peer.layer);
  return peer;
}
async function udpPhone(): Promise<UdpPhone> {
  const phone = await UdpPhone.open();
  opened.push(phone);
  return phone;
}
async function tcpPhone(port: number): Promise<TcpPhone> {
  const phone = await TcpPhone.open(port);
  opened.push(phone);
  return phone;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const ok = (request: SipRequest): Buffer => serializeSipMessage(makeResponse(request, 200, 'OK', { toTag: 't' }));
const never = (): AbortSignal => new AbortController().signal;
const fixture = (name: string): string => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
const TLS = { cert: fixture('tls/cert.pem'), key: fixture('tls/key.pem') };
const known = (ca?: string): TlsOptions => ({ credentials: new TlsCredentials({ ...TLS, ...(ca && { ca }) }) });

describe('UDP', () => {
  it('hands up a request with its source, and answers from the same port', async () => {
    const peer = await layer();
    const phone = await udpPhone();
    const text = optionsText('UDP 10.9.9.9:5060;branch=z9hG4bK1;rport');
    phone.send(text, peer.port('udp'));
    const { message, flow, bytes } = await peer.message(0);
    expect(header(message, 'Via')).toBe(
      `SIP/2.0/UDP 10.9.9.9:5060;branch=z9hG4bK1;rport=${phone.port};received=127.0.0.1`,
    );
    expect(bytes).toBe(text.length);
    expect(flow).toMatchObject({
      transport: 'udp',
      remoteAddress: '127.0.0.1',
      remotePort: phone.port,
      reliable: false,
    });
    expect(flow.localPort).toBe(peer.port('udp'));
    if (message.kind === 'request') flow.send(ok(message));
    await until(() => phone.received[0]?.startsWith('SIP/2.0 200 OK\r\n'));
    expect(phone.from[0]).toBe(peer.port('udp'));
  });

  it('answers where the phone listens when it asks for no rport', async () => {
    const peer = await layer();
    const [sends, listens] = [await udpPhone(), await udpPhone()];
    sends.send(optionsText(`UDP 127.0.0.1:${listens.port};branch=z9hG4bK1`), peer.port('udp'));
    const { message, flow } = await peer.message(0);
    if (message.kind === 'request') flow.send(ok(message));
    await until(() => listens.received[0]?.startsWith('SIP/2.0 200'));
  });

  it('ignores keep-alives without a word, and reports what is not SIP', async () => {
    const peer = await layer();
    const phone = await udpPhone();
    const stun = Buffer.alloc(20);
    stun.writeUInt16BE(1, 0);
    stun.writeUInt32BE(0x2112a442, 4);
    for (const alive of ['\r\n\r\n', '\0\0\0\0', '', stun]) phone.send(alive, peer.port('udp'));
    phone.send('GET / HTTP/1.1\r\n\r\n', peer.port('udp'));
    await until(() => peer.discards.length > 0);
    expect(peer.discards).toEqual(['bad-start-line']);
    expect(phone.received).toEqual([]);
  });

  it('answers a broken request itself, the same way each time, but never an ACK', async () => {
    const peer = await layer();
    const phone = await udpPhone();
    const broken = optionsText('UDP 10.9.9.9;branch=z9hG4bK1;rport', 'Content-Length: 5', 'abc');
    phone.send(broken.replaceAll('OPTIONS', 'ACK'), peer.port('udp'));
    phone.send(broken, peer.port('udp'));
    phone.send(broken, peer.port('udp'));
    await until(() => phone.received.length === 2);
    expect(phone.received[0]).toMatch(/^SIP\/2.0 400 Body Shorter Than Content-Length\r\n/);
    expect(phone.received[0]).toContain(`rport=${phone.port};received=127.0.0.1`);
    expect(phone.received[0]).toMatch(/To: <sip:nidaa@127.0.0.1>;tag=[0-9a-f]{16}\r\n/);
    expect(phone.received[1]).toBe(phone.received[0]);
    expect(peer.discards).toEqual(['short-body', 'short-body', 'short-body']);
    expect(peer.messages).toEqual([]);
  });

  it('drops a flood before parsing it', async () => {
    const peer = await layer({ limits: { rate: { perSecond: 0.001, burst: 3, sourcesMax: 10 } } });
    const phone = await udpPhone();
    for (let i = 0; i < 10; i += 1) phone.send(optionsText('UDP 127.0.0.1;branch=z9hG4bK1;rport'), peer.port('udp'));
    await until(() => peer.discards.length === 7);
    expect(peer.messages).toHaveLength(3);
    expect(new Set(peer.discards)).toEqual(new Set(['rate-limited']));
    expect(peer.layer.guard.counters.dropped).toBe(7);
  });

  it('learns that nobody listens', async () => {
    const peer = await layer();
    const phone = await UdpPhone.open();
    const { port } = phone;
    phone.close();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      peer.flowErrors.length = 0;
      const flow = await peer.layer.open('udp', '127.0.0.1', port, never());
      flow.send(Buffer.from('x'));
      const { reason, flow: failed } = await until(() => peer.flowErrors[0]);
      expect(reason).toBe('ECONNREFUSED');
      expect(failed).toMatchObject({ transport: 'udp', remoteAddress: '127.0.0.1', remotePort: port });
    }
  });

  it('reports a send that cannot work', async () => {
    const peer = await layer();
    const flow = await peer.layer.open('udp', '127.0.0.1', 5060, never());
    const failed = new Promise((resolve) => flow.send(Buffer.alloc(70_000), resolve));
    expect(await failed).toBe('EMSGSIZE');
    await expect(peer.layer.open('udp', 'name.example', 5060, never())).rejects.toThrow('bad-address');
  });
});

describe('TCP', () => {
  it('shares its port with UDP, reads messages cut anywhere, answers pings', async () => {
    const peer = await layer();
    expect(peer.port('tcp')).toBe(peer.port('udp'));
    const phone = await tcpPhone(peer.port('tcp'));
    const text = optionsText('TCP 10.9.9.9;branch=z9hG4bK1;rport', '', 'body');
    phone.socket.write(`\r\n\r\n${text.slice(0, 50)}`);
    await until(() => phone.text === '\r\n');
    phone.socket.write(text.slice(50) + text);
    const { message, flow } = await peer.message(1);
    expect(message.body.toString()).toBe('body');
    expect(header(message, 'Via')).toContain('received=127.0.0.1');
    expect(flow).toMatchObject({ transport: 'tcp', reliable: true, closed: false });
    if (message.kind === 'request') flow.send(ok(message));
    await until(() => phone.text.includes('SIP/2.0 200 OK'));
  });

  it('answers a message without length, then closes', async () => {
    const peer = await layer();
    const phone = await tcpPhone(peer.port('tcp'));
    phone.socket.write(optionsText('TCP 127.0.0.1;branch=z9hG4bK1', 'X-Nothing: 1', 'body'));
    await until(() => phone.closed);
    expect(phone.text).toMatch(/^SIP\/2.0 400 Missing Content-Length\r\n/);
    expect(peer.discards).toEqual(['missing-content-length']);
    await until(() => peer.flowErrors.length > 0);
    expect(peer.flowErrors[0]?.reason).toBe('missing-content-length');
    expect(peer.layer.connectionCount).toBe(0);
  });

  it('keeps the connection after a request that is only wrong inside', async () => {
    const peer = await layer();
    const phone = await tcpPhone(peer.port('tcp'));
    const good = optionsText('TCP 127.0.0.1;branch=z9hG4bK1');
    phone.socket.write(good.replace('SIP/2.0\r\n', 'SIP/3.0\r\n') + good);
    await peer.message(0);
    await until(() => phone.text.startsWith('SIP/2.0 505 Version Not Supported\r\n'));
    expect(phone.closed).toBe(false);
  });

  it.each([
    {
      name: 'that never finishes a message',
      limits: { partialMs: 60 },
      send: 'OPTIONS sip:a',
      reason: 'partial-timeout',
    },
    { name: 'that says nothing', limits: { idleMs: 60 }, send: '', reason: 'idle' },
    { name: 'that speaks TLS', limits: {}, send: '\x16\x03\x01', reason: 'not-sip' },
  ])('closes a connection $name', async ({ limits, send, reason }) => {
    const peer = await layer({ limits: { ...TRANSPORT_LIMITS, ...limits } });
    const phone = await tcpPhone(peer.port('tcp'));
    if (send !== '') phone.socket.write(send);
    await until(() => phone.closed);
    await until(() => peer.flowErrors.length === 1);
    expect(peer.flowErrors[0]?.reason).toBe(reason);
  });

  it('refuses more connections of one source than allowed, and takes new ones when old ones go', async () => {
    const peer = await layer({ limits: { connectionsPerSourceMax: 2 } });
    const [first, , third] = [
      await tcpPhone(peer.port('tcp')),
      await tcpPhone(peer.port('tcp')),
      await tcpPhone(peer.port('tcp')),
    ];
    await until(() => third?.closed);
    expect(peer.layer.connectionCount).toBe(2);
    first.close();
    await until(() => peer.layer.connectionCount === 1);
    const fourth = await tcpPhone(peer.port('tcp'));
    fourth.socket.write(optionsText('TCP 127.0.0.1;branch=z9hG4bK1'));
    await peer.message(0);
  });

  it('opens one connection to a peer and reuses it', async () => {
    const [caller, callee] = [await layer(), await layer()];
    const open = () => caller.layer.open('tcp', '127.0.0.1', callee.port('tcp'), never());
    const [a, b] = await Promise.all([open(), open()]);
    expect(a).toBe(b);
    expect(await open()).toBe(a);
    a.send(Buffer.from(optionsText('TCP 127.0.0.1;branch=z9hG4bK1')));
    const { flow } = await callee.message(0);
    expect(callee.layer.connectionCount).toBe(1);
    // The other side reaches us over the same connection.
    expect(await callee.layer.open('tcp', '127.0.0.1', flow.remotePort, never())).toBe(flow);
  });

  it('opens anew after the peer hung up, and fails when nobody listens', async () => {
    const [caller, callee] = [await layer(), await layer()];
    const port = callee.port('tcp');
    const first = await caller.layer.open('tcp', '127.0.0.1', port, never());
    first.send(Buffer.from(optionsText('TCP 127.0.0.1;branch=z9hG4bK1')));
    const { flow } = await callee.message(0);
    await callee.layer.close();
    await until(() => caller.flowErrors.length === 1);
    expect([first.closed, flow.closed]).toEqual([true, true]);
    const failed = new Promise((resolve) => first.send(Buffer.from('x'), resolve));
    expect(await failed).toBe('closed');
    await expect(caller.layer.open('tcp', '127.0.0.1', port, never())).rejects.toThrow('ECONNREFUSED');
  });

  it('gives up waiting when told to', async () => {
    const peer = await layer();
    await expect(peer.layer.open('tcp', '127.0.0.1', 9, AbortSignal.abort())).rejects.toThrow('aborted');
    await expect(peer.layer.open('tls', '127.0.0.1', 9, never())).rejects.toThrow('transport-not-available');
  });

  it('closes a connection whose peer does not read', async () => {
    const peer = await layer({ limits: { queuedBytesMax: 100_000 } });
    const phone = await tcpPhone(peer.port('tcp'));
    phone.socket.pause();
    phone.socket.write(optionsText('TCP 127.0.0.1;branch=z9hG4bK1'));
    const { flow } = await peer.message(0);
    const block = Buffer.alloc(50_000, 'x');
    const reasons: string[] = [];
    for (let i = 0; i < 2_000 && !flow.closed; i += 1) flow.send(block, (reason) => reasons.push(reason));
    expect(flow.closed).toBe(true);
    expect(reasons).toContain('send-queue-full');
    await until(() => peer.flowErrors[0]?.reason === 'send-queue-full');
  });
});

describe('TLS', () => {
  const options = { transports: ['tls'], tls: known(TLS.cert) } as const;

  it('carries messages both ways and verifies the name', async () => {
    const [caller, callee] = [await layer(options), await layer(options)];
    const port = callee.port('tls');
    const flow = await caller.layer.open('tls', '127.0.0.1', port, never(), 'sip.example.com');
    flow.send(Buffer.from(optionsText('TLS 127.0.0.1;branch=z9hG4bK1')));
    const { message, flow: back } = await callee.message(0);
    expect(back.transport).toBe('tls');
    if (message.kind === 'request') back.send(ok(message));
    expect((await caller.message(0)).message).toMatchObject({ kind: 'response', status: 200 });
    expect(await caller.layer.open('tls', '127.0.0.1', port, never(), 'SIP.example.com')).toBe(flow);
    // Verified for one name is not verified for another, nor for the address.
    await expect(caller.layer.open('tls', '127.0.0.1', port, never(), 'other.example.com')).rejects.toThrow(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
    expect(await caller.layer.open('tls', '127.0.0.1', port, never())).not.toBe(flow);
  });

  it('refuses a certificate nobody vouches for, unless told not to care', async () => {
    const callee = await layer(options);
    const open = async (tls: TransportOptions['tls']) => {
      const caller = await layer({ transports: ['tls'], tls });
      return caller.layer.open('tls', '127.0.0.1', callee.port('tls'), never());
    };
    await expect(open(known())).rejects.toThrow(CertificateRefused);
    await expect(open(known())).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect((await open({ ...known(), rejectUnauthorized: false })).closed).toBe(false);
  });

  it('drops a peer that does not shake hands', async () => {
    const callee = await layer({ ...options, limits: { connectMs: 80 } });
    const [silent, plain] = [await tcpPhone(callee.port('tls')), await tcpPhone(callee.port('tls'))];
    plain.socket.write(optionsText('TCP 127.0.0.1;branch=z9hG4bK1'));
    await until(() => silent.closed && plain.closed);
    await until(() => callee.layer.connectionCount === 0);
    expect(callee.messages).toEqual([]);
  });

  it('cannot be had without a certificate', async () => {
    await expect(layer({ transports: ['tls'] })).rejects.toThrow('certificate');
  });
});

describe('lifetime', () => {
  it('refuses a port that is taken, and leaves nothing open', async () => {
    const peer = await layer();
    await expect(layer({ port: peer.port('udp') })).rejects.toThrow('EADDRINUSE');
    await expect(layer({ port: peer.port('tcp'), transports: ['tcp'] })).rejects.toThrow('EADDRINUSE');
  });

  it('closes once, silently, and opens nothing after', async () => {
    const peer = await layer();
    const phone = await tcpPhone(peer.port('tcp'));
    phone.socket.write(optionsText('TCP 127.0.0.1;branch=z9hG4bK1'));
    const { flow } = await peer.message(0);
    const udp = await peer.layer.open('udp', '127.0.0.1', 5060, never());
    await Promise.all([peer.layer.close(), peer.layer.close()]);
    await until(() => phone.closed);
    expect([flow.closed, udp.closed]).toEqual([true, true]);
    expect(peer.flowErrors).toEqual([]);
    await expect(peer.layer.open('udp', '127.0.0.1', 5060, never())).rejects.toThrow('closed');
    const failed = new Promise((resolve) => udp.send(Buffer.from('x'), resolve));
    expect(await failed).toBe('closed');
  });

  it('wants an address, not a name, to listen on', async () => {
    await expect(layer({ host: 'localhost' })).rejects.toThrow('address');
  });

  it('tells peers an address of ours when bound to every address', async () => {
    const peer = await layer({ host: '0.0.0.0' });
    const phone = await udpPhone();
    phone.send(optionsText('UDP 127.0.0.1;branch=z9hG4bK1;rport'), peer.port('udp'));
    expect((await peer.message(0)).flow.localAddress).toBe('127.0.0.1');
  });

  it('reaches IPv4 peers from an IPv6 socket', async () => {
    const peer = await layer({ host: '::' });
    const phone = await udpPhone();
    phone.send(optionsText('UDP 127.0.0.1;branch=z9hG4bK1;rport'), peer.port('udp'));
    const { message, flow } = await peer.message(0);
    expect(flow.remoteAddress).toBe('127.0.0.1');
    if (message.kind === 'request') flow.send(ok(message));
    await until(() => phone.received[0]?.startsWith('SIP/2.0 200'));
  });
});
