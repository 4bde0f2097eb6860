import { describe, expect, it } from 'vitest';
import { advertisedAddress } from '../../src/compose/advertised-address.ts';

describe('advertisedAddress', () => {
  it.each([
    { host: '192.0.2.9', external: '203.0.113.5', is: '203.0.113.5' },
    { host: '192.0.2.9', external: undefined, is: '192.0.2.9' },
    { host: '0.0.0.0', external: undefined, is: undefined },
    { host: '::', external: undefined, is: undefined },
    { host: '0.0.0.0', external: '203.0.113.5', is: '203.0.113.5' },
  ])('$host with $external is $is', ({ host, external, is }) => {
    expect(advertisedAddress(host, external)).toBe(is);
  });
});
