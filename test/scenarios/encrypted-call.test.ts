import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaEncryption } from '../../src/core/trunk.ts';
import { Baresip, type PhoneOptions, speaksSrtp } from '../support/baresip.ts';
import { EchoGateway } from '../support/echo-gateway.ts';
import type { Heard } from '../support/heard.ts';
import { Linphone } from '../support/linphone.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
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

describe.skipIf(!speaksSrtp())('calls of real phones, encrypted or not', () => {
  let gateway: EchoGateway;
  beforeAll(async () => {
    gateway = await EchoGateway.open();
  });
  afterAll(() => gateway?.close());

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

  it.each<[MediaEncryption, Record<PhoneKind, string>]>([
    ['none', { none: 'plain', sdes: 'plain', 'sdes-mand': '488', dtls: '488' }],
    ['allow', { none: 'plain', sdes: 'srtp', 'sdes-mand': 'srtp', dtls: '488' }],
    ['require', { none: '488', sdes: 'srtp', 'sdes-mand': 'srtp', dtls: '488' }],
  ])('%s: %j', async (encryption, expected) => {
    gateway.terms = { encryption, keysInClear: false };
    const kinds = Object.keys(PHONES) as PhoneKind[];
    const found = await Promise.all(kinds.map(async (kind) => [kind, await callFrom(kind)]));
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
      const answering = phone.answer(10_000);
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

  it.each<[MediaEncryption, Partial<Record<PhoneKind, string>>]>([
    ['none', { none: 'plain' }],
    ['allow', { none: 'plain', sdes: 'srtp', 'sdes-mand': 'srtp' }],
    ['require', { none: '488', 'sdes-mand': 'srtp' }],
  ])('called with %s: %j', async (encryption, expected) => {
    const kinds = Object.keys(expected) as PhoneKind[];
    const found = await Promise.all(kinds.map(async (kind) => [kind, await callTo(kind, encryption)]));
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('linphone that only speaks SRTP hears and is heard', async () => {
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

  it('linphone is called in the clear after it refused a choice', async () => {
    const phone = await Linphone.start(microphone());
    try {
      const calling = gateway.dial(`sip:lin@127.0.0.1:${phone.sipPort}`, { encryption: 'allow' });
      expect(await phone.answer(10_000)).toBe(true);
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
    for (const key of keys) {
      for (const way of ['base64', 'hex'] as const) expect(gateway.log).not.toContain(key.reveal().toString(way));
      expect(gateway.log).not.toContain(key.reveal().subarray(0, 8).join(','));
    }
  });
});
