import { afterAll, describe, expect, inject, it } from 'vitest';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { DrachtioStub } from '../support/drachtio-stub.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { freeTcpPort } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sdpText } from '../support/sdp-texts.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { headerOf, UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

/** The whole gateway with a drachtio-server elsewhere, by one setting. */
const SECRET = 'a-secret-of-the-tests';
const offer = sdpText({ session: ['c=IN IP4 127.0.0.1'], media: ['m=audio 4000 RTP/AVP 0'] });
const opened: { close(): unknown }[] = [];
afterAll(async () => {
  for (const part of opened.reverse()) await part.close();
});

async function gatewayAt(adminPort: number, secret = SECRET): Promise<Gateway> {
  const sip = `sip: { server: 'drachtio://:${secret}@127.0.0.1:${adminPort}' }\n`;
  const folder = configFolder({ 'nidaa.yaml': sip, ...GREETER });
  opened.push({ close: () => folder.remove() });
  const databaseUrl = await sharedDatabase(inject('postgresDesk'));
  const gateway = await startGateway({ databaseUrl, env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` } });
  opened.push({ close: () => gateway.dispose() });
  return gateway;
}
const sipState = async (gateway: Gateway): Promise<{ state: string; detail?: string }> => {
  const answer = (await (await fetch(`${gateway.api}/readyz`)).json()) as { parts: { sip: { state: string } } };
  return answer.parts.sip;
};
async function invite(server: DrachtioStub) {
  const phone = await new UdpCaller(server.sipPort).open();
  phone.answerByes();
  opened.push(phone);
  phone.sendRequest('INVITE', { body: offer, uri: `sip:1000@127.0.0.1:${server.sipPort}` });
  const answer = await phone.final('INVITE');
  if (answer.status === 200) {
    phone.adopt(answer);
    phone.sendRequest('ACK');
  }
  return { phone, answer };
}

describe('a gateway with a drachtio-server', { concurrent: true }, () => {
  it('says where that listens, and leaves it to others when it drains', async () => {
    const server = await DrachtioStub.open(SECRET);
    opened.push(server);
    const gateway = await gatewayAt(server.adminPort);
    expect(gateway.sip).toBe(`sip:1000@127.0.0.1:${server.sipPort}`);
    expect(gateway.log()).toContain('only the embedded SIP server obeys sip.port');
    const { phone, answer } = await invite(server);
    expect(answer.status).toBe(200);
    const gone = gateway.stop('SIGTERM');
    // Nobody is left to take it, which the server says itself: our own refusal would name a reason.
    await until(async () => {
      const { phone: late, answer: refused } = await invite(server);
      if (refused.status === 200) late.sendRequest('BYE'); // the routes were still there
      return refused.status === 503 && headerOf(refused, 'Reason') === '';
    });
    phone.sendRequest('BYE');
    expect((await phone.final('BYE')).status).toBe(200);
    expect(await gone).toBe(0);
    // What it told of the call, written at the latest when the gateway goes.
    const steps = await withStore(gateway, async ({ ladders }) => (await ladders.of(phone.callId))[0]?.steps ?? []);
    expect(steps.map(({ direction, line }) => `${direction} ${line.replace(/ sip:\S+/, '')}`)).toEqual(
      expect.arrayContaining(['in INVITE SIP/2.0', 'out SIP/2.0 200 OK', 'in ACK SIP/2.0', 'in BYE SIP/2.0']),
    );
  });

  it.runIf(EVERY_TEST)('starts without it, says what is missing, and is there when it comes', async () => {
    const adminPort = await freeTcpPort();
    const gateway = await gatewayAt(adminPort);
    expect(await sipState(gateway)).toEqual({
      state: 'down',
      detail: `no SIP server answers at 127.0.0.1:${adminPort}`,
    });
    const other = await DrachtioStub.open('another', adminPort);
    await until(async () => (await sipState(gateway)).detail?.includes('refuses our secret'));
    await other.close();
    opened.push(await DrachtioStub.open(SECRET, adminPort));
    await until(async () => (await sipState(gateway)).state === 'ok');
    expect(gateway.log()).not.toContain(SECRET);
  });
});
