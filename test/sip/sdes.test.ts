import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SrtpKey } from '../../src/media/srtp/srtp-key.ts';
import { keyingBytes, SRTP_SUITE_NAMES } from '../../src/media/srtp/srtp-suite.ts';
import { hopTo, keepsKeys } from '../../src/sip/leg-policy.ts';
import { parseCrypto, writeCrypto } from '../../src/sip/sdes.ts';

const key80 = Buffer.from(Array.from({ length: 30 }, (_, i) => i)).toString('base64');
const inline = `inline:${key80}`;

describe('a=crypto', () => {
  it.each(SRTP_SUITE_NAMES)('is read as it was written: %s', (suite) => {
    const key = SrtpKey.random(suite);
    const read = parseCrypto(writeCrypto({ tag: 3, suite, keys: [key] }).replace(/^crypto:/, ''));
    expect(read).toMatchObject({ tag: 3, suite });
    expect(read?.keys[0]?.equals(key)).toBe(true);
  });

  it.each([
    { name: 'bare', value: `1 AES_CM_128_HMAC_SHA1_80 ${inline}`, keys: [{}] },
    { name: 'the short tag', value: `2 AES_CM_128_HMAC_SHA1_32 ${inline}`, keys: [{}] },
    { name: 'lifetime as a power', value: `1 AES_CM_128_HMAC_SHA1_80 ${inline}|2^20`, keys: [{ life: 2 ** 20 }] },
    { name: 'lifetime in digits', value: `1 AES_CM_128_HMAC_SHA1_80 ${inline}|1048576`, keys: [{ life: 1_048_576 }] },
    { name: 'MKI', value: `1 AES_CM_128_HMAC_SHA1_80 ${inline}|1:4`, keys: [{ mki: '00000001' }] },
    { name: 'both', value: `1 AES_CM_128_HMAC_SHA1_80 ${inline}|2^31|258:2`, keys: [{ life: 2 ** 31, mki: '0102' }] },
    {
      name: 'two keys',
      value: `1 AES_CM_128_HMAC_SHA1_80 ${inline}|2^20|1:4;${inline}|2^20|2:4`,
      keys: [
        { life: 2 ** 20, mki: '00000001' },
        { life: 2 ** 20, mki: '00000002' },
      ],
    },
    { name: 'harmless parameters', value: `1 AES_CM_128_HMAC_SHA1_80 ${inline} KDR=0 WSH=128 -X=y`, keys: [{}] },
    {
      name: 'GCM without padding',
      value: `1 AEAD_AES_128_GCM inline:${Buffer.alloc(28, 9).toString('base64').replace(/=+$/, '')}`,
      keys: [{}],
    },
  ])('taken: $name', ({ value, keys }) => {
    const found = parseCrypto(value)?.keys.map(({ mki, lifetimePackets }) => ({
      ...(lifetimePackets !== undefined && { life: lifetimePackets }),
      ...(mki && { mki: mki.toString('hex') }),
    }));
    expect(found).toEqual(keys);
  });

  it.each([
    ['nothing', ''],
    ['no key', '1 AES_CM_128_HMAC_SHA1_80'],
    ['an unknown suite', `1 F8_128_HMAC_SHA1_80 ${inline}`],
    ['a key that is too short', '1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7'],
    ['a key of another suite', `1 AEAD_AES_128_GCM ${inline}`],
    ['a key that is no base64', `1 AES_CM_128_HMAC_SHA1_80 inline:${'!'.repeat(40)}`],
    ['another method', `1 AES_CM_128_HMAC_SHA1_80 uri:${key80}`],
    ['a tag that is no number', `x AES_CM_128_HMAC_SHA1_80 ${inline}`],
    ['a tag that is too long', `1234567890 AES_CM_128_HMAC_SHA1_80 ${inline}`],
    ['no lifetime at all', `1 AES_CM_128_HMAC_SHA1_80 ${inline}|0`],
    ['a lifetime beyond what a key can', `1 AES_CM_128_HMAC_SHA1_80 ${inline}|2^49`],
    ['an MKI that does not fit its length', `1 AES_CM_128_HMAC_SHA1_80 ${inline}|256:1`],
    ['an MKI of no bytes', `1 AES_CM_128_HMAC_SHA1_80 ${inline}|1:0`],
    ['a second key without MKI', `1 AES_CM_128_HMAC_SHA1_80 ${inline}|1:4;${inline}`],
    ['MKIs of two lengths', `1 AES_CM_128_HMAC_SHA1_80 ${inline}|1:4;${inline}|2:2`],
    ['17 keys', `1 AES_CM_128_HMAC_SHA1_80 ${Array(17).fill(`${inline}|1:4`).join(';')}`],
    ['media that is not encrypted', `1 AES_CM_128_HMAC_SHA1_80 ${inline} UNENCRYPTED_SRTP`],
    ['reports that are not encrypted', `1 AES_CM_128_HMAC_SHA1_80 ${inline} UNENCRYPTED_SRTCP`],
    ['media that is not authenticated', `1 AES_CM_128_HMAC_SHA1_80 ${inline} UNAUTHENTICATED_SRTP`],
    ['keys that change on the way', `1 AES_CM_128_HMAC_SHA1_80 ${inline} KDR=4`],
    ['a parameter that nobody knows', `1 AES_CM_128_HMAC_SHA1_80 ${inline} X=y`],
  ])('not taken: %s', (_, value) => expect(parseCrypto(value)).toBeUndefined());

  it('never throws', () => {
    const piece = fc.constantFrom('1', ' ', 'AES_CM_128_HMAC_SHA1_80', 'inline:', key80, '|', '2^', ';', ':', '=', '٣');
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void parseCrypto(pieces.join(''))));
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void parseCrypto(text)));
  });

  it('has keys as long as its suites', () => {
    expect(SRTP_SUITE_NAMES.map(keyingBytes)).toEqual([44, 28, 30, 30]);
  });
});

describe('keys in signalling', () => {
  it.each([
    ['sip:bob@sbc.example.net', 'udp', 'sbc.example.net', false],
    ['sip:bob@sbc.example.net;transport=tcp', 'tcp', 'sbc.example.net', false],
    ['sip:bob@sbc.example.net:5061;transport=tls', 'tls', 'sbc.example.net', true],
    ['sip:bob@sbc.example.net;transport=TLS;lr', 'TLS', 'sbc.example.net', true],
    ['sip:bob@sbc.example.net;transport=wss', 'wss', 'sbc.example.net', true],
    ['sip:bob@sbc.example.net;transport=tlsx', 'tlsx', 'sbc.example.net', false],
    ['sip:b;transport=tls;ob@sbc.example.net', 'udp', 'sbc.example.net', false],
    ['sips:bob@sbc.example.net', 'tls', 'sbc.example.net', true],
    ['sip:bob@127.0.0.1:5070', 'udp', '127.0.0.1', true],
    ['sip:bob@127.0.0.1.example.net', 'udp', '127.0.0.1.example.net', false],
    ['sip:bob@[::1]:5070', 'udp', '::1', true],
    ['sip:bob@localhost', 'udp', 'localhost', true],
    ['not a URI', 'udp', '', false],
  ])('%s: %s to %s, safe %s', (uri, transport, host, safe) => {
    expect(hopTo(uri)).toEqual({ transport, host });
    expect(keepsKeys(hopTo(uri))).toBe(safe);
  });
});
