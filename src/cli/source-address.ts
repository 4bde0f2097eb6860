import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';

/** Addresses of documentation (RFC 5737): nothing is sent there, only the route to the world is asked for. */
const SOMEWHERE = '192.0.2.1';
const ANY_PORT = 9;

/**
 * The own address that packets to `host` carry, as routing decides. A name without an address (a domain found by SRV
 * records) counts as somewhere out in the world.
 *
 * @returns undefined where there is no route.
 */
export async function sourceAddressTo(host: string): Promise<string | undefined> {
  const bare = host.replace(/^\[|\]$/g, '');
  const address = isIP(bare) ? bare : ((await lookup(bare).catch(() => undefined))?.address ?? SOMEWHERE);
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    return await new Promise<string | undefined>((resolve) => {
      socket.once('error', () => resolve(undefined));
      socket.connect(ANY_PORT, address, (error?: Error) => resolve(error ? undefined : socket.address().address));
    });
  } finally {
    socket.close();
  }
}
