import { describe, expect, it } from 'vitest';
import { allocateLane, LANE_KEYS_MAX, LaneReader, LaneWriter, wipeLane } from '../../src/media/plane/bridge-lane.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const SAMPLES_PER_MS = 8;
const FRAME = 160;
const HOUR_TICKS = 3_600_000;

/** Two media threads and a lane between them. Sample n is spoken in millisecond n / 8 and has n as its value, so what is heard tells how old it is. */
class Threads {
  readonly memory = allocateLane(8_000);
  readonly writer = new LaneWriter(this.memory);
  readonly reader = new LaneReader(this.memory, 8_000);
  /** Of the first sample of every packet, in ms; undefined where it was no sample of the lane. */
  readonly delaysMs: (number | undefined)[] = [];
  nowMs = 0;
  #spoken = 0;
  readonly #packet: Int16Array;
  constructor(readonly ptimeMs: number) {
    this.#packet = new Int16Array(ptimeMs * SAMPLES_PER_MS);
  }

  say(): void {
    const from = this.#spoken;
    this.writer.say(Int16Array.from({ length: FRAME }, (_, i) => (from + i) & 0x3fff));
    this.#spoken += FRAME;
  }
  hear(): void {
    if (!this.reader.hear(this.#packet)) return void this.delaysMs.push(undefined);
    const newest = this.#spoken & 0x3fff;
    this.delaysMs.push((((newest - (this.#packet[0] as number)) & 0x3fff) - this.#packet.length) / SAMPLES_PER_MS);
  }
}

/** The most, in ms, that waited besides the packet of the moment in the last fifty packets. */
const settledMs = ({ delaysMs }: Threads): number =>
  Math.max(...delaysMs.slice(-50).map((delay) => delay ?? Number.POSITIVE_INFINITY));

/** Runs both threads for `ticks` ms; each tick of theirs comes up to `lateMs` later than it is due. */
function run(threads: Threads, ticks: number, phases: { say: number; hear: number }, lateMs: () => number): void {
  const due: { atMs: number; act: () => void }[] = [];
  for (let ms = phases.say; ms < ticks; ms += 20) due.push({ atMs: ms + lateMs(), act: () => threads.say() });
  for (let ms = phases.hear; ms < ticks; ms += threads.ptimeMs) {
    due.push({ atMs: ms + lateMs(), act: () => threads.hear() });
  }
  for (const { act } of due.sort((a, b) => a.atMs - b.atMs)) act();
}

function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const PTIMES = [10, 20, 30, 40, 60];
const PHASES = [0, 1, 7, 19];

describe.each(PTIMES)('a lane to a listener with packets of %i ms', (ptimeMs) => {
  it.each(PHASES)('loses nothing and adds little, the threads %i ms apart', (apartMs) => {
    const threads = new Threads(ptimeMs);
    run(threads, 5_000, { say: 0, hear: apartMs + 0.5 }, () => 0);
    expect(settledMs(threads)).toBeLessThanOrEqual(20);
    expect(threads.reader.counters.concealed).toBeLessThanOrEqual(ptimeMs * SAMPLES_PER_MS); // at the start, or never
    expect(threads.reader.counters.trimmed).toBe(0);
  });

  it('stands threads that are up to 8 ms late at every tick: two frames at most wait, and gaps are gone after the first', () => {
    const random = sequence(ptimeMs);
    const threads = new Threads(ptimeMs);
    run(threads, 60_000, { say: 0, hear: 1 }, () => 8 * random());
    expect(settledMs(threads)).toBeLessThanOrEqual(40);
    expect(threads.reader.counters.concealed).toBeLessThanOrEqual(2 * ptimeMs * SAMPLES_PER_MS);
  });
});

describe('a lane', () => {
  it('adds nothing that lasts after a stall of the speaker', () => {
    const threads = new Threads(20);
    run(threads, 1_000, { say: 0, hear: 5 }, () => 0);
    for (let n = 0; n < 10; n += 1) threads.hear();
    for (let n = 0; n < 10; n += 1) threads.say(); // all at once
    run(threads, 2_000, { say: 0, hear: 5 }, () => 0);
    expect(settledMs(threads)).toBeLessThanOrEqual(20);
    expect(threads.reader.counters.trimmed).toBeGreaterThan(0);
  });

  it.each([
    { name: 'at first', before: 0 },
    { name: 'after a silence', before: 100 },
  ])('begins with the newest of what waits: $name', ({ before }) => {
    const threads = new Threads(20);
    for (let n = 0; n < before; n += 1) threads.hear();
    for (let n = 0; n < 3; n += 1) threads.say();
    threads.hear();
    expect(threads.delaysMs.at(-1)).toBe(0);
  });

  it('begins with the present after the listener was on hold', () => {
    const threads = new Threads(20);
    run(threads, 1_000, { say: 0, hear: 5 }, () => 0);
    for (let n = 0; n < HOUR_TICKS / 20_000; n += 1) threads.say();
    run(threads, 1_000, { say: 0, hear: 5 }, () => 0);
    expect(settledMs(threads)).toBeLessThanOrEqual(20);
  });

  it('fades out and falls silent when the speaker is gone, and says so', () => {
    const memory = allocateLane(8_000);
    const [writer, reader] = [new LaneWriter(memory), new LaneReader(memory, 8_000)];
    const packet = new Int16Array(FRAME);
    for (let n = 0; n < 10; n += 1) {
      writer.say(tone(440, FRAME, { from: n * FRAME }));
      expect(reader.hear(packet)).toBe(true);
    }
    const levels = Array.from({ length: 4 }, () => {
      const heard = reader.hear(packet);
      return { heard, level: Math.max(...packet) };
    });
    expect(levels.map(({ heard }) => heard)).toEqual([true, true, false, false]);
    expect(levels[0]?.level).toBeGreaterThan(5_000);
    expect(levels[1]?.level).toBeLessThan(levels[0]?.level ?? 0);
    expect(levels[3]?.level).toBe(0);
  });

  it('makes no click where it leaves something out', () => {
    const memory = allocateLane(8_000);
    const [writer, reader] = [new LaneWriter(memory), new LaneReader(memory, 8_000)];
    const heard: number[] = [];
    const packet = new Int16Array(FRAME);
    for (let n = 0; n < 60; n += 1) {
      writer.say(tone(443, FRAME, { from: n * FRAME }));
      if (n % 20 > 16) continue; // the listener's thread sleeps
      reader.hear(packet);
      heard.push(...packet);
    }
    expect(reader.counters.trimmed).toBeGreaterThan(0);
    const steps = heard.slice(1).map((sample, i) => Math.abs(sample - (heard[i] ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(6_500); // of one sample of this tone: 2,850
  });

  it.each([
    { name: 'wide to narrow', from: 16_000, to: 8_000 },
    { name: 'narrow to wide', from: 8_000, to: 16_000 },
    { name: 'wide to wide', from: 16_000, to: 16_000 },
  ])('keeps tone and level, $name', ({ from, to }) => {
    const memory = allocateLane(from);
    const [writer, reader] = [new LaneWriter(memory), new LaneReader(memory, to)];
    const packet = new Int16Array(to / 50);
    const heard: number[] = [];
    for (let n = 0; n < 50; n += 1) {
      writer.say(tone(440, from / 50, { from: (n * from) / 50, rateHz: from }));
      expect(reader.hear(packet)).toBe(true);
      heard.push(...packet);
    }
    expect(amplitudeAt(Int16Array.from(heard.slice(to / 10)), 440, to)).toBeCloseTo(0.25, 2);
  });

  it('takes another packet time of the listener as it comes', () => {
    const memory = allocateLane(16_000);
    const [writer, reader] = [new LaneWriter(memory), new LaneReader(memory, 8_000)];
    for (const ptimeMs of [20, 60, 10, 30]) {
      for (let n = 0; n < 3; n += 1) writer.say(new Int16Array(320).fill(1_000));
      expect(reader.hear(new Int16Array(ptimeMs * SAMPLES_PER_MS))).toBe(true);
    }
  });

  it('carries keys in their order, so many at most', () => {
    const memory = allocateLane(8_000);
    const [writer, reader] = [new LaneWriter(memory), new LaneReader(memory, 8_000)];
    expect(reader.key()).toBeUndefined();
    const pad = '0123456789*#ABCD';
    for (const digit of `${pad}12`) writer.press(digit);
    expect(Array.from({ length: LANE_KEYS_MAX }, () => reader.key()).join('')).toBe(pad);
    expect(reader.key()).toBeUndefined();
    writer.press('#');
    expect(reader.key()).toBe('#');
  });

  it('hands on nothing to the next bridge', () => {
    const memory = allocateLane(8_000);
    const writer = new LaneWriter(memory);
    writer.say(new Int16Array(FRAME).fill(7_000));
    writer.press('1');
    wipeLane(memory);
    const reader = new LaneReader(memory, 8_000);
    expect([reader.hear(new Int16Array(FRAME)), reader.key()]).toEqual([false, undefined]);
  });
});
