import { describe, expect, it } from 'vitest';
import { PlayQueue } from '../../src/console/audio/play-queue.ts';

const RATE = 8_000;
const FRAME = 160; // 20 ms
/** 20 ms of one value, so that what is heard says where it comes from. */
const frame = (value: number): Float32Array => new Float32Array(FRAME).fill(value);
const queue = () => new PlayQueue({ sampleRateHz: RATE, storeMs: 40, storeMsMax: 100, queuedMsMax: 200 });

/** Asks for 20 ms. */
function heard(of: PlayQueue): { value: number; marks: readonly string[]; soundsFrom: number | undefined } {
  const out = new Float32Array(FRAME).fill(9);
  const { marks, soundsFrom } = of.read(out);
  return { value: Number(out.at(-1)!.toFixed(3)), marks, soundsFrom };
}
const values = (of: PlayQueue, count: number): number[] => Array.from({ length: count }, () => heard(of).value);

describe('what waits to be played', () => {
  it('is played in order once its store is full', () => {
    const one = queue();
    one.push(frame(0.1));
    expect(heard(one).value).toBe(0);
    one.push(frame(0.2));
    one.push(frame(0.3));
    expect(values(one, 4)).toEqual([0.1, 0.2, 0.3, 0]);
    expect(one.counters).toEqual({ torn: 0, dropped: 0, cleared: 0 });
  });

  it('is played also when nothing more comes', () => {
    const one = queue();
    one.push(frame(0.1));
    expect(values(one, 4)).toEqual([0, 0, 0.1, 0]);
  });

  it('waits longer after a sentence was torn, up to its most, and not after a pause', () => {
    const one = queue();
    const tear = (frames: number): number[] => {
      for (let i = 0; i < frames; i += 1) one.push(frame(0.1));
      return values(one, frames + 1);
    };
    expect(tear(2)).toEqual([0.1, 0.1, 0]); // 40 ms were enough
    expect(tear(2)).toEqual([0, 0, 0]); // torn: now it waits for 80
    expect(one.counters.torn).toBe(1);
    expect(values(one, 4)).toContain(0.1);
    values(one, 20); // a pause: whoever speaks next begins a sentence
    tear(4);
    expect(one.counters.torn).toBe(1);
  });

  it('tells where sound begins, once a stretch, and not where silence was sent', () => {
    const one = queue();
    one.push(frame(0));
    one.push(new Float32Array([...frame(0).subarray(0, 100), ...frame(0.5).subarray(0, 60)]));
    one.push(frame(0.5));
    expect([heard(one), heard(one), heard(one)].map(({ soundsFrom }) => soundsFrom)).toEqual([
      undefined,
      100,
      undefined,
    ]);
  });

  it('tells a mark when everything before it was played, and one of nothing at once', () => {
    const one = queue();
    one.mark('nothing');
    expect(heard(one).marks).toEqual(['nothing']);
    one.push(frame(0.1));
    one.push(frame(0.2));
    one.mark('a');
    one.push(frame(0.3));
    one.mark('b');
    expect([heard(one), heard(one), heard(one)].map(({ marks }) => marks)).toEqual([[], ['a'], ['b']]);
  });

  it('is silent 3 ms after it was cleared, without a click, and forgets its marks', () => {
    const one = queue();
    for (let i = 0; i < 5; i += 1) one.push(frame(0.8));
    one.mark('end');
    expect(heard(one).value).toBeCloseTo(0.8);
    one.clear();
    const out = new Float32Array(FRAME);
    expect(one.read(out).marks).toEqual([]);
    const steps = [0.8, ...out].map((sample, index, all) => Math.abs(sample - (all[index + 1] ?? sample)));
    expect(Math.max(...steps)).toBeLessThan(0.05);
    expect(out.subarray(24).every((sample) => sample === 0)).toBe(true);
    expect(one.isBusy).toBe(false);
    expect(values(one, 5)).toEqual([0, 0, 0, 0, 0]);
    for (let i = 0; i < 6; i += 1) one.push(frame(0.1)); // the next sentence is nothing torn
    expect(Array.from({ length: 8 }, () => heard(one).marks).flat()).toEqual([]);
    expect(one.counters).toMatchObject({ torn: 0, cleared: 1 });
  });

  it('is bounded: the oldest goes, and marks stay where they belong', () => {
    const one = queue();
    for (let i = 1; i <= 15; i += 1) {
      one.push(frame(i / 100));
      if (i === 3 || i === 15) one.mark(`m${i}`);
    }
    expect(one.queuedMs).toBe(200);
    expect(one.counters.dropped).toBe(5 * FRAME);
    expect(heard(one)).toMatchObject({ value: 0.06, marks: ['m3'] });
    expect(values(one, 8).at(-1)).toBe(0.14);
    expect(heard(one)).toMatchObject({ value: 0.15, marks: ['m15'] });
  });

  it('plays pieces of any size through requests of any other', () => {
    const one = queue();
    const all = Float32Array.from({ length: 1_000 }, (_none, index) => Math.fround((index + 1) / 2_000));
    for (let at = 0; at < 1_000; at += 37) one.push(all.slice(at, at + 37));
    const out: number[] = [];
    while (one.isBusy) {
      const part = new Float32Array(128);
      one.read(part);
      out.push(...part);
    }
    expect(out.slice(0, 1_000)).toEqual([...all]);
  });
});
