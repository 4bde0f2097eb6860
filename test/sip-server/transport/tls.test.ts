import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { PEER_CERTIFICATE_HEADER } from '../../../src/core/peer-certificate.ts';
import { makeResponse } from '../../../src/sip-server/message/build-message.ts';
import { serializeSipMessage } from '../../../src/sip-server/message/serialize-message.ts';
import { CertificateRefused } from '../../../src/sip-server/transport/flow.ts';
import type { TlsOptions } from '../../../src/sip-server/transport/stream-endpoints.ts';
import type { TransportOptions } from '../../../src/sip-server/transport/transport-layer.ts';
import { believing, pairFor } from '../../support/certificates.ts';
import { optionsText, RecordingLayer } from '../../support/transport-peer.ts';
import { until } from '../../support/until.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function layer(tls: TlsOptions, more: Partial<TransportOptions> = {}): Promise<RecordingLayer> {
  const peer = await RecordingLayer.open({ transports: ['tls'], tls, ...more });
  opened.push(peer.layer);
  return peer;
}
const never = (): AbortSignal => new AbortController().signal;
const request = (extra = ''): Buffer =>
  Buffer.from(optionsText(`TLS 127.0.0.1:5071;branch=z9hG4bK${Math.random()}${extra}`));

const sbc = pairFor(['sbc.example.com', '127.0.0.1']);
const nidaa = pairFor(['nidaa.example.com']);
const stranger = pairFor(['stranger.example.com']);
const trusting = (pair: typeof sbc, ...trusted: (typeof sbc)[]): TlsOptions => ({
  credentials: believing(pair, ...trusted),
});

/** A bare TLS client with or without a certificate. */
async function client(port: number, options: object = {}): Promise<TLSSocket & { text: string }> {
  const socket = Object.assign(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }), {
    text: '',
  });
  socket.on('data', (chunk: Buffer) => {
    socket.text += String(chunk);
  });
  socket.on('error', () => undefined);
  opened.push({ close: () => socket.destroy() });
  await once(socket, 'secureConnect');
  return socket;
}

