import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { NgClient } from '../../src/media/edge/ng-client.ts';
import type { RtpengineEdge } from '../../src/media/edge/rtpengine-edge.ts';
import { Baresip, speaksSrtp } from '../support/baresip.ts';
import { recordOf, saidIn, texts } from '../support/call-record.ts';
import { spoken } from '../support/caller-voice.ts';
import { configFolder, ENGLISH } from '../support/config-folder.ts';
import { EchoGateway } from '../support/echo-gateway.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { callWith, missingForCalls, sayUntil } from '../support/phone-call.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { edgeOf, HAS_RTPENGINE, Rtpengine } from '../support/rtpengine.ts';
import { sdpText } from '../support/sdp-texts.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

const isLong = process.env['NIDAA_TEST_LONG'] === '1';
const isTried = isLong && HAS_RTPENGINE && speaksSrtp() && missingForCalls.length === 0;
const portIn = (sdp: string): number => Number(/^m=audio (\d+)/m.exec(sdp)?.[1]);

describe.skipIf(!isTried)('a gateway behind a real rtpengine', () => {
  let engine: Rtpengine;
  let gateway: Gateway;
  beforeAll(async () => {
    engine = await Rtpengine.start();
    const { address } = engine;
    const yaml = `media: { rtpTimeoutMs: 3000, edge: { engines: [{ address: '${address}' }], pingMs: 500, timeoutMs: 500 } }\n`;
    const folder = configFolder({ ...ENGLISH, 'nidaa.yaml': yaml });
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` },
    });
  }, 200_000);
  afterAll(async () => {
    await gateway?.dispose();
    await engine?.kill();
  });

  const edgePart = async (): Promise<{ state: string; detail?: string }> => {
    const ready = (await (await fetch(`${gateway.api}/readyz`)).json()) as { parts: { edge: { state: string } } };
    return ready.parts.edge;
  };
  const talk = (encryption: 'srtp-mand' | 'dtls_srtp') =>
    callWith(
      gateway,
      '1000',
      [],
      async (phone) => {
        await saidIn(gateway, phone.sipCallId, 'help you');
        await sayUntil(gateway, phone, spoken('where is my order'), 'order number');
      },
      { encryption },
    );

  it.each([
    { encryption: 'dtls_srtp', keys: 'dtls', protocol: 'UDP/TLS/RTP/SAVPF' },
    { encryption: 'srtp-mand', keys: 'sdes', protocol: 'RTP/SAVP' },
  ] as const)('an agent is heard and understands: $encryption', async ({ encryption, keys, protocol }) => {
    const { heard, call } = await talk(encryption);
    expect(heard.voicedSeconds(0, 6)).toBeGreaterThan(2);
    expect(texts(call, 'caller').join(' ')).toMatch(/order/);
    expect(call.quality).toMatchObject({
      edge: engine.address,
      outerKeys: keys,
      outerProtocol: protocol,
      outerErrors: 0,
    });
    expect(call.quality).not.toHaveProperty('srtpSuite');
  });

  it('is shot down in a call: that ends by media timeout and says why, new calls get 503, and when it is back they are taken', async () => {
    const phone = await Baresip.start({ encryption: 'srtp-mand', maxSeconds: 60 });
    try {
      expect(typeof (await phone.call(`sip:1000@127.0.0.1:${gateway.sipPort}`))).toBe('number');
      await saidIn(gateway, phone.sipCallId, 'help you');
      await engine.kill();
      await until(async () => (await edgePart()).state === 'down', 'it is noticed');
      expect((await edgePart()).detail).toContain(engine.address);
      const refused = await Baresip.start({ encryption: 'srtp-mand' });
      expect(await refused.call(`sip:1000@127.0.0.1:${gateway.sipPort}`)).toContain('503');
      refused.dispose();
      const doctor = await nidaa(gateway, 'doctor');
      expect(doctor.stdout).toMatch(/FAIL +media edge +no rtpengine answers/);
      expect(await phone.closed(20_000)).toBeDefined();
      const { end } = await recordOf(gateway, phone.sipCallId);
      expect(end).toMatchObject({ party: 'network', reason: 'media-timeout' });
      expect(end?.detail).toContain(engine.address);
    } finally {
      phone.dispose();
    }
    expect(await gateway.metrics()).toMatch(/nidaa_media_edge_engines\{state="down"\} 1/);
    await engine.run();
    await until(async () => (await edgePart()).state === 'ok', 'it is taken again');
    const { call } = await talk('srtp-mand');
    expect(call.quality).toMatchObject({ outerKeys: 'sdes' });
  });
});

describe.skipIf(!isTried)('the outer side of a real rtpengine', () => {
  let engine: Rtpengine;
  let edge: RtpengineEdge;
  let gateway: EchoGateway;
  beforeAll(async () => {
    engine = await Rtpengine.start();
    edge = await edgeOf([`127.0.0.1:${engine.port + 1}`, engine.address]); // where one is away
    gateway = await EchoGateway.open(edge);
  });
  afterAll(async () => {
    await gateway?.close();
    edge?.close();
    await engine?.kill();
  });

  it('a phone that takes DTLS alone is called', async () => {
    const phone = await Baresip.start({ user: 'callee', encryption: 'dtls_srtp', microphone: tone(440, 80_000) });
    try {
      const answering = phone.answer(20_000);
      const call = await gateway.dial(`sip:callee@127.0.0.1:${phone.sipPort}`, { encryption: 'require', dtls: true });
      expect(await answering).toBe(true);
      await until(async () => (await call.port.stats()).packetsReceived > 100, 'audio comes');
      phone.hangup();
      await until(() => call.stats);
      expect(call.outer).toMatchObject({ edge: engine.address, outerProtocol: 'UDP/TLS/RTP/SAVP', outerKeys: 'dtls' });
      const heard = await phone.finish();
      expect(heard && amplitudeAt(heard.samples.subarray(4_000, 12_000), 440)).toBeGreaterThan(0.05);
    } finally {
      phone.dispose();
    }
  });

  it('sends nothing to an address that a caller only names, and hears nobody who was not first', async () => {
    const [victim, media, stranger] = [await RtpPeer.open('127.0.0.2'), await RtpPeer.open(), await RtpPeer.open()];
    const caller = await new UdpCaller(Number(/:(\d+)$/.exec(gateway.uri)?.[1])).open();
    caller.target = gateway.uri;
    const offer = sdpText({ session: ['c=IN IP4 127.0.0.2'], media: [`m=audio ${victim.port} RTP/AVP 0`] });
    const port = portIn((await caller.call(offer)).body);
    const call = gateway.calls.at(-1)!;
    call.port.write(new Int16Array(8_000).fill(1_000));
    await until(async () => (await call.port.stats()).packetsSent > 50, 'the agent speaks');
    expect(victim.heard).toEqual([]);
    media.speak(port, 440);
    await until(() => media.heard.length > 50, 'an echo');
    const before = (await call.port.stats()).packetsReceived;
    stranger.ssrc = 0x7777_7777;
    stranger.speak(port, 700);
    await until(async () => (await call.port.stats()).packetsReceived > before + 100, 'more of the first');
    expect((await call.port.stats()).packetsRejected).toBeLessThan(10);
    expect(stranger.heard).toEqual([]);
    caller.sendRequest('BYE');
    await caller.final('BYE');
    for (const each of [victim, media, stranger, caller]) each.close();
  });

  it('an offer that comes late, a hold by the unspecified address, and one by port 0', async () => {
    const media = await RtpPeer.open();
    const caller = await new UdpCaller(Number(/:(\d+)$/.exec(gateway.uri)?.[1])).open();
    caller.target = gateway.uri;
    const description = (address: string, port: number): string =>
      sdpText({ session: [`c=IN IP4 ${address}`], media: [`m=audio ${port} RTP/AVP 0`] });
    caller.sendRequest('INVITE', { headers: [] });
    const ok = await caller.final('INVITE');
    caller.adopt(ok);
    caller.sendRequest('ACK', { body: description('127.0.0.1', media.port) });
    media.speak(portIn(ok.body), 440);
    await until(() => media.heard.length > 50, 'an echo');
    const { agreed } = gateway.calls.at(-1)!;
    for (const [address, port, direction] of [
      ['0.0.0.0', media.port, 'recvonly'],
      ['127.0.0.1', media.port, 'sendrecv'],
      ['127.0.0.1', 0, 'inactive'],
      ['127.0.0.1', media.port, 'sendrecv'],
    ] as const) {
      caller.sendRequest('INVITE', { body: description(address, port) });
      expect((await caller.final('INVITE')).status).toBe(200);
      caller.sendRequest('ACK');
      expect(agreed.at(-1)?.direction).toBe(direction);
    }
    const { length } = media.heard;
    await until(() => media.heard.length > length + 50, 'an echo again');
    caller.sendRequest('BYE');
    await caller.final('BYE');
    for (const each of [media, caller]) each.close();
  });

  it('holds nothing when all are over', async () => {
    const client = new NgClient({ host: '127.0.0.1', port: engine.port, clock: systemClock, timeoutMs: 1_000 });
    await until(async () => {
      const reply = await client.ask('list');
      return typeof reply === 'object' && (reply.get('calls') as readonly unknown[]).length === 0;
    });
    client.close();
  });
});
