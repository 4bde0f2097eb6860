import { describe, expect, it } from 'vitest';
import { SpareDescriptors } from '../../src/core/spare-descriptors.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** A process that may have so many open. */
class Process {
  readonly open = new Set<number>();
  constructor(public most: number) {}
  readonly source = {
    open: (): number => {
      if (this.open.size >= this.most) throw Object.assign(new Error('x'), { code: 'EMFILE' });
      const free = Array.from({ length: this.most }, (_, n) => n).find((n) => !this.open.has(n))!;
      this.open.add(free);
      return free;
    },
    close: (descriptor: number): void => void this.open.delete(descriptor),
  };
}

describe('SpareDescriptors', () => {
  const start = (most: number) => {
    const clock = new FakeClock();
    const process = new Process(most);
    return { clock, process, spare: new SpareDescriptors(clock, process.source) };
  };

  it('holds eight, however long, and none after its end', () => {
    const { clock, process, spare } = start(100);
    expect(process.open.size).toBe(8);
    clock.advance(60_000);
    expect(process.open.size).toBe(8);
    spare.close();
    expect(process.open.size).toBe(0);
    clock.advance(60_000);
    expect(process.open.size).toBe(0);
  });

  it('gives all back when there is no other, and takes them again one by one when there are', () => {
    const { clock, process } = start(20);
    const others = Array.from({ length: 12 }, () => process.source.open());
    clock.advance(250);
    expect(process.open.size).toBe(12);
    others.push(...Array.from({ length: 8 }, () => process.source.open()));
    clock.advance(1_000);
    expect(process.open.size).toBe(20);
    for (const other of others) process.source.close(other);
    clock.advance(250);
    expect(process.open.size).toBe(1);
    clock.advance(2_500);
    expect(process.open.size).toBe(8);
  });

  it('begins with what there is', () => {
    const { clock, process } = start(3);
    expect(process.open.size).toBeLessThanOrEqual(3);
    process.most = 100;
    clock.advance(3_000);
    expect(process.open.size).toBe(8);
  });
});