describe('a peer that we call', () => {
  const open = async (pair: typeof sbc, name: string | undefined, options: Partial<TlsOptions> = {}) => {
    const callee = await layer(trusting(pair, sbc));
    const caller = await layer({ ...trusting(nidaa, sbc, pairFor(['x']), expired), ...options });
    return caller.layer.open('tls', '127.0.0.1', callee.port('tls'), never(), name);
  };
  const expired = pairFor(['sbc.example.com'], -1);
  const wild = pairFor(['*.example.com']);

  it.each([
    { name: 'has expired', pair: expired, host: 'sbc.example.com', code: 'CERT_HAS_EXPIRED' },
    { name: 'is for another name', pair: sbc, host: 'other.example.com', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    {
      name: 'is vouched for by nobody',
      pair: stranger,
      host: 'stranger.example.com',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    },
  ])('is refused with a certificate that $name', async ({ pair, host, code }) => {
    const opening = open(pair, host);
    await expect(opening).rejects.toBeInstanceOf(CertificateRefused);
    await expect(opening).rejects.toThrow(code);
  });

  it('is refused with a wildcard, unless those are taken', async () => {
    const credentials = believing(nidaa, wild);
    await expect(open(wild, 'sbc.example.com', { credentials })).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
    const flow = await open(wild, 'sbc.example.com', { credentials, wildcardNames: true });
    expect(flow).toMatchObject({ closed: false, opened: true, peerNames: ['*.example.com'] });
  });

  it('is no certificate matter when nobody is there', async () => {
    const caller = await layer(trusting(nidaa, sbc));
    const opening = caller.layer.open('tls', '127.0.0.1', 1, never(), 'sbc.example.com');
    await expect(opening).rejects.not.toBeInstanceOf(CertificateRefused);
  });
});

describe('a peer that calls us', () => {
  const asking = (clientCertificates: 'off' | 'request' | 'require'): TlsOptions => ({
    ...trusting(nidaa, sbc),
    clientCertificates,
  });
  const told = async (tls: TlsOptions, certificate: object, text = request()): Promise<string | undefined> => {
    const callee = await layer(tls);
    const socket = await client(callee.port('tls'), certificate);
    socket.write(text);
    // However it is spelled: the application does not mind.
    const { headers } = (await callee.message(0)).message;
    const said = headers.filter(({ name }) => name.toLowerCase() === PEER_CERTIFICATE_HEADER.toLowerCase());
    return said.map(({ value }) => value).join(' and ') || undefined;
  };
  const forged = Buffer.from(
    request().toString().replace('Max-Forwards', 'nidaa-PEER-certificate: bank.example\r\nMax-Forwards'),
  );

  it.each([
    { name: 'one we believe', ask: 'request', certificate: sbc, names: 'sbc.example.com' },
    { name: 'one we must have and believe', ask: 'require', certificate: sbc, names: 'sbc.example.com' },
    { name: 'one nobody vouches for', ask: 'request', certificate: stranger, names: undefined },
    { name: 'none', ask: 'request', certificate: {}, names: undefined },
    { name: 'one we did not ask for', ask: 'off', certificate: sbc, names: undefined },
  ] as const)('with $name ($ask): the application hears $names', async ({ ask, certificate, names }) => {
    expect(await told(asking(ask), certificate)).toBe(names);
  });

  it('cannot say it by itself', async () => {
    expect(await told(asking('request'), {}, forged)).toBeUndefined();
    expect(await told(asking('request'), sbc, forged)).toBe('sbc.example.com');
  });

  it.each([{ certificate: {} }, { certificate: stranger }])(
    'does not get in without one that must be',
    async ({ certificate }) => {
      const callee = await layer(asking('require'));
      const socket = await client(callee.port('tls'), { ...certificate, maxVersion: 'TLSv1.3' }).catch(() => undefined);
      socket?.write(request());
      await until(() => callee.layer.connectionCount === 0);
      expect(callee.messages).toEqual([]);
    },
  );

  it('must speak a version that is new enough', async () => {
    const callee = await layer({ ...trusting(nidaa), minVersion: 'TLSv1.3' });
    const old = client(callee.port('tls'), { maxVersion: 'TLSv1.2' });
    await expect(old).rejects.toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' });
    expect(callee.failedHandshakes).toEqual(['ERR_SSL_UNSUPPORTED_PROTOCOL']);
  });
});

describe('a certificate for each domain', () => {
  const other = pairFor(['other.example.com']);
  const many = pairFor(['*.many.example.com']);
  const shown = async (port: number, servername?: string): Promise<unknown> => {
    const socket = await client(port, servername === undefined ? {} : { servername });
    return socket.getPeerCertificate().subject.CN;
  };

  it.each([
    ['other.example.com', 'other.example.com'],
    ['OTHER.example.com', 'other.example.com'],
    ['a.many.example.com', '*.many.example.com'],
    ['a.b.many.example.com', 'sbc.example.com'],
    ['nobody.example.com', 'sbc.example.com'],
    [undefined, 'sbc.example.com'],
  ])('who asks for %s is shown that of %s', async (asked, is) => {
    const callee = await layer({ ...trusting(sbc), others: [believing(stranger), believing(other), believing(many)] });
    expect(await shown(callee.port('tls'), asked)).toBe(is);
  });

  it('is replaced like the first, also by one of another domain', async () => {
    const second = believing(other);
    const callee = await layer({ ...trusting(sbc), others: [second] });
    second.replace(pairFor(['fresh.example.com']));
    expect(await shown(callee.port('tls'), 'fresh.example.com')).toBe('fresh.example.com');
    expect(await shown(callee.port('tls'), 'other.example.com')).toBe('sbc.example.com');
  });

  it('believes whom the first one believes', async () => {
    const tls: TlsOptions = {
      ...trusting(sbc, nidaa),
      others: [believing(other, nidaa)],
      clientCertificates: 'require',
    };
    const callee = await layer(tls);
    const socket = await client(callee.port('tls'), { ...nidaa, servername: 'other.example.com' });
    socket.write(request());
    const { message } = await callee.message(0);
    expect(message.headers.find(({ name }) => name === PEER_CERTIFICATE_HEADER)?.value).toBe('nidaa.example.com');
  });
});

describe('a certificate that is replaced', () => {
  it('serves the next handshake, and no connection is lost', async () => {
    const tls = trusting(sbc, nidaa);
    const callee = await layer(tls);
    const before = await client(callee.port('tls'));
    const fresh = pairFor(['fresh.example.com']);
    tls.credentials.replace({ ...fresh, ca: nidaa.cert });
    const after = await client(callee.port('tls'), { servername: 'fresh.example.com' });
    const commonName = (socket: TLSSocket): unknown => socket.getPeerCertificate().subject.CN;
    expect([commonName(before), commonName(after)]).toEqual(['sbc.example.com', 'fresh.example.com']);
    before.write(request());
    const { message, flow } = await callee.message(0);
    if (message.kind === 'request') flow.send(serializeSipMessage(makeResponse(message, 200, 'OK', { toTag: 't' })));
    await until(() => before.text.startsWith('SIP/2.0 200'));
    // Whom we believe changes too: a connection of ours is made with what is there now.
    const caller = await layer({ credentials: believing(nidaa, sbc) });
    await expect(
      caller.layer.open('tls', '127.0.0.1', callee.port('tls'), never(), 'fresh.example.com'),
    ).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT');
  });
});

describe('a connection is used again (RFC 5923)', () => {
  const connected = async (via: string) => {
    const callee = await layer({ ...trusting(nidaa, sbc), clientCertificates: 'request' });
    const caller = await layer(trusting(sbc, nidaa));
    const out = await caller.layer.open('tls', '127.0.0.1', callee.port('tls'), never(), 'nidaa.example.com');
    out.send(request(via));
    const { flow } = await callee.message(0);
    const back = (name?: string) => callee.layer.open('tls', '127.0.0.1', 5071, never(), name);
    return { flow, back };
  };

  it('by the one who opened it, for requests the other way, where its certificate names it', async () => {
    const { flow, back } = await connected(';alias');
    expect(await back('SBC.example.com')).toBe(flow);
    await expect(back('other.example.com')).rejects.toThrow('ECONNREFUSED');
    flow.send(Buffer.alloc(2_000_000)); // over the limit of what may wait: it closes
    await expect(back('sbc.example.com')).rejects.toThrow('ECONNREFUSED');
  });

  it('not where that was not said', async () => {
    const { back } = await connected('');
    await expect(back('sbc.example.com')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('keep-alive (RFC 5626)', () => {
  const limits = { keepAliveMs: 60, pongMs: 120 };

  it('goes both ways on a connection that we opened, and ends one whose peer falls silent', async () => {
    const callee = await layer(trusting(sbc));
    const caller = await layer(trusting(nidaa, sbc), { limits: { ...limits, idleMs: 300 } });
    const flow = await caller.layer.open('tls', '127.0.0.1', callee.port('tls'), never(), 'sbc.example.com');
    await new Promise((resolve) => setTimeout(resolve, 700)); // more than twice the idle time of one that does not answer
    expect(flow.closed).toBe(false);
    flow.send(request());
    const { flow: other } = await callee.message(0);
    expect(other).toMatchObject({ closed: false, opened: false });
    expect(callee.messages).toHaveLength(1);
  });
});
