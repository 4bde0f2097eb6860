import { describe, expect, it } from 'vitest';
import { LatenessHistogram } from '../../src/media/worker/lateness.ts';
import { SKIP_AFTER_MS, TickWheel, WHEEL_SLOTS, type WheelMember } from '../../src/media/worker/tick-wheel.ts';

class Member implements WheelMember {
  readonly ticks: number[] = [];
  onTick(tick: number): void {
    this.ticks.push(tick);
  }
}

/** A wheel and its time, in steps of a millisecond or as told. */
class Rig {
  readonly wheel = new TickWheel();
  nowMs = 1e9 + 0.25;
  constructor() {
    this.wheel.start(this.nowMs);
  }
  run(untilMs: number, stepMs = 1): void {
    const endMs = this.nowMs + untilMs;
    for (; this.nowMs < endMs; this.nowMs += stepMs) this.wheel.run(() => this.nowMs);
  }
}
const gaps = (ticks: readonly number[]): number[] => ticks.slice(1).map((tick, i) => tick - (ticks[i] as number));

describe('TickWheel', () => {
  it.each([10, 20] as const)('calls a member every %i ms and does not drift', (period) => {
    const rig = new Rig();
    const member = new Member();
    rig.wheel.join(member, period);
    rig.run(2_000);
    expect(new Set(gaps(member.ticks))).toEqual(new Set([period]));
    expect(member.ticks.length).toBe(2_000 / period);
  });

  it('spreads members over all slots', () => {
    const rig = new Rig();
    const members = Array.from({ length: 60 }, () => new Member());
    for (const member of members) rig.wheel.join(member, 20);
    rig.run(20);
    const perSlot = new Map<number, number>();
    for (const { ticks } of members) perSlot.set(ticks[0] as number, (perSlot.get(ticks[0] as number) ?? 0) + 1);
    expect([...perSlot.values()]).toEqual(Array(WHEEL_SLOTS).fill(3));
  });

  it('fills the slots that leavers emptied', () => {
    const rig = new Rig();
    const members = Array.from({ length: 40 }, () => new Member());
    for (const member of members) rig.wheel.join(member, 20);
    for (const member of members.slice(0, 10)) rig.wheel.leave(member);
    rig.wheel.leave(members[0] as Member);
    expect(rig.wheel.size).toBe(30);
    const late = Array.from({ length: 10 }, () => new Member());
    for (const member of late) rig.wheel.join(member, 20);
    rig.run(20);
    const load = Array(WHEEL_SLOTS).fill(0);
    for (const { ticks } of [...members, ...late]) for (const tick of ticks) load[tick] += 1;
    expect(load).toEqual(Array(WHEEL_SLOTS).fill(2));
  });

  it.each([2, 19, SKIP_AFTER_MS - 1])('catches up in order when %i ms late', (lateMs) => {
    const rig = new Rig();
    const member = new Member();
    rig.wheel.join(member, 20);
    rig.run(100);
    rig.nowMs += lateMs;
    rig.run(100);
    expect(new Set(gaps(member.ticks))).toEqual(new Set([20]));
    expect(rig.wheel.skippedTicks).toBe(0);
  });

  it.each([SKIP_AFTER_MS + 5, 500, 3_600_000])(
    'skips whole rounds, the same for everybody, when %i ms late',
    (lateMs) => {
      const rig = new Rig();
      const members = Array.from({ length: 7 }, () => new Member());
      for (const member of members) rig.wheel.join(member, 20);
      rig.run(100);
      rig.nowMs += lateMs;
      rig.run(200);
      const jumps = members.map(({ ticks }) => gaps(ticks).filter((gap) => gap !== 20));
      expect(new Set(jumps.flat()).size).toBe(1);
      expect(jumps.every((jump) => jump.length === 1 && (jump[0] as number) % 20 === 0)).toBe(true);
      expect(rig.wheel.skippedTicks).toBe((jumps[0]?.[0] as number) - 20);
      expect(rig.wheel.dueInMs(rig.nowMs)).toBeGreaterThan(-20);
    },
  );

  it('gives the sockets a turn: at most one round at a time', () => {
    const rig = new Rig();
    rig.nowMs += 50;
    const member = new Member();
    rig.wheel.join(member, 10);
    rig.wheel.run(() => rig.nowMs);
    expect(member.ticks.length).toBe(2);
    expect(rig.wheel.dueInMs(rig.nowMs)).toBe(-30);
  });

  it('lets a member leave in its own tick', () => {
    const rig = new Rig();
    const others = Array.from({ length: 40 }, () => new Member());
    const leaver: WheelMember & { ticks: number } = {
      ticks: 0,
      onTick() {
        this.ticks += 1;
        rig.wheel.leave(this);
      },
    };
    rig.wheel.join(leaver, 20);
    for (const member of others) rig.wheel.join(member, 20);
    rig.run(100);
    expect(leaver.ticks).toBe(1);
    expect(others.every(({ ticks }) => ticks.length === 5)).toBe(true);
  });

  it('counts late ticks and their lateness', () => {
    const rig = new Rig();
    rig.run(100);
    expect(rig.wheel.lateness.take(0.99)).toBeLessThanOrEqual(0.25);
    rig.nowMs += 12;
    rig.wheel.run(() => rig.nowMs);
    expect(rig.wheel.lateTicks).toBe(7); // 12, 11, ... 6 ms
    expect(rig.wheel.lateness.take(1)).toBe(12.25);
  });
});

describe('LatenessHistogram', () => {
  it('forgets what was taken, and survives any number', () => {
    const histogram = new LatenessHistogram();
    expect(histogram.take(0.99)).toBe(0);
    for (const ms of [0, -3, 1e9, Number.POSITIVE_INFINITY]) histogram.add(ms);
    expect(histogram.take(0.5)).toBe(0.25);
    expect(histogram.take(0.5)).toBe(0);
    for (let i = 0; i < 99; i += 1) histogram.add(1);
    histogram.add(50);
    expect(histogram.take(0.99)).toBe(1.25);
  });
});
