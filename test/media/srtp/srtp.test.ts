import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSrtp, openSrtp } from '../../../src/media/srtp/choose-srtp.ts';
import { SRTP_STREAMS_MAX, type SrtpReject } from '../../../src/media/srtp/contract.ts';
import { loadOpenssl, type OpensslCalls } from '../../../src/media/srtp/openssl-calls.ts';
import { opensslCiphers } from '../../../src/media/srtp/openssl-ciphers.ts';
import { packetIndex } from '../../../src/media/srtp/packet-index.ts';
import { SrtpKey, type SrtpKeyMaterial } from '../../../src/media/srtp/srtp-key.ts';
import { SRTP_PACKET_BYTES_MAX } from '../../../src/media/srtp/srtp-packet.ts';
import { srtpBy } from '../../../src/media/srtp/srtp-streams.ts';
import {
  keyingBytes,
  SRTP_SUITE_NAMES,
  SRTP_TRAILER_BYTES_MAX,
  type SrtpSuite,
} from '../../../src/media/srtp/srtp-suite.ts';
import { openLibsrtp } from '../../support/libsrtp/libsrtp.ts';
import { runs } from '../../support/property-runs.ts';
import { rtcpBytes, rtpBytes, sealed, sealedRtcp } from '../../support/srtp-packets.ts';

const chosen = chooseSrtp();
const node = openSrtp({ name: 'node:crypto' });
const openssl = openSrtp({ name: 'openssl' });
const all = [node, openssl];
/** Written by others; what does not fit in ours is found by it. */
const libsrtp = openLibsrtp();
if (typeof libsrtp === 'string') console.log(`libsrtp2 is not asked: ${libsrtp}`);
const everySuite = all.flatMap((srtp) => SRTP_SUITE_NAMES.map((suite) => ({ name: srtp.name, srtp, suite })));
const keyOf = (suite: SrtpSuite, fill = 7): SrtpKeyMaterial => ({
  suite,
  bytes: new Uint8Array(keyingBytes(suite)).fill(fill),
});
const SSRC = 0xcafe_babe;

