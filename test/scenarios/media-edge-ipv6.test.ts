import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MediaEncryption } from '../../src/core/trunk.ts';
import type { RtpengineEdge } from '../../src/media/edge/rtpengine-edge.ts';
import { Baresip, type PhoneOptions, speaksSrtp } from '../support/baresip.ts';
import { type EchoCall, EchoGateway } from '../support/echo-gateway.ts';
import { edgeOf, HAS_RTPENGINE, Rtpengine } from '../support/rtpengine.ts';
import { tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const SECONDS = 30;
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
const isTried = process.env['NIDAA_TEST_LONG'] === '1' && HAS_RTPENGINE && speaksSrtp() && hasIpv6;

type Way = readonly [PhoneOptions['encryption'], MediaEncryption, { readonly dtls?: boolean }, object];
const WAYS: readonly Way[] = [
  [undefined, 'none', {}, { outerProtocol: 'RTP/AVP' }],
  ['srtp-mand', 'require', {}, { outerProtocol: 'RTP/SAVP', outerKeys: 'sdes' }],
  ['dtls_srtp', 'require', { dtls: true }, { outerKeys: 'dtls' }],
];

describe.skipIf(!isTried)('IPv6 outside of a real rtpengine, and IPv4 inside', () => {
  let engine: Rtpengine;
  let edge: RtpengineEdge;
  let gateway: EchoGateway;
  const phones: Baresip[] = [];
  beforeAll(async () => {
    engine = await Rtpengine.start(5, ['lan/127.0.0.1', 'wan/127.0.0.1', 'wan/::1']);
    edge = await edgeOf([engine.address], { interfaces: { inner: 'lan', outer: 'wan' } });
    gateway = await EchoGateway.open(edge, '::1');
  });
  afterEach(async () => {
    for (const phone of phones.splice(0)) phone.dispose();
    await engine.free();
  });
  afterAll(async () => {
    await gateway?.close();
    edge?.close();
    await engine?.kill();
  });

  const phoneOf = async (encryption: PhoneOptions['encryption']): Promise<Baresip> => {
    const microphone = tone(440, 8000 * SECONDS, { amplitude: 0.3 });
    const options = { user: 'callee', address: '::1', maxSeconds: SECONDS + 10, microphone };
    const phone = await Baresip.start({ ...options, ...(encryption && { encryption }) });
    phones.push(phone);
    return phone;
  };
  /** Is heard, holds and resumes, and hangs up. */
  async function talkThrough(phone: Baresip, call: EchoCall): Promise<void> {
    const moved = async (): Promise<void> => {
      const { packetsReceived } = await call.port.stats();
      await until(async () => (await call.port.stats()).packetsReceived > packetsReceived + 50, 'audio comes');
    };
    await moved();
    await until(() => /incoming rtp .* established, receiving from \[?::1/.test(phone.log), 'it hears us by IPv6');
    phone.command('hold');
    await until(() => call.agreed.at(-1)?.direction !== 'sendrecv', 'a hold');
    phone.command('resume');
    await until(() => call.agreed.at(-1)?.direction === 'sendrecv', 'its end');
    await moved();
    phone.hangup();
    await until(() => call.stats, 'the end');
  }
  const expectInside = ({ agreed }: EchoCall): void => {
    expect(new Set(agreed.map(({ remote }) => remote.address))).toEqual(new Set(['127.0.0.1']));
  };

  it.each(WAYS)('a phone of %s calls', async (encryption, _, __, outer) => {
    const phone = await phoneOf(encryption);
    expect(await phone.call(gateway.uri), phone.log).toBeTypeOf('number');
    const call = gateway.calls.at(-1)!;
    await talkThrough(phone, call);
    expectInside(call);
    expect(call.outer).toMatchObject({ edge: engine.address, ...outer });
  });

  it.each(WAYS)('a phone of %s is called with %s', async (encryption, terms, more, outer) => {
    const phone = await phoneOf(encryption);
    const answering = phone.answer(20_000);
    const call = await gateway.dial(`sip:callee@[::1]:${phone.sipPort}`, { encryption: terms, ...more });
    expect(await answering).toBe(true);
    await talkThrough(phone, call);
    expectInside(call);
    expect(call.outer).toMatchObject({ edge: engine.address, ...outer });
  });
});
