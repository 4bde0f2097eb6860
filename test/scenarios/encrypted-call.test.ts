import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaEncryption } from '../../src/core/trunk.ts';
import { chooseSrtp, openSrtp } from '../../src/media/srtp/choose-srtp.ts';
import { SrtpKey } from '../../src/media/srtp/srtp-key.ts';
import { writeCrypto } from '../../src/sip/sdes.ts';
import { Baresip, type PhoneOptions, speaksSrtp } from '../support/baresip.ts';
import { EchoGateway } from '../support/echo-gateway.ts';
import type { Heard } from '../support/heard.ts';
import { Linphone } from '../support/linphone.ts';
import { mark } from '../support/marks.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { sdpText } from '../support/sdp-texts.ts';
import { rtpBytes, sealed } from '../support/srtp-packets.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

const SAYS_HZ = 440;
const SAYS_S = 12;
const microphone = (): Int16Array => tone(SAYS_HZ, 8000 * SAYS_S, { amplitude: 0.3 });
const TALK_MS = 1_500;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** What phone.py calls none, sdes, sdes-mand and dtls. */
const PHONES = { none: undefined, sdes: 'srtp', 'sdes-mand': 'srtp-mand', dtls: 'dtls_srtp' } as const;
type PhoneKind = keyof typeof PHONES;

if (!speaksSrtp()) console.log('encrypted calls are not tried: baresip has no module for SRTP');

let gateway: EchoGateway;
beforeAll(async () => {
  gateway = await EchoGateway.open();
});
afterAll(() => gateway?.close());

