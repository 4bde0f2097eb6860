import { makeSelfSigned } from '../../src/sip-server/tls/self-signed.ts';
import { TlsCredentials } from '../../src/sip-server/tls/tls-credentials.ts';

const DAY_MS = 86_400_000;

/** A pair for these hosts that serves today; `days` below 0 has expired. */
export function pairFor(hosts: readonly string[], days = 30): { readonly cert: string; readonly key: string } {
  const from = days > 0 ? new Date() : new Date(Date.now() + (days - 1) * DAY_MS);
  return makeSelfSigned({ hosts, from, days: days > 0 ? days : 1 });
}

/** Credentials of a pair that believe only these. */
export function believing(
  pair: { readonly cert: string; readonly key: string },
  ...trusted: readonly { readonly cert: string }[]
): TlsCredentials {
  return new TlsCredentials({ ...pair, ca: trusted.map(({ cert }) => cert).join('') });
}
