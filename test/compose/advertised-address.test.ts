import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { advertisedAddress } from '../../src/compose/advertised-address.ts';

const address = (text: string, internal: boolean) => ({ address: text, internal }) as NetworkInterfaceInfo;
const interfaces = { lo: [address('127.0.0.1', true)], eth0: [address('fe80::1', false), address('192.0.2.7', false)] };

describe('advertisedAddress', () => {
  it.each([
    { host: '192.0.2.9', external: '203.0.113.5', is: '203.0.113.5' },
    { host: '192.0.2.9', external: undefined, is: '192.0.2.9' },
    { host: '0.0.0.0', external: undefined, is: '192.0.2.7' },
    { host: '::', external: undefined, is: '192.0.2.7' },
    { host: '0.0.0.0', external: '203.0.113.5', is: '203.0.113.5' },
  ])('$host with $external is $is', ({ host, external, is }) => {
    expect(advertisedAddress(host, external, interfaces)).toBe(is);
  });
  it('falls back to loopback on a machine without a network', () => {
    expect(advertisedAddress('0.0.0.0', undefined, { lo: interfaces.lo })).toBe('127.0.0.1');
  });
});
