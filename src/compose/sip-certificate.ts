import { hostname, networkInterfaces } from 'node:os';
import { certificatePaths } from '../config/certificate-paths.ts';
import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { CertificateFiles, ensureSelfSigned } from '../sip-server/tls/certificate-files.ts';

/** More addresses than this make no certificate better. */
const ADDRESSES_MAX = 32;

export interface SipCertificate {
  /** The one that everybody is shown, then those of further domains. */
  readonly files: readonly [CertificateFiles, ...CertificateFiles[]];
  /** What an operator must know of it, for the start report. */
  readonly notes: readonly string[];
  close(): void;
}

/**
 * The certificates of SIP over TLS, the first of them made now where the settings say so.
 * @throws OperatorError where one cannot serve.
 */
export function openCertificate(config: Config, clock: Clock, logger: Logger): SipCertificate {
  const [paths, ...others] = certificatePaths(config);
  const { selfSigned, verifyPeers } = config.sip.tls;
  const made = selfSigned && ensureSelfSigned(paths, hostsOf(config), clock.utc());
  if (made) logger.warn({ certFile: paths.certFile }, 'made a self-signed certificate for SIP over TLS');
  const first = new CertificateFiles(paths, clock, logger);
  const files: [CertificateFiles, ...CertificateFiles[]] = [first];
  const close = (): void => {
    for (const one of files) one.close();
  };
  try {
    for (const place of others) files.push(new CertificateFiles(place, clock, logger));
  } catch (error) {
    close();
    throw error;
  }
  const { facts } = first;
  const notes: string[] = [];
  if (selfSigned) {
    notes.push(
      `SIP over TLS shows a SELF-SIGNED certificate (lab): nobody vouches for it. A phone that is to believe it gets`,
      `  ${paths.certFile}`,
      `  SHA-256 ${facts.fingerprint}`,
      'Otherwise set sip.tls.certFile and sip.tls.keyFile.',
    );
  }
  const expired = files.filter((one) => one.facts.notAfter < clock.utc());
  for (const { facts: of } of expired) {
    notes.push(
      `The certificate of SIP over TLS for ${of.names.join(', ') || 'no domain'} HAS EXPIRED: peers refuse it.`,
    );
  }
  if (!verifyPeers) notes.push('Calls out over TLS take ANY certificate (sip.tls.verifyPeers: false).');
  return { files, notes, close };
}

/** What a certificate of our own is for: this machine by its name and by every address that it may be called at. */
function hostsOf({ sip }: Config): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const reachable = addresses.filter(({ address }) => !address.includes('%') && !address.startsWith('fe80'));
  const own = reachable.map(({ address }) => address).slice(0, ADDRESSES_MAX);
  const wildcard = sip.host === '0.0.0.0' || sip.host === '::';
  const external = sip.externalAddress === undefined ? [] : [sip.externalAddress];
  const name = /^[A-Za-z0-9.-]{1,64}$/.test(hostname()) ? [hostname()] : [];
  return [...new Set([...name, 'localhost', ...external, ...(wildcard ? own : [sip.host]), '127.0.0.1'])];
}
