import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { SrfRequest } from '../../src/sip/drachtio.ts';
import { senderFactsOf } from '../../src/sip/incoming-call.ts';
import { believing, pairFor } from '../support/certificates.ts';
import { offer, SignallingRig } from '../support/signalling-rig.ts';
import { until } from '../support/until.ts';

const nidaa = pairFor(['nidaa.example.com']);
const carrier = pairFor(['carrier.example.com']);
const stranger = pairFor(['stranger.example.com']);
let rig: SignallingRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

it.each([
  { name: 'of a certificate we believe', certificate: carrier, names: ['carrier.example.com'] },
  { name: 'of nobody without one', certificate: {}, names: undefined },
  { name: 'of nobody whom nobody vouches for', certificate: stranger, names: undefined },
])('a call over TLS tells the names $name, whatever it says itself', async ({ certificate, names }) => {
  const tls = { credentials: believing(nidaa, carrier), clientCertificates: 'request' as const, port: 0 };
  rig = await SignallingRig.open('listen', systemClock, { transports: ['udp', 'tls'], tls });
  const port = rig.embedded.listening.find(({ transport }) => transport === 'tls')!.port;
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...certificate });
  await once(socket, 'secureConnect');
  const lines = [
    'INVITE sip:2000@127.0.0.1 SIP/2.0',
    'Via: SIP/2.0/TLS 127.0.0.1;branch=z9hG4bKtls',
    'Max-Forwards: 70',
    'From: <sip:alice@example.com>;tag=a',
    'To: <sip:2000@127.0.0.1>',
    'Call-ID: tls-call',
    'CSeq: 1 INVITE',
    'Contact: <sip:alice@127.0.0.1;transport=tls>',
    'nidaa-peer-certificate: bank.example.com',
    'Content-Type: application/sdp',
    `Content-Length: ${offer.length}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${offer}`);
  const { info } = await until(() => rig!.legs[0]);
  expect(info).toMatchObject({ transport: 'tls', from: 'alice' });
  expect(rig.senders.map(({ certificateNames }) => certificateNames)).toEqual([names]);
  socket.destroy();
});

it('a SIP server that is elsewhere may hand on what anybody wrote: it is not read', () => {
  const request = { headers: { 'nidaa-peer-certificate': 'bank.example.com, b' } } as unknown as SrfRequest;
  expect(senderFactsOf(request, false).certificateNames).toBeUndefined();
  expect(senderFactsOf(request, true).certificateNames).toEqual(['bank.example.com', 'b']);
});
