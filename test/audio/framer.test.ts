import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Framer } from '../../src/audio/framer.ts';

function collect(frameSamples: number): { framer: Framer; frames: number[][] } {
  const frames: number[][] = [];
  return { framer: new Framer(frameSamples, (frame) => frames.push([...frame])), frames };
}

describe('Framer', () => {
  it('gives the same frames whatever the chunk sizes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 160 }),
        (sizes, size) => {
          const { framer, frames } = collect(size);
          let next = 0;
          for (const length of sizes) framer.push(Int16Array.from({ length }, () => next++));
          expect(frames.flat()).toEqual(Array.from({ length: next - (next % size) }, (_, i) => i));
          expect(frames.every((frame) => frame.length === size)).toBe(true);
          expect(framer.pending).toBe(next % size);
        },
      ),
    );
  });

  it('flushes the rest with silence behind it, once', () => {
    const { framer, frames } = collect(4);
    framer.push(Int16Array.of(1, 2, 3, 4, 5));
    expect(framer.flush()).toBe(1);
    expect(framer.flush()).toBe(0);
    expect(frames).toEqual([
      [1, 2, 3, 4],
      [5, 0, 0, 0],
    ]);
  });

  it('forgets a partial frame on reset', () => {
    const { framer, frames } = collect(2);
    framer.push(Int16Array.of(9));
    framer.reset();
    framer.push(Int16Array.of(1, 2));
    expect(frames).toEqual([[1, 2]]);
  });

  it('refuses a frame of nothing', () => {
    expect(() => new Framer(0, () => {})).toThrow(RangeError);
  });
});
