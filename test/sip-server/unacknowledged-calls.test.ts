import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { EmbeddedSipServer } from '../../src/sip-server/embedded-server.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { connectApp, SDP, startServer, type TestSrf, udpPort } from '../support/srf-app.ts';
import { until } from '../support/until.ts';

/** T1 of 25 ms: 64*T1 pass in 1.6 s. */
const FAST = { t1Ms: 25, t2Ms: 200, t4Ms: 250 };
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function answeringServer(): Promise<{ server: EmbeddedSipServer; answered: string[] }> {
  const server = await startServer({ timerBase: FAST });
  opened.push(server);
  const srf: TestSrf = await connectApp(server);
  opened.push({ close: () => srf.disconnect() });
  const answered: string[] = [];
  srf.invite((req, res) => {
    answered.push(req.get('Call-ID'));
    srf.createUAS(req, res, { localSdp: SDP }).catch(() => undefined);
  });
  return { server, answered };
}

/** A caller at an address of its own that counts bytes both ways. */
class Stranger {
  sentBytes = 0;
  receivedBytes = 0;
  readonly received: string[] = [];
  private constructor(
    readonly address: string,
    readonly socket: Socket,
    private readonly toPort: number,
  ) {
    socket.on('message', (datagram) => {
      this.receivedBytes += datagram.length;
      this.received.push(datagram.toString());
    });
  }
  static async open(address: string, server: EmbeddedSipServer): Promise<Stranger> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    opened.push({ close: () => socket.close() });
    return new Stranger(address, socket, udpPort(server));
  }
  get port(): number {
    return this.socket.address().port;
  }
  send(text: string): void {
    this.sentBytes += Buffer.byteLength(text);
    this.socket.send(text, this.toPort, '127.0.0.1');
  }
  request(method: string, callId: string, toTag = ''): string {
    const body = method === 'INVITE' ? SDP : '';
    return [
      `${method} sip:1000@127.0.0.1 SIP/2.0`,
      `Via: SIP/2.0/UDP ${this.address}:${this.port};rport;branch=z9hG4bK${method}${callId}`,
      'Max-Forwards: 70',
      `From: "A caller" <sip:caller@${this.address}>;tag=caller`,
      `To: <sip:1000@127.0.0.1>${toTag === '' ? '' : `;tag=${toTag}`}`,
      `Call-ID: ${callId}`,
      `CSeq: 1 ${method}`,
      `Contact: <sip:caller@${this.address}:${this.port}>`,
      'User-Agent: a phone of a usual kind',
      'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, REFER',
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');
  }
  count(start: string): number {
    return this.received.filter((text) => text.startsWith(start)).length;
  }
}

describe('over real UDP', () => {
  it('a hundred INVITEs without an ACK take thirty to sixty lines, and another address gets through at once', async () => {
    const { server, answered } = await answeringServer();
    const stranger = await Stranger.open('127.0.0.66', server);
    const heard = (): number => stranger.count('SIP/2.0 100') + stranger.count('SIP/2.0 503');
    let most = 0; // at once: on a busy machine the first come back before the last is taken
    for (let i = 0; i < 100; i += 1) {
      stranger.send(stranger.request('INVITE', `stranger-${i}`));
      if (i % 10 === 9) await until(() => heard() > i); // More at once may be lost by a busy machine.
      most = Math.max(most, server.dialogCount);
    }
    const guest = await Stranger.open('127.0.0.9', server);
    guest.send(guest.request('INVITE', 'guest'));
    await until(() => guest.count('SIP/2.0 200') > 0);
    const lines = (): number => answered.filter((callId) => callId.startsWith('stranger')).length;
    await until(() => lines() + stranger.count('SIP/2.0 503') === 100, 'an answer to each');
    expect([lines() >= 30, most <= 60]).toEqual([true, true]);
    await until(() => server.dialogCount <= 1, 'the lines come back');
  });

  it('one INVITE without an ACK brings at most ten times its bytes', async () => {
    const { server } = await answeringServer();
    const stranger = await Stranger.open('127.0.0.66', server);
    stranger.send(stranger.request('INVITE', 'one'));
    await until(() => stranger.count('BYE') > 0 && server.dialogCount === 0);
    await until(() => server.stats().transactions.client === 0, 'the BYE is given up');
    expect(stranger.count('SIP/2.0 200')).toBeGreaterThanOrEqual(5);
    expect(stranger.receivedBytes / stranger.sentBytes).toBeLessThanOrEqual(10);
  });

  it.runIf(EVERY_TEST)('a hundred calls in a row that are acknowledged all get through', async () => {
    const { server, answered } = await answeringServer();
    const caller = await Stranger.open('127.0.0.66', server);
    for (let i = 0; i < 100; i += 1) {
      const callId = `call-${i}`;
      caller.send(caller.request('INVITE', callId));
      const ok = await until(() =>
        caller.received.find((text) => text.startsWith('SIP/2.0 200') && text.includes(`Call-ID: ${callId}\r\n`)),
      );
      caller.send(caller.request('ACK', callId, /^To:.*;tag=(\S+)/m.exec(ok)?.[1]));
    }
    expect([answered.length, caller.count('SIP/2.0 503')]).toEqual([100, 0]);
  });
});