describe.each(everySuite)('SRTP by $name, $suite', ({ srtp, suite }) => {
  const pair = () => ({ sender: srtp.sender(keyOf(suite)), receiver: srtp.receiver([keyOf(suite)]) });

  it('opens what it protected, and nothing of the payload can be read on the way', () => {
    const { sender, receiver } = pair();
    const clear = rtpBytes(SSRC, 1, Buffer.alloc(160, 0x55));
    const sent = sealed(sender, clear);
    expect(sent.subarray(0, 12)).toEqual(clear.subarray(0, 12));
    expect(sent.includes(Buffer.alloc(8, 0x55))).toBe(false);
    expect(receiver.unprotectRtp(sent)).toBe(clear.length);
    expect(sent.subarray(0, clear.length)).toEqual(clear);
  });

  it('refuses a packet with any one bit turned, and then takes the true one', () => {
    const { sender, receiver } = pair();
    const sent = sealed(sender, rtpBytes(SSRC, 1, Buffer.from('what was said')));
    const results = new Set<number | SrtpReject>();
    for (let at = 2; at < sent.length; at += 1) {
      const turned = Buffer.from(sent);
      turned[at] = (turned[at] as number) ^ 0x10;
      results.add(receiver.unprotectRtp(turned));
    }
    expect([...results]).toEqual(['forged']);
    expect(receiver.unprotectRtp(Buffer.from(sent))).toBe(12 + 13);
  });

  it('refuses every packet that came before', () => {
    const { sender, receiver } = pair();
    const sent = Array.from({ length: 100 }, (_, i) => sealed(sender, rtpBytes(SSRC, 65_500 + i, Buffer.alloc(20))));
    for (const packet of sent) expect(receiver.unprotectRtp(Buffer.from(packet))).toBe(32);
    expect(new Set(sent.map((packet) => receiver.unprotectRtp(Buffer.from(packet))))).toEqual(new Set(['replayed']));
  });

  it('takes what is out of order by less than its window, and nothing older', () => {
    const { sender, receiver } = pair();
    const sent = Array.from({ length: 400 }, (_, i) => sealed(sender, rtpBytes(SSRC, i, Buffer.alloc(20))));
    const take = (at: number) => receiver.unprotectRtp(Buffer.from(sent[at] as Buffer));
    expect(take(0)).toBe(32);
    expect(take(399)).toBe(32);
    expect(take(399 - 63)).toBe(32); // RFC 3711 §3.3.2: 64 at least
    expect(take(10)).toBe('replayed');
  });

  it('does the same with RTCP', () => {
    const { sender, receiver } = pair();
    const clear = rtcpBytes(SSRC);
    const first = sealedRtcp(sender, clear);
    const turned = Buffer.from(first);
    turned[10] = (turned[10] as number) ^ 1;
    const inClear = Buffer.from(first);
    const { length } = inClear;
    const eBit = suite.startsWith('AEAD') ? length - 4 : length - 14;
    inClear[eBit] = (inClear[eBit] as number) & 0x7f;
    expect(receiver.unprotectRtcp(turned)).toBe('forged');
    expect(receiver.unprotectRtcp(inClear)).toBe('malformed');
    const opened = Buffer.from(first);
    expect(receiver.unprotectRtcp(opened)).toBe(clear.length);
    expect(opened.subarray(0, clear.length)).toEqual(clear);
    expect(receiver.unprotectRtcp(Buffer.from(first))).toBe('replayed');
    expect(receiver.unprotectRtcp(sealedRtcp(sender, clear))).toBe(clear.length);
  });

  it('knows a key by its MKI', () => {
    const keys = [1, 2].map((n) => ({ ...keyOf(suite, n), mki: Uint8Array.of(0, n) }));
    const receiver = srtp.receiver(keys);
    const mkiOf = (n: number, sent: Buffer, tagBytes: number): Buffer => {
      const at = suite.startsWith('AEAD') ? sent.length : sent.length - tagBytes;
      return Buffer.concat([sent.subarray(0, at), Buffer.of(0, n), sent.subarray(at)]);
    };
    const tagBytes = suite === 'AES_CM_128_HMAC_SHA1_32' ? 4 : 10;
    const sender = srtp.sender(keyOf(suite, 2));
    const packet = (sequence: number) => sealed(sender, rtpBytes(SSRC, sequence, Buffer.alloc(20, 3)));
    expect(receiver.unprotectRtp(mkiOf(2, packet(1), tagBytes))).toBe(32);
    expect(receiver.unprotectRtp(mkiOf(1, packet(2), tagBytes))).toBe('forged');
    expect(receiver.unprotectRtp(mkiOf(9, packet(3), tagBytes))).toBe('unknown-key');
    expect(receiver.unprotectRtcp(mkiOf(2, sealedRtcp(sender, rtcpBytes(SSRC)), 10))).toBe(rtcpBytes(SSRC).length);
  });

  it('hears so many streams with one key and no more', () => {
    const { receiver } = pair();
    const results = Array.from({ length: SRTP_STREAMS_MAX + 2 }, (_, i) =>
      receiver.unprotectRtp(sealed(srtp.sender(keyOf(suite)), rtpBytes(1000 + i, 1, Buffer.alloc(20)))),
    );
    expect(results.filter((result) => result === 32)).toHaveLength(SRTP_STREAMS_MAX);
    expect(results.slice(SRTP_STREAMS_MAX)).toEqual(['too-many-streams', 'too-many-streams']);
  });

  it('takes what is not SRTP for what it is, whatever it holds', () => {
    const { receiver } = pair();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(typeof receiver.unprotectRtp(Buffer.from(bytes))).toBe('string');
        expect(typeof receiver.unprotectRtcp(Buffer.from(bytes))).toBe('string');
      }),
      { numRuns: runs(1000) },
    );
  });

  it('neither opens nor protects what is longer than any packet', () => {
    const { sender, receiver } = pair();
    const longest = rtpBytes(SSRC, 1, Buffer.alloc(SRTP_PACKET_BYTES_MAX - 12));
    expect(sealed(sender, rtpBytes(SSRC, 2, Buffer.alloc(SRTP_PACKET_BYTES_MAX - 11)))).toHaveLength(0);
    expect(sealed(sender, longest).length).toBeGreaterThan(SRTP_PACKET_BYTES_MAX);
    expect(receiver.unprotectRtp(sealed(srtp.sender(keyOf(suite)), longest))).toBe('malformed');
    const report = Buffer.concat([rtcpBytes(SSRC), Buffer.alloc(SRTP_PACKET_BYTES_MAX)]);
    expect(sealedRtcp(sender, report)).toHaveLength(0);
    expect(receiver.unprotectRtcp(report)).toBe('malformed');
  });

  it('does nothing after its end', () => {
    const { sender, receiver } = pair();
    const sent = sealed(sender, rtpBytes(SSRC, 1, Buffer.alloc(20)));
    for (let times = 0; times < 2; times += 1) {
      sender.close();
      receiver.close();
    }
    const packet = Buffer.alloc(32 + SRTP_TRAILER_BYTES_MAX);
    expect(sender.protectRtp(packet, 32)).toBe(0);
    expect(sender.protectRtcp(packet, 32)).toBe(0);
    expect(receiver.unprotectRtp(sent)).toBe('malformed');
  });
});

