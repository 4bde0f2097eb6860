import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DialError } from '../../src/call/dialer.ts';
import { systemClock } from '../../src/core/clock.ts';
import { believing, pairFor } from '../support/certificates.ts';
import { mark } from '../support/marks.ts';
import { offer, plain, SignallingRig } from '../support/signalling-rig.ts';

const good = pairFor(['localhost']);
const expired = pairFor(['localhost'], -1);
const elsewhere = pairFor(['elsewhere.example.com']);
const unknown = pairFor(['localhost']);
const own = pairFor(['nidaa.example.com']);

describe('a call over TLS', () => {
  let rig: SignallingRig;
  let far: Server;
  let heard: string;
  beforeEach(async () => {
    rig = await SignallingRig.open('listen', systemClock, {
      transports: ['udp', 'tls'],
      tls: { credentials: believing(own, good, expired, elsewhere), port: 0 },
    });
  });
  afterEach(async () => {
    far.close();
    await rig.close();
  });

  const dial = async (pair: typeof good, scheme = 'sips') => {
    heard = '';
    far = createServer(pair, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        heard += String(chunk);
        const head = /^(?:Via|From|To|Call-ID|CSeq): .*\r\n/gm;
        const copied = (heard.match(head) ?? []).join('').replace(/^(To: .*)\r\n/m, '$1;tag=far\r\n');
        if (!heard.includes('a=rtpmap') || heard.includes('ACK ')) return;
        const type = `Contact: <sips:bob@localhost>\r\nContent-Type: application/sdp\r\nContent-Length: ${offer.length}`;
        socket.write(`SIP/2.0 200 OK\r\n${copied}${type}\r\n\r\n${offer}`);
      });
    }).listen(0, '127.0.0.1');
    far.on('tlsClientError', () => undefined);
    await once(far, 'listening');
    const { port } = far.address() as AddressInfo;
    const uri = scheme === 'sips' ? `sips:bob@localhost:${port}` : `sip:bob@localhost:${port};transport=tls`;
    return rig.server.dial({ uri, from: 'me', media: plain, ringTimeoutMs: 3_000 });
  };

  it.each([
    { name: 'has expired', pair: expired, code: 'CERT_HAS_EXPIRED' },
    { name: 'is for another name', pair: elsewhere, code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    { name: 'is vouched for by nobody', pair: unknown, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  ])('F17: is not made where the certificate $name, and says so', async ({ name, pair, code }) => {
    const error = await dial(pair).then(
      () => undefined,
      (failed: DialError) => failed,
    );
    expect(error).toMatchObject({ status: 0, end: { party: 'network', reason: 'certificate-refused', detail: code } });
    mark('F17', 'tls', heard === '' ? 0 : 1, name);
  });

  it.each([
    { scheme: 'sips', contact: /^Contact: <sips:me@127\.0\.0\.1:\d+>/m },
    { scheme: 'sip', contact: /^Contact: <sip:me@127\.0\.0\.1:\d+;transport=tls>/m },
  ])('is made where it is right ($scheme)', async ({ scheme, contact }) => {
    const leg = await dial(good, scheme);
    expect(heard).toMatch(contact);
    expect(heard).toMatch(/^Via: SIP\/2\.0\/TLS 127\.0\.0\.1:\d+;branch=\S+;alias/m);
    expect(leg.info.transport).toBe('tls');
    void leg.hangup({ party: 'gateway', reason: 'shutdown' });
  });
});
