import { describe, expect, it } from 'vitest';
import { sourceFilter } from '../../src/core/address-filter.ts';

describe('sourceFilter', () => {
  it.each([
    { allowed: [], source: '198.51.100.7:5060', passes: true },
    { allowed: ['203.0.113.0/24'], source: '203.0.113.9:5060', passes: true },
    { allowed: ['203.0.113.0/24'], source: '203.0.114.9:5060', passes: false },
    { allowed: ['203.0.113.9'], source: '203.0.113.9:1024', passes: true },
    { allowed: ['2001:db8::/32'], source: '[2001:db8::1]:5060', passes: true },
    { allowed: ['2001:db8::/32'], source: '203.0.113.9:5060', passes: false },
    { allowed: ['203.0.113.9'], source: 'not an address', passes: false },
  ])('$source with $allowed: $passes', ({ allowed, source, passes }) => {
    expect(sourceFilter(allowed)(source)).toBe(passes);
  });
});
