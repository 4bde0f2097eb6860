import { BlockList, isIP } from 'node:net';

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

/**
 * Which peers may call at all; without entries everybody may.
 *
 * @returns a test of `ip:port` as in `LegInfo.sourceAddress`.
 */
export function sourceFilter(allowed: readonly string[]): (sourceAddress: string) => boolean {
  if (allowed.length === 0) return () => true;
  const isAllowed = addressFilter(allowed);
  return (source) => isAllowed(source.slice(0, source.lastIndexOf(':')).replace(/^\[|\]$/g, ''));
}