describe.each(pairs())('$name', ({ from, to }) => {
  it('says the same of whatever the network does to a stream', () => {
    const step = fc.record({
      gap: fc.oneof(
        { weight: 9, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.integer({ min: 2, max: 900 }) },
      ),
      back: fc.oneof(
        { weight: 8, arbitrary: fc.constant(0) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 300 }) },
      ),
      lost: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      again: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      rtcp: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    });
    const stream = fc.record({
      suite: fc.constantFrom(...SRTP_SUITE_NAMES),
      first: fc.constantFrom(0, 100, 32_700, 65_000),
      steps: fc.array(step, { minLength: 20, maxLength: 200 }),
    });
    fc.assert(
      fc.property(stream, ({ suite, first, steps }) => {
        const sender = from.sender(keyOf(suite));
        const receivers = [from.receiver([keyOf(suite)]), to.receiver([keyOf(suite)])];
        const both = (hear: (receiver: (typeof receivers)[number]) => number | SrtpReject) => {
          const [one, other] = receivers.map(hear);
          expect(other).toBe(one);
          return one;
        };
        const sent: Buffer[] = [];
        let sequence: number = first;
        for (const { gap, back, lost, again, rtcp } of steps) {
          sequence = (sequence + gap) & 0xffff;
          const packet = sealed(sender, rtpBytes(SSRC, sequence, Buffer.alloc(40, sequence)));
          sent.push(packet);
          if (lost && sent.length > 1) continue;
          const chosen = sent[Math.max(0, sent.length - 1 - back)] as Buffer;
          const opened = both((receiver) => receiver.unprotectRtp(Buffer.from(chosen)));
          if (back === 0) expect(opened).toBe(52);
          if (again) expect(both((receiver) => receiver.unprotectRtp(Buffer.from(chosen)))).toBe('replayed');
          if (!rtcp) continue;
          const report = sealedRtcp(sender, rtcpBytes(SSRC));
          expect(both((receiver) => receiver.unprotectRtcp(Buffer.from(report)))).toBe(rtcpBytes(SSRC).length);
        }
        for (const part of [sender, ...receivers]) part.close();
      }),
      { numRuns: runs(300) },
    );
  });

  it('follows a stream over several turns of the sequence', () => {
    const sender = from.sender(keyOf('AES_CM_128_HMAC_SHA1_80'));
    const receiver = to.receiver([keyOf('AES_CM_128_HMAC_SHA1_80')]);
    for (let index = 0; index < 4 * 65_536; index += 997) {
      expect(receiver.unprotectRtp(sealed(sender, rtpBytes(SSRC, index & 0xffff, Buffer.alloc(20))))).toBe(32);
    }
    for (const part of [sender, receiver]) part.close();
  });
});

