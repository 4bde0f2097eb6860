import { expect, inject, it } from 'vitest';
import { sdpText } from '../support/sdp-texts.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { headerOf, UdpCaller } from '../support/udp-caller.ts';

/** Callers that would have a gateway talk to itself: to another call of its, or to one of its services. */
const loopback = (port: number) => sdpText({ session: ['c=IN IP4 127.0.0.1'], media: [`m=audio ${port} RTP/AVP 0`] });
const audioPort = (sdp: string) => Number(/^m=audio (\d+)/m.exec(sdp)?.[1]);

it('a call that names a port of this gateway is refused, in re-INVITE and UPDATE too', async () => {
  const gateway = await sharedGateway(inject('gatewayDesk'));
  const [first, second] = await Promise.all([0, 1].map(() => new UdpCaller(gateway.sipPort).open()));
  if (!first || !second) throw new Error('no phones');
  const livePort = audioPort((await first.call(loopback(4000))).body);
  const lastPort = Number(gateway.env['NIDAA_RTP_PORTS']?.split('-')[1]);
  const freePort = livePort + 2 < lastPort ? livePort + 2 : livePort - 2; // one of the range, nearly always without a call
  const ports = { sip: gateway.sipPort, http: Number(new URL(gateway.api).port), live: livePort, free: freePort };
  for (const [name, port] of Object.entries(ports)) {
    const caller = await new UdpCaller(gateway.sipPort).open();
    caller.sendRequest('INVITE', { body: loopback(port), uri: `sip:1000@127.0.0.1:${gateway.sipPort}` });
    const refusal = await caller.final('INVITE');
    expect([name, refusal.status, headerOf(refusal, 'Warning').slice(0, 3)]).toEqual([name, 488, '301']);
    caller.close();
  }
  const port = audioPort((await second.call(loopback(4002))).body);
  for (const method of ['INVITE', 'UPDATE']) {
    first.sendRequest(method, { body: loopback(port) });
    expect((await first.final(method)).status).toBe(488);
  }
  for (const phone of [first, second]) {
    phone.sendRequest('BYE');
    expect((await phone.final('BYE')).status).toBe(200);
    phone.close();
  }
});
