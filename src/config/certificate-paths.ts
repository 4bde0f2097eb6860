import { join } from 'node:path';
import type { Config } from './load.ts';

/** Where the certificate of SIP over TLS is: the operator's files, or those that the gateway makes itself. Absolute. */
export function certificatePaths({ sip, dataDir }: Pick<Config, 'sip' | 'dataDir'>): {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string | undefined;
} {
  const { certFile, keyFile, caFile } = sip.tls;
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile, caFile };
  const folder = join(dataDir, 'tls');
  return { certFile: join(folder, 'self-signed.pem'), keyFile: join(folder, 'self-signed-key.pem'), caFile };
}
