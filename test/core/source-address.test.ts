import { describe, expect, it } from 'vitest';
import { sourceAddressTo } from '../../src/core/source-address.ts';

describe('sourceAddressTo', () => {
  it.each([
    { name: 'loopback', address: '127.0.0.1', own: '127.0.0.1' },
    { name: 'elsewhere on loopback', address: '127.8.8.8', own: '127.0.0.1' },
    { name: 'loopback, mapped into IPv6', address: '::ffff:127.0.0.1', own: '127.0.0.1' },
    { name: 'broadcast, which needs a permission', address: '255.255.255.255', own: undefined },
    { name: 'every address', address: '0.0.0.0', own: '127.0.0.1' },
    { name: 'a name', address: 'localhost', own: undefined },
    { name: 'nothing', address: '', own: undefined },
  ])('$name', ({ address, own }) => {
    expect(sourceAddressTo(address)).toBe(own);
  });
});
