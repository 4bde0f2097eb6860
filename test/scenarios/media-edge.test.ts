import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaEncryption } from '../../src/core/trunk.ts';
import type { RtpengineEdge } from '../../src/media/edge/rtpengine-edge.ts';
import { Baresip, type PhoneOptions, speaksSrtp } from '../support/baresip.ts';
import { type EchoCall, EchoGateway } from '../support/echo-gateway.ts';
import { edgeOf, HAS_RTPENGINE, Rtpengine } from '../support/rtpengine.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const SAYS_HZ = 440;
const SAYS_S = 20;
/** On a machine that does much else sound has gaps: the best stretch of this length tells. */
const WINDOW_S = 0.2;
const isLong = process.env['NIDAA_TEST_LONG'] === '1';

describe.skipIf(!HAS_RTPENGINE || !speaksSrtp())('calls of real phones through a real rtpengine', () => {
  let engine: Rtpengine;
  let edge: RtpengineEdge;
  let gateway: EchoGateway;
  beforeAll(async () => {
    engine = await Rtpengine.start();
    edge = await edgeOf([engine.address]);
    gateway = await EchoGateway.open(edge);
  });
  afterAll(async () => {
    await gateway?.close();
    edge?.close();
    await engine?.kill();
  });

  const phoneOf = (encryption: PhoneOptions['encryption'], more: PhoneOptions = {}): Promise<Baresip> =>
    Baresip.start({
      microphone: tone(SAYS_HZ, 8000 * SAYS_S, { amplitude: 0.3 }),
      maxSeconds: SAYS_S + 10,
      ...(encryption && { encryption }),
      ...more,
    });
  const moved = async (call: EchoCall): Promise<void> => {
    const { packetsReceived } = await call.port.stats();
    await until(async () => (await call.port.stats()).packetsReceived > packetsReceived + 50, 'audio comes');
  };

  /** Talks, presses keys, holds and resumes, and hangs up. @returns the call, and how loud the phone heard itself. */
  async function talkThrough(phone: Baresip, call: EchoCall): Promise<number> {
    await moved(call);
    await phone.press('12#');
    await until(() => call.keys.length >= 3, 'keys come');
    phone.command('hold');
    await until(() => call.agreed.at(-1)?.direction !== 'sendrecv', 'a hold');
    phone.command('resume');
    await until(() => call.agreed.at(-1)?.direction === 'sendrecv', 'its end');
    await moved(call);
    phone.hangup();
    await until(() => call.stats, 'the end');
    const heard = await phone.finish();
    if (!heard) return 0;
    const size = Math.round(WINDOW_S * heard.sampleRateHz);
    const windows = Array.from({ length: Math.floor(heard.samples.length / size) }, (_, n) => n * size);
    return Math.max(...windows.map((from) => amplitudeAt(heard.samples.subarray(from, from + size), SAYS_HZ)));
  }

  /** Inside there was plain RTP, whatever it was outside. */
  function expectPlainInside({ agreed, stats, keys, outer }: EchoCall): void {
    expect(agreed.every(({ srtp }) => srtp === undefined)).toBe(true);
    expect(stats).not.toHaveProperty('srtpSuite');
    expect(keys).toEqual(['1', '2', '#']);
    expect(stats!.packetsReceived).toBeGreaterThan(100);
    expect(outer!.outerPacketsReceived).toBeGreaterThanOrEqual(stats!.packetsReceived);
  }

  const ways = [
    { encryption: 'srtp-mand', outer: { outerProtocol: 'RTP/SAVP', outerKeys: 'sdes' }, quick: true },
    { encryption: 'dtls_srtp', outer: { outerProtocol: 'UDP/TLS/RTP/SAVPF', outerKeys: 'dtls' } },
    { encryption: 'srtp', outer: { outerProtocol: 'RTP/AVP', outerKeys: 'sdes' } },
    { encryption: undefined, outer: { outerProtocol: 'RTP/AVP' } },
  ] as const;

  it.each(ways.filter((way) => isLong || 'quick' in way))(
    'a phone calls with $encryption',
    async ({ encryption, outer }) => {
      const phone = await phoneOf(encryption);
      try {
        const answered = await phone.call(gateway.uri);
        expect(typeof answered, `${answered}\n${phone.log}`).toBe('number');
        const call = gateway.calls.at(-1)!;
        expect(await talkThrough(phone, call), 'it hears itself').toBeGreaterThan(0.1);
        expectPlainInside(call);
        expect(call.outer).toMatchObject({ edge: engine.address, outerErrors: 0, ...outer });
        expect(phone.sawEvent('CALL_MENC')).toBe(encryption !== undefined);
      } finally {
        phone.dispose();
      }
    },
  );

  it.runIf(isLong).each<[PhoneOptions['encryption'], MediaEncryption, object]>([
    ['srtp-mand', 'require', { outerProtocol: 'RTP/SAVP', outerKeys: 'sdes' }],
    ['srtp', 'allow', { outerProtocol: 'RTP/AVP', outerKeys: 'sdes' }],
    [undefined, 'allow', { outerProtocol: 'RTP/AVP' }],
    [undefined, 'none', { outerProtocol: 'RTP/AVP' }],
  ])('a phone of %s is called with %s', async (encryption, terms, outer) => {
    const phone = await phoneOf(encryption, { user: 'callee' });
    try {
      const answering = phone.answer(30_000);
      const call = await gateway.dial(`sip:callee@127.0.0.1:${phone.sipPort}`, { encryption: terms });
      expect(await answering).toBe(true);
      expect(await talkThrough(phone, call), 'it hears itself').toBeGreaterThan(0.1);
      expectPlainInside(call);
      expect(call.outer).toMatchObject(outer);
    } finally {
      phone.dispose();
    }
  });

  it.runIf(isLong)('refuses what the policy refuses, before it asks the edge', async () => {
    gateway.terms = { encryption: 'require', keysInClear: false };
    const phone = await phoneOf(undefined);
    try {
      expect(String(await phone.call(gateway.uri)).slice(0, 3)).toBe('488');
    } finally {
      gateway.terms = { encryption: 'allow', keysInClear: false };
      phone.dispose();
    }
  });
});
