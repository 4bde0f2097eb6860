import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * The address that goes into SDP: what was configured, else the one listened on; where that is every address
 * (`0.0.0.0`, `::`), the machine's first IPv4 address that is not loopback.
 */
export function advertisedAddress(
  host: string,
  external?: string,
  interfaces: Interfaces = networkInterfaces(),
): string {
  if (external) return external;
  if (host !== '0.0.0.0' && host !== '::') return host;
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  return all.find(({ address, internal }) => !internal && isIPv4(address))?.address ?? '127.0.0.1';
}
