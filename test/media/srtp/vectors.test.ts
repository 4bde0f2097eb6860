import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { derive, sessionKeys } from '../../../src/media/srtp/key-derivation.ts';
import { NODE_CIPHERS } from '../../../src/media/srtp/node-ciphers.ts';
import { loadOpenssl } from '../../../src/media/srtp/openssl-calls.ts';
import { opensslCiphers } from '../../../src/media/srtp/openssl-ciphers.ts';
import type { PacketCipher } from '../../../src/media/srtp/packet-cipher.ts';
import { rtcpSsrc, rtpSsrc, SRTP_PACKET_BYTES_MAX } from '../../../src/media/srtp/srtp-packet.ts';
import { SRTP_TRAILER_BYTES_MAX } from '../../../src/media/srtp/srtp-suite.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/srtp/${name}`, import.meta.url), 'utf8'));
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const roomy = (packet: Buffer): Buffer => Buffer.concat([packet, Buffer.alloc(SRTP_TRAILER_BYTES_MAX)]);
const libraries = [
  { by: 'node:crypto', ciphers: NODE_CIPHERS, blocksMax: 65_536 },
  { by: 'openssl', ciphers: opensslCiphers(loadOpenssl()), blocksMax: SRTP_PACKET_BYTES_MAX / 16 },
];

describe.each(libraries)('RFC 3711 appendix B, by $by', ({ ciphers, blocksMax }) => {
  const { counterMode, keyDerivation } = read('rfc3711.json') as {
    readonly counterMode: {
      readonly sessionKey: string;
      readonly sessionSalt: string;
      readonly ssrc: number;
      readonly index: number;
      readonly keyStream: readonly { readonly block: number; readonly bytes: string }[];
    };
    readonly keyDerivation: Readonly<
      Record<'masterKey' | 'masterSalt' | 'cipherKey' | 'cipherSalt' | 'authKey', string>
    >;
  };

  it('B.2: the key stream of AES in counter mode', () => {
    const { sessionKey, sessionSalt, ssrc, index, keyStream } = counterMode;
    const keys = { cipher: hex(sessionKey), salt: hex(sessionSalt), auth: Buffer.alloc(20) };
    const cipher = ciphers.counterMode(keys, 10);
    const checked = keyStream.filter(({ block }) => block < blocksMax);
    const last = Math.max(...checked.map(({ block }) => block));
    const zeros = Buffer.alloc(16 * (last + 1));
    const sealed = roomy(zeros);
    cipher.seal(sealed, zeros.length, { clearBytes: 0, ssrc, index });
    for (const { block, bytes } of checked) {
      expect(sealed.subarray(16 * block, 16 * (block + 1)).toString('hex'), `block ${block}`).toBe(bytes);
    }
  });

  it('B.3: the session keys of a master key', () => {
    const { masterKey, masterSalt, cipherKey, cipherSalt, authKey } = keyDerivation;
    const keys = sessionKeys('AES_CM_128_HMAC_SHA1_80', hex(masterKey + masterSalt), 'rtp');
    expect(keys.cipher.toString('hex')).toBe(cipherKey);
    expect(keys.salt.toString('hex')).toBe(cipherSalt);
    expect(keys.auth.toString('hex')).toBe(authKey.slice(0, 40));
    expect(derive(hex(masterKey), hex(masterSalt), 1, authKey.length / 2).toString('hex')).toBe(authKey);
  });
});

describe.each(libraries)('RFC 7714, by $by', ({ ciphers }) => {
  const { sessionSalt, rtpIndex, rtcpIndex, vectors } = read('rfc7714.json') as {
    readonly sessionSalt: string;
    readonly rtpIndex: number;
    readonly rtcpIndex: number;
    readonly vectors: readonly Readonly<Record<'suite' | 'sessionKey' | 'rtp' | 'srtp' | 'rtcp' | 'srtcp', string>>[];
  };
  const cipherOf = (sessionKey: string): PacketCipher =>
    ciphers.galois({ cipher: hex(sessionKey), salt: hex(sessionSalt), auth: Buffer.alloc(0) });

  it.each(vectors)('section 16: $suite, SRTP', ({ sessionKey, rtp, srtp }) => {
    const cipher = cipherOf(sessionKey);
    const packet = hex(rtp);
    const place = { clearBytes: 12, ssrc: rtpSsrc(packet), index: rtpIndex };
    const datagram = roomy(packet);
    const bytes = cipher.seal(datagram, packet.length, place);
    expect(datagram.subarray(0, bytes).toString('hex')).toBe(srtp);
    expect(cipher.open(datagram, packet.length, packet.length, place)).toBe(true);
    expect(datagram.subarray(0, packet.length).toString('hex')).toBe(rtp);
  });

  it.each(vectors)('section 17: $suite, SRTCP', ({ sessionKey, rtcp, srtcp }) => {
    const cipher = cipherOf(sessionKey);
    const packet = hex(rtcp);
    const place = { clearBytes: 8, ssrc: rtcpSsrc(packet), index: rtcpIndex };
    const datagram = roomy(packet);
    const bytes = cipher.sealRtcp(datagram, packet.length, place);
    expect(datagram.subarray(0, bytes).toString('hex')).toBe(srtcp);
    expect(cipher.openRtcp(datagram, packet.length, packet.length, packet.length + 16, place)).toBe(true);
    expect(datagram.subarray(0, packet.length).toString('hex')).toBe(rtcp);
  });
});
