import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CertificateFiles, ensureSelfSigned, examineFiles } from '../../../src/sip-server/tls/certificate-files.ts';
import { makeSelfSigned } from '../../../src/sip-server/tls/self-signed.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogCapture } from '../../support/log-capture.ts';

let folder: string;
let clock: FakeClock;
let log: LogCapture;
const paths = () => ({ certFile: join(folder, 'sub', 'cert.pem'), keyFile: join(folder, 'sub', 'key.pem') });
const made = (name: string, days = 365) => makeSelfSigned({ hosts: [name], from: clock.utc(), days });
const write = ({ cert, key }: { cert: string; key: string }): void => {
  writeFileSync(paths().certFile, cert);
  writeFileSync(paths().keyFile, key);
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nidaa-cert-'));
  clock = new FakeClock();
  log = new LogCapture();
  ensureSelfSigned(paths(), ['first.example'], clock.utc());
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Two looks: what reads the same twice is judged. */
async function look(files: CertificateFiles): Promise<void> {
  await files.look();
  await files.look();
}
const errors = (): unknown[] =>
  log.lines.filter(({ level }) => level === 'error').map(({ fault, msg }) => fault ?? msg);

describe('the certificate on disk', () => {
  it('serves when it is new, and all who wait for it are told', async () => {
    const files = new CertificateFiles(paths(), clock, log.logger);
    const told: unknown[] = [];
    files.credentials.onReplaced(() => told.push(files.credentials.pems.cert));
    await look(files);
    expect(told).toEqual([]);
    const next = made('next.example');
    write(next);
    await files.look();
    expect(told).toEqual([]); // its key may still be the old one
    await files.look();
    expect(told).toEqual([next.cert]);
    expect(files.facts.names).toEqual(['next.example']);
    await look(files);
    expect(files.counters).toEqual({ replaced: 1, refused: 0 });
    files.close();
    expect(clock.pending).toBe(0);
  });

  it.each([
    { name: 'is broken', spoil: () => writeFileSync(paths().certFile, 'half a cert'), fault: /no certificate in PEM/ },
    {
      name: 'has the key of another',
      spoil: () => writeFileSync(paths().keyFile, made('b').key),
      fault: /not that of/,
    },
    { name: 'is away', spoil: () => rmSync(paths().keyFile), fault: /ENOENT/ },
    { name: 'has expired', spoil: () => write(made('old', -1)), fault: /has expired/ },
  ])('goes on serving while the new one $name: said once', async ({ spoil, fault }) => {
    const files = new CertificateFiles(paths(), clock, log.logger);
    const { cert } = files.credentials.pems;
    spoil();
    for (let i = 0; i < 5; i += 1) await files.look();
    expect(errors()).toEqual([expect.stringMatching(fault)]);
    expect(files.credentials.pems.cert).toBe(cert);
    expect(files.counters).toEqual({ replaced: 0, refused: 1 });
    write(made('mended.example'));
    await look(files);
    expect(files.facts.names).toEqual(['mended.example']);
    files.close();
  });

  it('is read by the clock', async () => {
    const files = new CertificateFiles(paths(), clock, log.logger);
    write(made('next.example'));
    for (let i = 0; i < 20 && files.counters.replaced === 0; i += 1) {
      clock.advance(5_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(files.counters.replaced).toBe(1);
    files.close();
  });

  it('says once a day that it ends soon, and that it has', () => {
    write(made('short', 31));
    const files = new CertificateFiles(paths(), clock, log.logger);
    const lines = () => log.lines.map(({ msg }) => msg);
    expect(lines()).toEqual([]);
    files.close();
    write(made('short', 2));
    const soon = new CertificateFiles(paths(), clock, log.logger);
    expect(lines()).toEqual(['the certificate of SIP over TLS expires soon']);
    soon.close();
    clock.advance(3 * 86_400_000);
    new CertificateFiles(paths(), clock, log.logger).close();
    expect(errors()).toEqual(['the certificate of SIP over TLS has expired: peers refuse it']);
  });

  it('keeps the gateway from starting when it cannot serve', () => {
    writeFileSync(paths().keyFile, 'x');
    expect(() => new CertificateFiles(paths(), clock, log.logger)).toThrow(/cannot serve SIP over TLS: the key file/);
    rmSync(paths().certFile);
    expect(() => new CertificateFiles(paths(), clock, log.logger)).toThrow(/Cannot read the certificate/);
  });

  it('never logs a key', async () => {
    const files = new CertificateFiles(paths(), clock, log.logger);
    write({ cert: made('a').key, key: made('b').key });
    await look(files);
    expect(errors()).toHaveLength(1);
    expect(log.text).not.toContain('PRIVATE');
    files.close();
  });
});

describe('ensureSelfSigned', () => {
  const again = (): boolean => ensureSelfSigned(paths(), ['x.example', '10.0.0.1'], clock.utc());
  it('keeps what it made, for its owner alone', () => {
    const { cert } = { cert: readFileSync(paths().certFile, 'utf8') };
    expect(again()).toBe(false);
    expect(readFileSync(paths().certFile, 'utf8')).toBe(cert);
    expect(statSync(paths().keyFile).mode & 0o777).toBe(0o600);
  });
  it('makes another when it is broken or ends soon', () => {
    writeFileSync(paths().certFile, 'x');
    expect(again()).toBe(true);
    clock.advance(370 * 86_400_000);
    expect(again()).toBe(true);
    expect(examineFiles(paths())).toMatchObject({ names: ['x.example'], selfSigned: true });
  });
});
