import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { sourceAddressTo } from '../core/source-address.ts';

/** Addresses of documentation (RFC 5737): nothing is sent there, only the route to the world is asked for. */
const SOMEWHERE = '192.0.2.1';

/**
 * The own address that packets to `host` carry. A name without an address (a domain found by SRV records) counts as
 * somewhere out in the world.
 *
 * @returns undefined where there is no route.
 */
export async function sourceAddressToHost(host: string): Promise<string | undefined> {
  const bare = host.replace(/^\[|\]$/g, '');
  return sourceAddressTo(isIP(bare) ? bare : ((await lookup(bare).catch(() => undefined))?.address ?? SOMEWHERE));
}
