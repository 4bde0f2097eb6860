import { BlockList, isIP } from 'node:net';

/** Written like an address or a network; a name is not. */
export const looksNumeric = (entry: string): boolean => /^[\d.]+(\/\d+)?$|:/.test(entry);

/** `203.0.113.9`, `203.0.113.0/24`, `2001:db8::/32`. */
export function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const family = isIP(address);
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32));
  return family !== 0 && more.length === 0 && isPrefix;
}

/** Whether an IP address is among addresses and networks (`203.0.113.0/24`). */
export function addressFilter(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** The address of `ip:port` or `[ip]:port`. */
export const addressOf = (source: string): string => source.slice(0, source.lastIndexOf(':')).replace(/^\[|\]$/g, '');

/** `127.0.0.0/8`, `::1`, and the name of both. */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|\[::1\]|localhost)$/i.test(host);

/**
 * Which peers may call at all; without entries everybody may.
 *
 * @returns a test of `ip:port`.
 */
export function sourceFilter(allowed: readonly string[]): (source: string) => boolean {
  if (allowed.length === 0) return () => true;
  const isAllowed = addressFilter(allowed);
  return (source) => isAllowed(addressOf(source));
}
