import type { CertificatePlace } from '../../config/certificate-paths.ts';
import type { Config } from '../../config/load.ts';
import { EXPIRES_SOON_MS, examineFiles, isFault } from '../../sip-server/tls/certificate-files.ts';
import { type Finding, fail, info, ok, warn } from './finding.ts';

export interface CertificateCheck {
  readonly config: Config;
  /** The first one is that of `selfSigned`, where it is so. */
  readonly paths: readonly CertificatePlace[];
  readonly now: Date;
  /** The gateway runs: it goes on with the certificate it has. */
  readonly isRunning: boolean;
}

const CHECK = 'certificate';
const DAY_MS = 86_400_000;

/** The certificates of SIP over TLS as they are on disk: what a gateway that starts now would show. */
export function checkCertificate({ config, now, isRunning, paths }: CertificateCheck): Finding[] {
  const { server, transports, tls } = config.sip;
  if (server !== 'embedded' || !transports.includes('tls')) return [];
  const findings = paths.map((place, at) => ofFiles(place, tls.selfSigned && at === 0, now, isRunning));
  if (!tls.verifyPeers) {
    findings.push(
      warn(
        CHECK,
        'calls out over TLS take any certificate: whoever is on the way can listen',
        'Set sip.tls.verifyPeers to true, and sip.tls.caFile where a peer has an authority of its own.',
      ),
    );
  }
  return findings;
}

function ofFiles(paths: CertificatePlace, selfSigned: boolean, now: Date, isRunning: boolean): Finding {
  const { certFile } = paths;
  const found = examineFiles(paths);
  if (isFault(found)) {
    if (selfSigned) return info(CHECK, `${certFile}: made at the next start`);
    const meanwhile = isRunning ? '; the running gateway goes on with the one before' : '';
    return fail(
      CHECK,
      `${certFile}: ${found.fault}${meanwhile}`,
      'Mend sip.tls.certFile and sip.tls.keyFile: PEM, one for the other.',
    );
  }
  const { names, notBefore, notAfter } = found;
  const days = Math.floor((notAfter.getTime() - now.getTime()) / DAY_MS);
  const until = `until ${notAfter.toISOString().slice(0, 10)}`;
  const detail = `${certFile}: ${names.join(', ') || 'no domain'}, ${until}`;
  const renew = 'Renew it: new files at the same place serve without a restart.';
  if (days < 0) {
    if (selfSigned) return info(CHECK, `${certFile} has expired: made again at the next start`);
    return fail(CHECK, `${detail}: it has expired, peers refuse it`, renew);
  }
  if (notBefore > now)
    return fail(CHECK, `${detail}: it does not hold yet, peers refuse it`, 'Check the clock of this machine.');
  if (selfSigned) {
    return warn(
      CHECK,
      `${certFile} is self-signed, made by the gateway (lab): nobody vouches for it`,
      'Set sip.tls.certFile and sip.tls.keyFile to a certificate that peers believe.',
    );
  }
  if (days * DAY_MS < EXPIRES_SOON_MS) return warn(CHECK, `${detail}: ${days} days left`, renew);
  if (found.selfSigned)
    return warn(CHECK, `${detail}: nobody vouches for it but itself`, 'Give peers this file, or get one.');
  return ok(CHECK, detail);
}
