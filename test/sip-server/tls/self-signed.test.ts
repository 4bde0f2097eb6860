import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addressBytes } from '../../../src/sip-server/message/host-port.ts';
import { examinePair } from '../../../src/sip-server/tls/certificate-pair.ts';
import { derOid, derTime, derUint } from '../../../src/sip-server/tls/der.ts';
import { makeSelfSigned } from '../../../src/sip-server/tls/self-signed.ts';

const FROM = new Date('2026-11-26T10:00:00.000Z');
const HOSTS = ['nidaa.example.com', '192.0.2.7', '2001:db8::7'];
const pair = makeSelfSigned({ hosts: HOSTS, from: FROM, days: 30 });
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('\n!!! certificates are not read by openssl: not installed !!!\n');
const folder = mkdtempSync(join(tmpdir(), 'nidaa-cert-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a certificate of our own', () => {
  it('is what it was asked to be', () => {
    expect(examinePair(pair)).toEqual({
      names: ['nidaa.example.com'],
      notBefore: new Date('2026-11-26T09:00:00.000Z'),
      notAfter: new Date('2026-12-26T10:00:00.000Z'),
      selfSigned: true,
      fingerprint: expect.stringMatching(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/),
    });
    const read = new X509Certificate(pair.cert);
    expect(read.subjectAltName).toBe(
      'DNS:nidaa.example.com, URI:sip:nidaa.example.com, IP Address:192.0.2.7, IP Address:2001:DB8:0:0:0:0:0:7',
    );
    expect(read.ca).toBe(true);
  });

  it('is another one each time', () => {
    const other = new X509Certificate(makeSelfSigned({ hosts: HOSTS, from: FROM, days: 30 }).cert);
    expect(other.serialNumber).not.toBe(new X509Certificate(pair.cert).serialNumber);
    expect(other.serialNumber).toHaveLength(32);
  });

  it('lasts beyond 2050 where it must', () => {
    const long = makeSelfSigned({ hosts: ['a'], from: FROM, days: 36_500 });
    expect(examinePair(long)).toMatchObject({ notAfter: new Date('2126-11-02T10:00:00.000Z') });
  });

  it.skipIf(!hasOpenssl)('is read and verified by openssl', () => {
    writeFileSync(join(folder, 'cert.pem'), pair.cert);
    const text = execFileSync('openssl', ['x509', '-in', join(folder, 'cert.pem'), '-noout', '-text']).toString();
    expect(text).toContain('Digital Signature, Certificate Sign');
    expect(text).toContain('TLS Web Server Authentication, TLS Web Client Authentication');
    const file = join(folder, 'cert.pem');
    const verified = spawnSync('openssl', [
      'verify',
      '-CAfile',
      file,
      '-purpose',
      'sslserver',
      '-attime',
      '1796000000',
      file,
    ]);
    expect(verified.stdout.toString()).toContain('cert.pem: OK');
  });
});

describe('examinePair', () => {
  const other = makeSelfSigned({ hosts: ['b'], from: FROM, days: 1 });
  it.each([
    { name: 'no certificate', pems: { ...pair, cert: 'x' }, fault: 'no certificate' },
    { name: 'no key', pems: { ...pair, key: 'x' }, fault: 'no private key' },
    { name: 'a key of another', pems: { ...pair, key: other.key }, fault: 'not that of the certificate' },
    { name: 'no authority', pems: { ...pair, ca: '' }, fault: 'authorities' },
  ])('$name', ({ pems, fault }) => {
    expect(examinePair(pems)).toEqual({ fault: expect.stringContaining(fault) });
  });
});

describe('DER', () => {
  it.each([
    { bytes: derOid('1.2.840.10045.4.3.2'), hex: '06082a8648ce3d040302' },
    { bytes: derOid('2.5.4.3'), hex: '0603550403' },
    { bytes: derUint(Buffer.from([0x80])), hex: '02020080' },
    { bytes: derTime(new Date('2049-12-31T23:59:59Z')), hex: `170d${Buffer.from('491231235959Z').toString('hex')}` },
    { bytes: derTime(new Date('2050-01-01T00:00:00Z')), hex: `180f${Buffer.from('20500101000000Z').toString('hex')}` },
    { bytes: addressBytes('2001:db8::1'), hex: '20010db8000000000000000000000001' },
    { bytes: addressBytes('::ffff:192.0.2.1'), hex: 'c0000201' },
    { bytes: addressBytes('::'), hex: '00000000000000000000000000000000' },
  ])('$hex', ({ bytes, hex }) => {
    expect(bytes.toString('hex')).toBe(hex);
  });
});
