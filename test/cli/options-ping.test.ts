import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { type PingTrust, pingHost } from '../../src/cli/options-ping.ts';
import { systemClock } from '../../src/core/clock.ts';
import { pairFor } from '../support/certificates.ts';

const good = pairFor(['localhost']);
const expired = pairFor(['localhost'], -1);
const elsewhere = pairFor(['elsewhere.example.com']);
const unknown = pairFor(['localhost']);
const ca = good.cert + expired.cert + elsewhere.cert;
const TRUST: PingTrust = { ca, verifyPeers: true, wildcardNames: false, minVersion: 'TLSv1.2' };

let server: Server | undefined;
afterEach(() => server?.close());

/** What is said of a host that shows this certificate, and what it heard. */
async function ping(pair: typeof good, trust: Partial<PingTrust> = {}) {
  let heard = '';
  server = createServer(pair, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += String(chunk);
      socket.write('SIP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  }).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => undefined);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const result = await pingHost(`sip:localhost:${port};transport=tls`, systemClock, { ...TRUST, ...trust });
  return { result, heard };
}

describe('a host asked over TLS whether it is there', () => {
  it('answers where its certificate is right', async () => {
    const { result, heard } = await ping(good);
    expect(result).toMatchObject({ ok: true, status: 200, address: expect.stringContaining('tls 127.0.0.1:') });
    expect(heard).toMatch(/^OPTIONS sip:localhost:\d+;transport=tls SIP\/2\.0\r\n/);
  });

  it.each([
    { name: 'has expired', pair: expired, why: /expired/ },
    { name: 'is for another name', pair: elsewhere, why: /another name/ },
    { name: 'is vouched for by nobody', pair: unknown, why: /self-signed/ },
  ])('is as a call would find it where its certificate $name', async ({ pair, why }) => {
    const { result, heard } = await ping(pair);
    expect(result).toMatchObject({ ok: false, why: expect.stringMatching(why) });
    expect(heard).toBe('');
    server?.close();
    expect((await ping(pair, { verifyPeers: false })).result.ok).toBe(true);
  });
});
