import { describe, expect, it } from 'vitest';
import { FittedTexts } from '../../../src/console/pages/call/fitted-texts.ts';

/** Ten points a letter. */
function texts() {
  let measured = 0;
  const found = new FittedTexts((text) => {
    measured += 1;
    return text.length * 10;
  });
  return { found, measured: () => measured };
}

describe('texts in their room', () => {
  it.each([
    ['hello', 52, 'hello'],
    ['hello', 48, 'hel…'],
    ['hello', 20, 'h…'],
    ['hello', 12, ''],
    ['hello', 0, ''],
    ['', 0, ''],
    ['to be', 40, 'to…'], // no blank before the dots
  ])('"%s" in %i points is "%s"', (text, room, fitted) => {
    expect(texts().found.fit(text, 'sans', room)).toBe(fitted);
  });

  it('are measured once for a room, and again for another or another font', () => {
    const { found, measured } = texts();
    found.fit('a long text', 'sans', 40);
    const once = measured();
    found.fit('a long text', 'sans', 43);
    expect(measured()).toBe(once);
    found.fit('a long text', 'sans', 44);
    found.fit('a long text', 'bold', 40);
    expect(measured()).toBeGreaterThan(once);
  });

  it('take few looks however long they are', () => {
    const { found, measured } = texts();
    found.fit('x'.repeat(100_000), 'sans', 400);
    expect(measured()).toBeLessThan(12);
  });
});
