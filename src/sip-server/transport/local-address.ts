import { BlockList, isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

/** As `os.networkInterfaces()` gives it. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * The address of this machine that `remote` can most likely reach: one in the same subnet (the smallest that holds it), else
 * the first that is not loopback or link-local. Undefined when there is none of its family. For sockets bound to 0.0.0.0 or ::,
 * whose own address says nothing.
 */
export function pickLocalAddress(interfaces: Interfaces, remote: string): string | undefined {
  const family = isIPv4(remote) ? 'ipv4' : 'ipv6';
  const own = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter((info) => info.family.toLowerCase() === family);
  const near = own
    .map((info) => ({ info, bits: Number(info.cidr?.split('/')[1] ?? -1) }))
    .filter(({ info, bits }) => bits >= 0 && inSubnet(remote, info.address, bits, family))
    .sort((a, b) => b.bits - a.bits);
  if (near[0]) return near[0].info.address;
  return own.find((info) => !info.internal && !info.address.toLowerCase().startsWith('fe80:'))?.address;
}

function inSubnet(remote: string, address: string, bits: number, family: 'ipv4' | 'ipv6'): boolean {
  const subnet = new BlockList();
  subnet.addSubnet(address, bits, family);
  return subnet.check(remote, family);
}