describe.skipIf(!speaksSrtp())('T8: calls of real phones, encrypted or not', () => {
  /** What a listener hears of its own tone that came back. */
  const echo = (heard: Heard | undefined): number => {
    if (!heard) return 0;
    const [from = 0, to = 0] = [0.5, 1.4].map((s) => Math.round(s * heard.sampleRateHz));
    return amplitudeAt(heard.samples.subarray(from, to), SAYS_HZ);
  };
  const phoneOf = (kind: PhoneKind, more: PhoneOptions = {}): Promise<Baresip> => {
    const encryption = PHONES[kind];
    return Baresip.start({
      microphone: microphone(),
      maxSeconds: SAYS_S + 10,
      ...(encryption && { encryption }),
      ...more,
    });
  };

  /** One call to the gateway: `srtp` or `plain`, each heard both ways, or the refusal. */
  async function callFrom(kind: PhoneKind): Promise<string> {
    const phone = await phoneOf(kind);
    try {
      const before = gateway.calls.length;
      const answered = await phone.call(gateway.uri);
      if (typeof answered === 'string') return answered.slice(0, 3);
      await pause(TALK_MS);
      const isEncrypted = phone.sawEvent('CALL_MENC');
      phone.hangup();
      const heard = await phone.finish();
      expect(gateway.calls.length).toBeGreaterThan(before);
      expect(echo(heard), `${kind} hears itself`).toBeGreaterThan(0.1);
      return isEncrypted ? 'srtp' : 'plain';
    } finally {
      phone.dispose();
    }
  }

  const calls: readonly [MediaEncryption, Record<PhoneKind, string>][] = [
    ['require', { none: '488', sdes: 'srtp', 'sdes-mand': 'srtp', dtls: '488' }],
    ['allow', { none: 'plain', sdes: 'srtp', 'sdes-mand': 'srtp', dtls: '488' }],
    ['none', { none: 'plain', sdes: 'plain', 'sdes-mand': '488', dtls: '488' }],
  ];
  it.each(someOf(calls, 3))('%s: %j', async (encryption, expected) => {
    gateway.terms = { encryption, keysInClear: false };
    const kinds = Object.keys(PHONES) as PhoneKind[];
    const found = await Promise.all(kinds.map(async (kind) => [kind, await callFrom(kind)] as const));
    for (const [kind, how] of found)
      mark('T8', 'cells', how === expected[kind] ? 0 : 1, `${encryption} ${kind}: ${how}`);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('a phone that only speaks SRTP holds and resumes, and its call ends without one packet that was not believed', async () => {
    gateway.terms = { encryption: 'require', keysInClear: false };
    const phone = await phoneOf('sdes-mand');
    try {
      expect(typeof (await phone.call(gateway.uri))).toBe('number');
      const call = gateway.calls.at(-1)!;
      await pause(TALK_MS);
      phone.command('hold');
      await until(() => call.agreed.at(-1)?.direction === 'recvonly' || call.agreed.at(-1)?.direction === 'inactive');
      phone.command('resume');
      await until(() => call.agreed.at(-1)?.direction === 'sendrecv');
      const { packetsReceived } = await call.port.stats();
      await until(async () => (await call.port.stats()).packetsReceived > packetsReceived + 25);
      phone.hangup();
      const stats = await until(() => call.stats);
      expect(stats).toMatchObject({ srtpSuite: 'AES_CM_128_HMAC_SHA1_80', packetsForged: 0, packetsReplayed: 0 });
      const [first, last] = [call.agreed[0]?.srtp, call.agreed.at(-1)?.srtp];
      expect(last?.send.equals(first!.send)).toBe(true);
    } finally {
      phone.dispose();
    }
  });

  /** One call to a phone: what was spoken, each heard both ways, or the refusal. */
  async function callTo(kind: PhoneKind, encryption: MediaEncryption): Promise<string> {
    const phone = await phoneOf(kind, { user: 'callee' });
    try {
      const answering = phone.answer(30_000);
      const uri = `sip:callee@127.0.0.1:${phone.sipPort}`;
      const call = await gateway.dial(uri, { encryption }).catch((error: { status?: number }) => error.status);
      if (typeof call !== 'object') return String(call);
      expect(await answering).toBe(true);
      await pause(TALK_MS);
      expect(phone.sawEvent('CALL_MENC')).toBe(call.agreed[0]?.srtp !== undefined);
      phone.hangup();
      expect(echo(await phone.finish()), `${kind} hears itself`).toBeGreaterThan(0.1);
      return call.agreed[0]?.srtp ? 'srtp' : 'plain';
    } finally {
      phone.dispose();
    }
  }

  const called: readonly [MediaEncryption, Partial<Record<PhoneKind, string>>][] = [
    ['require', { none: '488', 'sdes-mand': 'srtp' }],
    ['allow', { none: 'plain', sdes: 'srtp', 'sdes-mand': 'srtp' }],
    ['none', { none: 'plain' }],
  ];
  it.each(someOf(called, 3))('called with %s: %j', async (encryption, expected) => {
    const kinds = Object.keys(expected) as PhoneKind[];
    const found = await Promise.all(kinds.map(async (kind) => [kind, await callTo(kind, encryption)]));
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it.runIf(EVERY_TEST)('linphone that only speaks SRTP hears and is heard', async () => {
    gateway.terms = { encryption: 'require', keysInClear: false };
    const phone = await Linphone.start(microphone(), undefined, 'srtp');
    try {
      expect(await phone.call(gateway.uri)).toBe(true);
      const call = gateway.calls.at(-1)!;
      await pause(2 * TALK_MS);
      phone.hangup();
      expect(await until(() => call.stats)).toMatchObject({ packetsForged: 0, packetsReplayed: 0 });
      expect(call.agreed[0]?.srtp).toBeDefined();
      const heard = await phone.finish();
      expect(heard && amplitudeAt(heard.samples, SAYS_HZ)).toBeGreaterThan(0.05);
    } finally {
      phone.dispose();
    }
  });

  it.runIf(EVERY_TEST)('linphone is called in the clear after it refused a choice', async () => {
    const phone = await Linphone.start(microphone());
    try {
      const calling = gateway.dial(`sip:lin@127.0.0.1:${phone.sipPort}`, { encryption: 'allow' });
      expect(await phone.answer(30_000)).toBe(true);
      const { agreed, port } = await calling;
      expect(agreed[0]).not.toHaveProperty('srtp');
      await until(async () => (await port.stats()).packetsReceived > 25);
    } finally {
      phone.dispose();
    }
  });

  it('wrote no key of all these calls anywhere', () => {
    const keys = gateway.calls.flatMap(({ agreed }) =>
      agreed.flatMap(({ srtp }) => (srtp ? [srtp.send, ...srtp.receive] : [])),
    );
    expect(keys.length).toBeGreaterThan(0);
    expect(gateway.log).toContain('media encryption');
    const written = keys.filter((key) => {
      const bytes = key.reveal();
      const forms = [bytes.toString('base64'), bytes.toString('hex'), bytes.subarray(0, 8).join(',')];
      return forms.some((form) => gateway.log.includes(form));
    });
    mark('T8', 'keys', written.length);
  });
});

describe('T8: whoever changes what is said between two', () => {
  const suite = 'AES_CM_128_HMAC_SHA1_80';
  const offerOf = (protocol: string, ...lines: readonly string[]): string =>
    sdpText({ session: ['c=IN IP4 127.0.0.1'], media: [`m=audio 40000 ${protocol} 0`, ...lines] });
  const caller = async (): Promise<UdpCaller> => {
    const made = await new UdpCaller(Number(/:(\d+)$/.exec(gateway.uri)?.[1])).open();
    made.target = gateway.uri;
    return made;
  };

  it.each<[MediaEncryption, string]>([
    ['require', 'RTP/AVP'],
    ['require', 'RTP/SAVP'],
    ['allow', 'RTP/SAVP'],
  ])('gets no call by taking the keys out of an offer: %s, %s', async (encryption, protocol) => {
    gateway.terms = { encryption, keysInClear: false };
    const phone = await caller();
    phone.sendRequest('INVITE', { body: offerOf(protocol) });
    const { status } = await phone.final('INVITE');
    mark('T8', 'stripped', status === 488 ? 0 : 1, `${encryption} ${protocol}: ${status}`);
    phone.close();
  });

  it('is not heard: one byte turned, or what came before', async () => {
    gateway.terms = { encryption: 'require', keysInClear: false };
    const key = SrtpKey.random(suite);
    const [phone, media] = [await caller(), await RtpPeer.open()];
    const crypto = `a=${writeCrypto({ tag: 1, suite, keys: [key] })}`;
    const body = offerOf('RTP/SAVP', crypto).replace('40000', String(media.port));
    const answer = await phone.call(body);
    const mediaPort = Number(/^m=audio (\d+)/m.exec(answer.body)![1]);
    const { port } = gateway.calls.at(-1)!;
    const sender = openSrtp(chooseSrtp()).sender(key.material);
    const packets = Array.from({ length: 200 }, (_, n) => sealed(sender, rtpBytes(7, n + 1, Buffer.alloc(160, 0x8f))));
    const [good, later] = [packets.slice(0, 100), packets.slice(100)];
    /** Those of a hundred that were taken. */
    const taken = async (sent: readonly Buffer[], judged: () => Promise<number>): Promise<number> => {
      const before = [(await port.stats()).packetsReceived, await judged()] as const;
      for (const packet of sent) {
        media.socket.send(packet, mediaPort, '127.0.0.1');
        await pause(2);
      }
      await until(async () => (await judged()) >= before[1] + 100, 'each is judged').catch(() => {});
      return (await port.stats()).packetsReceived - before[0];
    };
    mark('T8', 'good', await taken(good, async () => (await port.stats()).packetsReceived));
    mark('T8', 'replayed', await taken(good, async () => (await port.stats()).packetsReplayed ?? 0));
    const forged = later.map((packet, n) => {
      const turned = Buffer.from(packet);
      turned[12 + n]! ^= 0x01; // in the payload, and in the end in its tag
      return turned;
    });
    mark('T8', 'forged', await taken(forged, async () => (await port.stats()).packetsForged ?? 0));
    expect(await port.stats()).toMatchObject({ packetsForged: 100, packetsReplayed: 100 });
    phone.sendRequest('BYE');
    await phone.final('BYE');
    for (const each of [phone, media]) each.close();
    gateway.terms = { encryption: 'allow', keysInClear: false };
    const [called, listener] = [await caller(), await RtpPeer.open()];
    const ok = await called.call(offerOf('RTP/AVP').replace('40000', String(listener.port)));
    listener.speak(Number(/^m=audio (\d+)/m.exec(ok.body)![1]), SAYS_HZ);
    await until(() => listener.heard.length > 50, 'an echo');
    called.sendRequest('BYE');
    mark('T8', 'after', (await called.final('BYE')).status === 200 ? 1 : 0);
    for (const each of [called, listener]) each.close();
  });
});
