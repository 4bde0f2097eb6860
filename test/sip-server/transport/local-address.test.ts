import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { pickLocalAddress } from '../../../src/sip-server/transport/local-address.ts';

function nic(cidr: string, internal = false): NetworkInterfaceInfo {
  const address = cidr.split('/')[0] ?? '';
  const common = { address, netmask: '', mac: '', internal, cidr };
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' };
}

const INTERFACES = {
  lo: [nic('127.0.0.1/8', true), nic('::1/128', true)],
  eth0: [nic('203.0.113.5/24'), nic('fe80::1/64'), nic('2001:db8::5/64')],
  eth1: [nic('10.0.0.5/8')],
  vlan7: [nic('10.1.2.5/24')],
};

describe('pickLocalAddress', () => {
  it.each([
    { name: 'loopback', remote: '127.0.0.9', out: '127.0.0.1' },
    { name: 'same subnet', remote: '203.0.113.77', out: '203.0.113.5' },
    { name: 'the smaller of two subnets', remote: '10.1.2.77', out: '10.1.2.5' },
    { name: 'only the larger one', remote: '10.9.9.9', out: '10.0.0.5' },
    { name: 'the internet', remote: '198.51.100.1', out: '203.0.113.5' },
    { name: 'IPv6, same subnet', remote: '2001:db8::99', out: '2001:db8::5' },
    { name: 'IPv6, far away: not the link-local one', remote: '2001:db9::1', out: '2001:db8::5' },
  ])('$name', ({ remote, out }) => {
    expect(pickLocalAddress(INTERFACES, remote)).toBe(out);
  });

  it('has nothing to offer without an interface of the family', () => {
    expect(pickLocalAddress({ lo: [nic('127.0.0.1/8', true)] }, '198.51.100.1')).toBeUndefined();
    expect(pickLocalAddress({ eth0: [nic('203.0.113.5/24')] }, '2001:db8::1')).toBeUndefined();
  });
});
