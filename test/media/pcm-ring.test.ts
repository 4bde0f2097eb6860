import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocatePcmRing, PcmRing } from '../../src/media/plane/pcm-ring.ts';

const ramp = (from: number, length: number): Int16Array => Int16Array.from({ length }, (_, i) => (from + i) & 0x7fff);

describe.each([0, 2 ** 31 - 50, -50])('PcmRing, positions from %i', (startAt) => {
  const open = (limit: number) => new PcmRing(allocatePcmRing(limit), startAt);

  it('gives back what was written, around its end', () => {
    const ring = open(100);
    const into = new Int16Array(70);
    for (let round = 0; round < 20; round += 1) {
      expect(ring.write(ramp(round * 70, 70))).toBe(70);
      expect(ring.read(into)).toBe(70);
      expect(into).toEqual(ramp(round * 70, 70));
    }
    expect(ring.read(into)).toBe(0);
  });

  it('takes no more than its limit, though memory is larger', () => {
    const ring = open(100);
    expect(ring.write(ramp(0, 90))).toBe(90);
    expect(ring.write(ramp(90, 90))).toBe(10);
    expect([ring.queued, ring.free]).toEqual([100, 0]);
    expect(ring.write(ramp(0, 1))).toBe(0);
  });

  it('takes pairs side by side, all of them or none', () => {
    const ring = open(100);
    const [left, right] = [Int16Array.of(-32_768, -1, 0, 32_767, 5), Int16Array.of(7, -32_768, -1, 9, 9)];
    const into = new Int16Array(100);
    for (let round = 0; round < 30; round += 1) {
      expect(ring.writePairs(left, right, 3)).toBe(true);
      if (round % 2 === 0) expect(ring.writePairs(right, left, 5)).toBe(true);
      const count = ring.read(into);
      expect([...into.subarray(0, 10)]).toEqual([-32_768, 7, -1, -32_768, 0, -1, 32_767, 0, 5, 0]);
      expect([...into.subarray(10, count)]).toEqual(
        round % 2 === 0 ? [7, -32_768, -32_768, -1, -1, 0, 9, 32_767, 9, 5] : [],
      );
    }
    for (let pairs = 0; pairs < 10; pairs += 1) expect(ring.writePairs(left, right, 5)).toBe(true);
    expect([ring.writePairs(left, right, 5), ring.queued]).toEqual([false, 100]);
    expect(ring.read(into)).toBe(100);
  });

  it('clears from either side, exactly once', () => {
    const memory = allocatePcmRing(64);
    const [writer, reader] = [new PcmRing(memory, startAt), new PcmRing(memory)];
    writer.write(ramp(0, 30));
    expect(writer.clear()).toBe(30);
    expect(reader.clear()).toBe(0);
    expect(reader.read(new Int16Array(5))).toBe(0);
    writer.write(ramp(7, 3));
    const into = new Int16Array(5);
    expect(reader.read(into)).toBe(3);
    expect([...into]).toEqual([7, 8, 9, 0, 0]);
  });

  it('counts every sample as read, left out, cleared, refused or waiting', () => {
    const step = fc.oneof(
      fc.record({ write: fc.nat(80) }),
      fc.record({ read: fc.nat(80) }),
      fc.record({ skip: fc.nat(80) }),
      fc.constant({ clear: true as const }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ring = open(64);
        let written = 0;
        let expected = 0; // next sample the reader must see
        for (const item of steps) {
          if ('write' in item) {
            written += ring.write(ramp(written, item.write));
          } else if ('read' in item) {
            const into = new Int16Array(item.read);
            const count = ring.read(into);
            expect(into.subarray(0, count)).toEqual(ramp(expected, count));
            expected += count;
          } else if ('skip' in item) {
            const waiting = ring.queued;
            const skipped = ring.skip(item.skip);
            expect(skipped).toBe(Math.min(item.skip, waiting));
            expected += skipped;
          } else {
            expected += ring.clear();
          }
          expect(ring.queued).toBe(written - expected);
          expect(ring.queued).toBeLessThanOrEqual(64);
        }
      }),
    );
  });
});

describe('PcmRing', () => {
  it('touches no more of its memory than what waits', () => {
    const memory = allocatePcmRing(4_096);
    const ring = new PcmRing(memory);
    const into = new Int16Array(160);
    for (let round = 0; round < 100; round += 1) {
      for (const _ of [0, 1]) ring.write(new Int16Array(160).fill(7));
      for (const _ of [0, 1]) expect(ring.read(into)).toBe(160);
      expect(into.every((sample) => sample === 7)).toBe(true);
    }
    expect(new Int16Array(memory.samples).lastIndexOf(7)).toBe(319);
  });

  it('is empty to both sides while its writer goes back to the start', () => {
    const memory = allocatePcmRing(64);
    const [writer, reader] = [new PcmRing(memory), new PcmRing(memory)];
    writer.write(ramp(0, 20));
    reader.read(new Int16Array(20));
    memory.control.words[1] = 64; // READ has moved, WRITE has not
    expect([reader.queued, reader.read(new Int16Array(5)), reader.clear(), reader.free]).toEqual([0, 0, 0, 64]);
    expect(reader.readPosition).toBe(64);
  });

  it('gives nothing to a reader whose samples were cleared under its hands', () => {
    const memory = allocatePcmRing(64);
    const ring = new PcmRing(memory);
    ring.write(ramp(1, 20));
    // A reader that is in the middle of copying: the setter runs between its copy and its commit.
    const into = new Int16Array(10);
    const racing = new Proxy(into, {
      set(target, key, value) {
        if (key === '9') ring.clear();
        return Reflect.set(target, key, value);
      },
      get: (target, key) => Reflect.get(target, key),
    });
    expect(ring.read(racing)).toBe(0);
    expect(ring.queued).toBe(0);
  });

  it.each([0, -1, Number.NaN, 2 ** 30])('refuses to hold %s samples', (limit) => {
    expect(() => allocatePcmRing(limit)).toThrow(RangeError);
  });
});
