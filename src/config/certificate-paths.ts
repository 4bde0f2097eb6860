import { join } from 'node:path';
import type { Config } from './load.ts';

/** One certificate of SIP over TLS, with its key and those whom it goes with. Absolute. */
export interface CertificatePlace {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string | undefined;
}

/**
 * Where the certificates of SIP over TLS are: first the one that everybody is shown, the operator's or the one that the gateway
 * makes itself, then those for callers who ask for another domain.
 */
export function certificatePaths({
  sip,
  dataDir,
}: Pick<Config, 'sip' | 'dataDir'>): readonly [CertificatePlace, ...CertificatePlace[]] {
  const { certFile, keyFile, caFile, certificates } = sip.tls;
  const others = certificates.map((pair) => ({ ...pair, caFile }));
  if (certFile !== undefined && keyFile !== undefined) return [{ certFile, keyFile, caFile }, ...others];
  const folder = join(dataDir, 'tls');
  const own = { certFile: join(folder, 'self-signed.pem'), keyFile: join(folder, 'self-signed-key.pem'), caFile };
  return [own, ...others];
}
