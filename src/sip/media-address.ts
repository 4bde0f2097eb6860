import { isIPv4 } from 'node:net';

/** What a `c=` address may be used for. `hold` is the unspecified address of RFC 2543 hold (RFC 3264 §8.4). */
export type AddressVerdict = 'usable' | 'hold' | 'multicast' | 'refused';

/** `0.0.0.0`, or `::` however it is written. */
export const isUnspecified = (address: string): boolean =>
  address === '0.0.0.0' || (address.includes(':') && /^[0:]+$/.test(address));

/**
 * Judges where a peer asks its media to be sent, so that a description cannot point our packets at a third party's
 * broadcast, loopback or metadata address. Private addresses are usable: phones behind NAT write theirs, and media
 * leaves only for addresses that proved themselves.
 *
 * @param address - as written in `c=`; names are refused, nothing is ever resolved.
 * @param signallingAddress - where the peer's SIP comes from: loopback and link-local media go to such a peer only.
 */
export function judgeMediaAddress(address: string, signallingAddress: string): AddressVerdict {
  if (isUnspecified(address)) return isIPv4(address) || isIPv4(signallingAddress) ? 'hold' : 'refused';
  if (!isIPv4(address)) return 'refused'; // IPv6 and names: we advertise IPv4 sockets
  const [a = 0, b = 0] = address.split('.').map(Number);
  if (a >= 224 && a <= 239) return 'multicast';
  if (a === 0 || a >= 240) return 'refused'; // "this network", class E, limited broadcast
  if (a === 127) return signallingAddress.startsWith('127.') ? 'usable' : 'refused';
  if (a === 169 && b === 254) return address === signallingAddress ? 'usable' : 'refused'; // link-local, cloud metadata
  return 'usable';
}
