import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { MediaEncryption } from '../../src/core/trunk.ts';
import { type Baresip, type PhoneOptions, speaksSrtp } from '../support/baresip.ts';
import type { EchoCall } from '../support/echo-gateway.ts';
import { edgeRig } from '../support/edge-rig.ts';
import { HAS_RTPENGINE } from '../support/rtpengine.ts';
import { until } from '../support/until.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
const isTried = process.env['NIDAA_TEST_LONG'] === '1' && HAS_RTPENGINE && speaksSrtp() && hasIpv6;

type Way = readonly [PhoneOptions['encryption'], MediaEncryption, { readonly dtls?: boolean }, object];
const WAYS: readonly Way[] = [
  [undefined, 'none', {}, { outerProtocol: 'RTP/AVP' }],
  ['srtp-mand', 'require', {}, { outerProtocol: 'RTP/SAVP', outerKeys: 'sdes' }],
  ['dtls_srtp', 'require', { dtls: true }, { outerKeys: 'dtls' }],
];

describe.skipIf(!isTried)('IPv6 outside of a real rtpengine, and IPv4 inside', () => {
  const rig = edgeRig('::1');
  const phoneOf = (encryption: PhoneOptions['encryption']): Promise<Baresip> =>
    rig.phoneOf({ address: '::1', ...(encryption && { encryption }) });
  /** Is heard, holds and resumes, and hangs up. */
  async function talkThrough(phone: Baresip, call: EchoCall): Promise<void> {
    await rig.moved(call);
    await until(() => /incoming rtp .* established, receiving from \[?::1/.test(phone.log), 'it hears us by IPv6');
    phone.command('hold');
    await until(() => call.agreed.at(-1)?.direction !== 'sendrecv', 'a hold');
    phone.command('resume');
    await until(() => call.agreed.at(-1)?.direction === 'sendrecv', 'its end');
    await rig.moved(call);
    phone.hangup();
    await until(() => call.stats, 'the end');
  }
  const expectInside = ({ agreed }: EchoCall): void => {
    expect(new Set(agreed.map(({ remote }) => remote.address))).toEqual(new Set(['127.0.0.1']));
  };

  it.each(WAYS)('a phone of %s calls', async (encryption, _, __, outer) => {
    const phone = await phoneOf(encryption);
    expect(await phone.call(rig.gateway.uri), phone.log).toBeTypeOf('number');
    const call = rig.gateway.calls.at(-1)!;
    await talkThrough(phone, call);
    expectInside(call);
    expect(call.outer).toMatchObject({ edge: rig.engine.address, ...outer });
  });

  it.each(WAYS)('a phone of %s is called with %s', async (encryption, terms, more, outer) => {
    const phone = await phoneOf(encryption);
    const answering = phone.answer(20_000);
    const call = await rig.gateway.dial(`sip:callee@[::1]:${phone.sipPort}`, { encryption: terms, ...more });
    expect(await answering).toBe(true);
    await talkThrough(phone, call);
    expectInside(call);
    expect(call.outer).toMatchObject({ edge: rig.engine.address, ...outer });
  });
});
