import { describe, expect, it } from 'vitest';
import { InterimRota, type LiveDecoder } from '../../../src/engines/stt/interim-rota.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** Says the first sample of every piece that it heard since it was started. */
class NumberDecoder implements LiveDecoder {
  heard: number[] = [];
  starts = 0;
  stops = 0;
  closed = false;
  start(): boolean {
    this.heard = [];
    this.starts += 1;
    return true;
  }
  feed(samples: Int16Array): void {
    this.heard.push(samples[0] ?? -1);
  }
  text(): string {
    return this.heard.join(' ');
  }
  stop(): void {
    this.stops += 1;
  }
  close(): void {
    this.closed = true;
  }
}

const piece = (n: number, ms = 300): Int16Array => new Int16Array(ms * 8).fill(n);

const UNUSED_MS = 30_000;

function rota(decodersMax: number, make = () => new NumberDecoder()) {
  const said: string[] = [];
  const decoders: NumberDecoder[] = [];
  const made = (): NumberDecoder => {
    const decoder = make();
    decoders.push(decoder);
    return decoder;
  };
  const clock = new FakeClock();
  const say = (id: number, text: string): number => said.push(`${id}: ${text}`);
  return { rota: new InterimRota(decodersMax, made, say, UNUSED_MS, clock), said, decoders, clock };
}
/** Until nothing can be heard. @returns how many pieces were. */
function work(of: InterimRota): number {
  let steps = 0;
  while (of.step()) steps += 1;
  return steps;
}

describe('InterimRota', () => {
  it('closes a decoder that nobody needed for half a minute, while another is at work', () => {
    const { rota: of, decoders, clock } = rota(2);
    for (const id of [1, 2]) {
      of.begin(id);
      of.push(id, piece(id));
    }
    work(of);
    for (const id of [1, 2]) of.end(id);
    for (let n = 3; n < 10; n += 1) {
      of.begin(n);
      of.push(n, piece(n));
      work(of);
      clock.advance(UNUSED_MS / 4);
      of.end(n);
    }
    expect(decoders.map(({ closed }) => closed)).toEqual([true, false]);
    for (const id of [20, 21]) {
      of.begin(id);
      of.push(id, piece(id));
    }
    expect(work(of)).toBe(2);
    expect(decoders).toHaveLength(3);
  });

  it('says what was said so far, as often as it changed', () => {
    const { rota: of, said } = rota(1);
    of.begin(1);
    for (const n of [1, 2]) of.push(1, piece(n));
    expect(work(of)).toBe(2);
    of.push(1, piece(3));
    expect(work(of)).toBe(1);
    expect(said).toEqual(['1: 1', '1: 1 2', '1: 1 2 3']);
  });

  it('asks for words every 300 ms, and says nothing twice', () => {
    const { rota: of, said, decoders } = rota(1);
    let asked = 0;
    of.begin(1);
    for (let i = 0; i < 20; i += 1) of.push(1, piece(i, 60));
    of.step();
    decoders[0]!.text = () => {
      asked += 1;
      return asked === 1 ? '' : 'the same';
    };
    work(of);
    expect(asked).toBe(4);
    expect(said).toEqual(['1: the same']);
  });

  it('hears several in turn, piece by piece', () => {
    const { rota: of, said } = rota(2);
    for (const id of [1, 2]) of.begin(id);
    for (const n of [1, 2]) of.push(1, piece(n));
    for (const n of [3, 4]) of.push(2, piece(n));
    work(of);
    expect(said).toEqual(['1: 1', '2: 3', '1: 1 2', '2: 3 4']);
  });

  it('lets a stretch wait for a decoder, and catch up from its beginning', () => {
    const { rota: of, said, decoders } = rota(1);
    for (const id of [1, 2]) of.begin(id);
    of.push(1, piece(1));
    for (const n of [7, 8]) of.push(2, piece(n));
    expect(work(of)).toBe(1);
    of.end(1);
    expect(work(of)).toBe(2);
    expect(said).toEqual(['1: 1', '2: 7', '2: 7 8']);
    expect(decoders).toHaveLength(1);
    expect(decoders[0]).toMatchObject({ starts: 2, stops: 1 });
  });

  it('gives up a stretch that is more than 5 s behind, and lends its decoder to another', () => {
    const { rota: of, said, decoders } = rota(1);
    of.begin(1);
    of.push(1, piece(1));
    of.step();
    for (let n = 2; n <= 18; n += 1) of.push(1, piece(n)); // 5.1 s
    of.begin(2);
    of.push(2, piece(50));
    expect(work(of)).toBe(1);
    expect(of.givenUp).toBe(1);
    of.push(1, piece(19));
    of.end(1);
    expect(work(of)).toBe(0);
    expect(said).toEqual(['1: 1', '2: 50']);
    expect(decoders[0]).toMatchObject({ starts: 2, stops: 1 });
  });

  it('forgets a stretch at its end, heard or not', () => {
    const { rota: of, said } = rota(1);
    of.begin(1);
    of.push(1, piece(1));
    of.end(1);
    of.end(1);
    of.push(1, piece(2));
    expect(work(of)).toBe(0);
    expect(said).toEqual([]);
  });

  it('says once that a decoder cannot be made, and goes on with those it has', () => {
    let left = 1;
    const { rota: of, said } = rota(3, () => {
      left -= 1;
      if (left < 0) throw new Error('no memory');
      return new NumberDecoder();
    });
    for (const id of [1, 2, 3]) {
      of.begin(id);
      of.push(id, piece(id));
    }
    expect(of.step()).toBe(true);
    expect(() => of.step()).toThrow('no memory');
    expect(work(of)).toBe(0);
    of.end(1);
    expect(work(of)).toBe(1);
    expect(said).toEqual(['1: 1', '2: 2']);
  });

  it('tries another stretch when a decoder does not start', () => {
    const { rota: of, said, decoders } = rota(1);
    of.begin(1);
    of.push(1, piece(1));
    of.step();
    of.end(1);
    decoders[0]!.start = () => false;
    of.begin(2);
    of.push(2, piece(2));
    expect(work(of)).toBe(0);
    expect(said).toEqual(['1: 1']);
  });

  it('gives back the decoders that nobody has, and makes others when they are wanted', () => {
    const { rota: of, decoders, said } = rota(2);
    for (const id of [1, 2]) {
      of.begin(id);
      of.push(id, piece(id));
    }
    work(of);
    of.end(1);
    of.release();
    expect(decoders.map(({ closed }) => closed)).toEqual([true, false]);
    of.begin(3);
    of.push(3, piece(3));
    work(of);
    expect(said.at(-1)).toBe('3: 3');
    expect(decoders).toHaveLength(3);
  });
});
