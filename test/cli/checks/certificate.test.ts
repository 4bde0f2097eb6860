import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkCertificate } from '../../../src/cli/checks/certificate.ts';
import { certificatePaths } from '../../../src/config/certificate-paths.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { makeSelfSigned } from '../../../src/sip-server/tls/self-signed.ts';
import { configFolder } from '../../support/config-folder.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

interface Given {
  readonly sip?: string;
  readonly from?: string;
  readonly days?: number;
  readonly files?: Readonly<Record<string, string | undefined>>;
  readonly isRunning?: boolean;
}
const FILES = 'certFile: c.pem, keyFile: k.pem';

function check({ sip = `tls: { ${FILES} }`, from = '2026-01-01T00:00:00Z', days = 365, ...given }: Given) {
  const folder = configFolder({
    'nidaa.yaml': `dataDir: .\nsip: { transports: [udp, tls], ${sip} }`,
    ...(given.files as Record<string, string>),
  });
  folders.push(folder);
  const config = loadConfig({ env: {}, cwd: folder.dir, configDir: '.' });
  const [paths] = certificatePaths(config);
  if (!given.files && days > 0) {
    const { cert, key } = makeSelfSigned({ hosts: ['sip.example.com'], from: new Date(from), days });
    mkdirSync(join(folder.dir, 'tls'), { recursive: true });
    writeFileSync(paths.certFile, cert);
    writeFileSync(paths.keyFile, key);
  }
  return checkCertificate({ config, now: NOW, isRunning: given.isRunning ?? false, paths: certificatePaths(config) });
}

describe('checkCertificate', () => {
  it.each([
    {
      name: 'self-signed, by the operator',
      given: {},
      state: 'warn',
      detail: /sip\.example\.com, until 2027-01-01: nobody vouches/,
    },
    { name: 'ends soon', given: { days: 160 }, state: 'warn', detail: /until 2026-06-10: 9 days left/ },
    { name: 'has ended', given: { days: 100 }, state: 'fail', detail: /it has expired/ },
    { name: 'is not valid yet', given: { from: '2026-07-01T00:00:00Z' }, state: 'fail', detail: /does not hold yet/ },
    {
      name: 'is no certificate',
      given: { files: { 'c.pem': 'x', 'k.pem': 'y' } },
      state: 'fail',
      detail: /no certificate in PEM$/,
    },
    {
      name: 'was spoilt meanwhile',
      given: { files: { 'c.pem': 'x' }, isRunning: true },
      state: 'fail',
      detail: /goes on with the one before/,
    },
    {
      name: 'of a lab',
      given: { sip: 'tls: { selfSigned: true }' },
      state: 'warn',
      detail: /self-signed, made by the gateway \(lab\)/,
    },
    {
      name: 'of a lab, not yet there',
      given: { sip: 'tls: { selfSigned: true }', days: 0 },
      state: 'info',
      detail: /made at the next start/,
    },
    {
      name: 'of a lab, ended',
      given: { sip: 'tls: { selfSigned: true }', days: 10 },
      state: 'info',
      detail: /made again at the next start/,
    },
  ])('$name: $state', ({ given, state, detail }) => {
    expect(check(given)).toEqual([
      {
        check: 'certificate',
        state,
        detail: expect.stringMatching(detail),
        fix: state === 'info' ? null : expect.any(String),
      },
    ]);
  });

  it('looks at the certificate of every domain', () => {
    const found = check({ sip: `tls: { ${FILES}, certificates: [{ certFile: none.pem, keyFile: none.pem }] }` });
    expect(found.map(({ state }) => state)).toEqual(['warn', 'fail']);
    expect(found[1]?.detail).toContain('none.pem');
  });

  it('warns of peers that are not verified', () => {
    const [, finding] = check({ sip: `tls: { ${FILES}, verifyPeers: false }` });
    expect(finding).toMatchObject({ state: 'warn', detail: expect.stringContaining('take any certificate') });
  });

  it('does not look where TLS is not spoken, or not by us', () => {
    expect(check({ sip: 'server: "drachtio://:s@192.0.2.1"' })).toEqual([]);
    const folder = configFolder({ 'nidaa.yaml': '' });
    folders.push(folder);
    const config = loadConfig({ env: {}, cwd: folder.dir, configDir: '.' });
    expect(checkCertificate({ config, now: NOW, isRunning: false, paths: certificatePaths(config) })).toEqual([]);
  });
});