describe('the choice', () => {
  const believe: OpensslCalls['EVP_CipherFinal_ex'] = (...given) =>
    Math.max(1, loadOpenssl().EVP_CipherFinal_ex(...given));

  it('is the OpenSSL of Node', () => {
    expect(chosen).toEqual({ name: 'openssl', version: process.versions.openssl });
  });

  it('falls back to node:crypto and says why', () => {
    const fault = () => {
      throw new Error('OpenSSL_version: cannot find');
    };
    expect(chooseSrtp(fault)).toEqual({ name: 'node:crypto', reason: 'OpenSSL_version: cannot find' });
  });

  it.each([
    { name: 'encrypts nothing', calls: { EVP_CipherUpdate: () => 1 }, reason: /^OpenSSL, AEAD_AES_256_GCM: / },
    { name: 'has no contexts', calls: { EVP_CIPHER_CTX_new: () => 0 }, reason: /refuses a cipher/ },
    { name: 'refuses packets', calls: { EVP_CipherUpdate: () => 0 }, reason: /refuses a packet/ },
    { name: 'believes every tag', calls: { EVP_CipherFinal_ex: believe }, reason: /a forged packet is believed$/ },
    { name: 'hashes otherwise', calls: { SHA1_Update: () => 1 }, reason: /^OpenSSL, AES_CM_128_HMAC_SHA1_80: / },
  ] satisfies { name: string; calls: Partial<OpensslCalls>; reason: RegExp }[])(
    'does not take one that $name',
    ({ calls, reason }) => {
      const wrong = () => ({ ...loadOpenssl(), ...calls });
      expect(chooseSrtp(wrong)).toMatchObject({ name: 'node:crypto', reason: expect.stringMatching(reason) });
    },
  );

  it('writes to no memory but its own', () => {
    const { counterMode, galois } = opensslCiphers(loadOpenssl());
    const keys = { cipher: Buffer.alloc(16), salt: Buffer.alloc(14), auth: Buffer.alloc(20) };
    const datagram = Buffer.alloc(SRTP_PACKET_BYTES_MAX + 21);
    const place = { clearBytes: 12, ssrc: SSRC, index: 1 };
    for (const cipher of [counterMode(keys, 10), galois({ ...keys, salt: Buffer.alloc(12) })]) {
      expect(cipher.seal(datagram, SRTP_PACKET_BYTES_MAX, place)).toBeGreaterThan(SRTP_PACKET_BYTES_MAX);
      expect(() => cipher.seal(datagram, SRTP_PACKET_BYTES_MAX + 1, place)).toThrow(RangeError);
      cipher.close();
    }
  });

  it.each(SRTP_SUITE_NAMES)('frees what OpenSSL allocated, once: %s', (suite) => {
    const calls = loadOpenssl();
    const held = new Set<number>();
    const counted: OpensslCalls = {
      ...calls,
      EVP_CIPHER_CTX_new() {
        const context = calls.EVP_CIPHER_CTX_new();
        held.add(context);
        return context;
      },
      EVP_CIPHER_CTX_free(context) {
        expect(held.delete(context)).toBe(true);
        calls.EVP_CIPHER_CTX_free(context);
      },
    };
    const srtp = srtpBy('openssl', opensslCiphers(counted));
    const parts = [srtp.sender(keyOf(suite)), srtp.receiver([keyOf(suite, 1), keyOf(suite, 2)])];
    expect(held.size).toBe(6);
    for (const part of [...parts, ...parts]) part.close();
    expect(held.size).toBe(0);
  });
});

/** Whose packets are opened by whom. */
function pairs() {
  const [ours, nodes] = [
    { name: 'openssl', srtp: openssl },
    { name: 'node:crypto', srtp: node },
  ];
  const theirs = typeof libsrtp === 'string' ? [] : [{ name: 'libsrtp2', srtp: libsrtp }];
  const ways = [
    [ours, nodes],
    [nodes, ours],
    ...theirs.flatMap((other) => [
      [ours, other],
      [other, ours],
    ]),
  ] as const;
  return ways.map(([from, to]) => ({ name: `${from.name}, heard by ${to.name},`, from: from.srtp, to: to.srtp }));
}

describe('packetIndex', () => {
  it.each([
    { name: 'the first', sequence: 40_000, highest: undefined, index: 40_000 },
    { name: 'the next', sequence: 8, highest: 7, index: 8 },
    { name: 'over the wrap', sequence: 2, highest: 65_530, index: 65_538 },
    { name: 'from before the wrap', sequence: 65_530, highest: 65_538, index: 65_530 },
    { name: 'never before the first turn', sequence: 65_530, highest: 2, index: 65_530 },
    { name: 'in a later turn', sequence: 5, highest: 3 * 65_536 + 65_535, index: 4 * 65_536 + 5 },
  ])('$name', ({ sequence, highest, index }) => expect(packetIndex(sequence, highest)).toBe(index));
});

describe('SrtpKey', () => {
  it('says nothing of itself where values are written down', async () => {
    const { inspect } = await import('node:util');
    const key = SrtpKey.random('AES_CM_128_HMAC_SHA1_80');
    const secrets = ['base64', 'hex', 'latin1'].map((way) =>
      key
        .reveal()
        .toString(way as BufferEncoding)
        .slice(0, 8),
    );
    const written = [
      ...[JSON.stringify({ key }), String(key), `${key}`, inspect({ deep: { key } }, { depth: 9, showHidden: true })],
      JSON.stringify(structuredClone(Object.assign({}, key))),
    ];
    for (const text of written) for (const secret of secrets) expect(text).not.toContain(secret);
    expect(written.join()).not.toContain(inspect(key.reveal()).slice(8, 30));
  });

  it('is another one each time, and has the length of its suite', () => {
    for (const suite of SRTP_SUITE_NAMES) {
      const key = SrtpKey.random(suite);
      expect(key.equals(new SrtpKey(suite, key.reveal()))).toBe(true);
      expect(key.equals(SrtpKey.random(suite))).toBe(false);
      expect(() => new SrtpKey(suite, Buffer.alloc(5))).toThrow(RangeError);
    }
  });
});
