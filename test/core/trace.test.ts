import { describe, expect, it } from 'vitest';
import { childContext, parseTraceparent, traceparentOf } from '../../src/core/trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent (W3C Trace Context)', () => {
  it.each([
    { text: `00-${TRACE}-${SPAN}-01`, sampled: true },
    { text: ` 00-${TRACE}-${SPAN}-00 `, sampled: false },
    { text: `00-${TRACE}-${SPAN}-03`, sampled: true },
    { text: `cc-${TRACE}-${SPAN}-01-what-comes-later`, sampled: true },
  ])('$text is read', ({ text, sampled }) => {
    expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
  });

  it.each([
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}x-${SPAN}-01`,
  ])('%s is none', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('is written as it was read', () => {
    for (const text of [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`])
      expect(traceparentOf(parseTraceparent(text)!)).toBe(text);
  });
});

describe('a span below another', () => {
  it('is of its trace and is recorded as it is; one of its own has ids of its own', () => {
    const parent = parseTraceparent(`00-${TRACE}-${SPAN}-00`);
    expect(childContext(parent)).toMatchObject({ traceId: TRACE, sampled: false });
    expect(childContext(parent).spanId).not.toBe(SPAN);
    const own = childContext(undefined);
    expect(traceparentOf(own)).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
    expect(childContext(undefined, false).sampled).toBe(false);
  });
});
