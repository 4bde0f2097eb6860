import { describe, expect, it } from 'vitest';
import { levelDbfs } from '../../src/audio/level.ts';
import { ComfortNoise, parseComfortNoise } from '../../src/media/codec/comfort-noise.ts';
import type { Direction } from '../../src/media/description.ts';
import { Admission } from '../../src/media/plane/admission.ts';
import { PORT_DRAIN_MS, PortPool } from '../../src/media/plane/port-pool.ts';
import { estimateMos } from '../../src/media/rtp/mos.ts';
import { RtpTimeout } from '../../src/media/rtp/rtp-timeout.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('PortPool', () => {
  it.each([
    { min: 10_000, max: 10_009, ports: [10_000, 10_002, 10_004, 10_006, 10_008] },
    { min: 10_001, max: 10_006, ports: [10_002, 10_004] },
    { min: 65_532, max: 65_535, ports: [65_532, 65_534] },
    { min: 1, max: 3, ports: [2] },
  ])('hands out even ports with their odd neighbour, $min-$max', ({ min, max, ports }) => {
    const pool = new PortPool({ min, max }, new FakeClock(), () => 0);
    expect(ports.map(() => pool.take()?.port)).toEqual(ports);
    expect(pool.take()).toBeUndefined();
    expect(pool.inUse).toBe(ports.length);
  });

  it.each([
    [10_000, 10_000],
    [10_001, 10_002],
    [10_010, 10_000],
    [0, 1],
    [65_534, 65_540],
    [Number.NaN, 5],
  ])('refuses the range %s-%s', (min, max) => {
    expect(() => new PortPool({ min, max }, new FakeClock())).toThrow(RangeError);
  });

  it('starts anywhere', () => {
    expect(new PortPool({ min: 100, max: 119 }, new FakeClock(), () => 0.99).take()?.port).toBe(118);
  });

  it('lets a freed port drain, then gives it out last', () => {
    const clock = new FakeClock();
    const pool = new PortPool({ min: 100, max: 105 }, clock, () => 0);
    expect([pool.take(), pool.take(), pool.take()].map((free) => free?.port)).toEqual([100, 102, 104]);
    const former = [{ address: '192.0.2.1', port: 9, ssrc: 1, timestamp: 2, atMs: 3 }];
    pool.release(102, former);
    pool.release(102);
    pool.release(999);
    clock.advance(PORT_DRAIN_MS - 1);
    expect([pool.available, pool.take()]).toEqual([0, undefined]);
    clock.advance(1);
    expect([pool.available, pool.take(), pool.take()]).toEqual([1, { port: 102, former }, undefined]);
  });

  it('has every port back after a thousand calls', () => {
    const clock = new FakeClock();
    const pool = new PortPool({ min: 100, max: 119 }, clock, () => 0.5);
    for (let call = 0; call < 1_000; call += 1) {
      const port = pool.take();
      expect(port).toBeDefined();
      pool.release(port?.port as number);
      clock.advance(PORT_DRAIN_MS / 5);
    }
    clock.advance(PORT_DRAIN_MS);
    expect([pool.available, pool.inUse]).toEqual([10, 0]);
  });
});

describe('Admission', () => {
  const limits = { maxCalls: 3, maxLatenessP99Ms: 3, maxCpuPercent: 70 };
  it.each([
    { name: 'nothing measured yet', measured: [], admits: true },
    { name: 'one spike', measured: [[50, 10]], admits: true },
    {
      name: 'two spikes apart',
      measured: [
        [50, 10],
        [1, 10],
        [50, 10],
        [1, 10],
        [50, 10],
      ],
      admits: true,
    },
    {
      name: 'late for three seconds',
      measured: [
        [4, 10],
        [4, 10],
        [4, 10],
      ],
      admits: false,
    },
    {
      name: 'too busy for three seconds',
      measured: [
        [0, 71],
        [0, 90],
        [0, 99],
      ],
      admits: false,
    },
    {
      name: 'at the limits',
      measured: [
        [3, 70],
        [3, 70],
        [3, 70],
      ],
      admits: true,
    },
    {
      name: 'one good second after',
      measured: [
        [4, 10],
        [4, 10],
        [4, 10],
        [1, 10],
      ],
      admits: false,
    },
    {
      name: 'two good seconds after',
      measured: [
        [4, 10],
        [4, 10],
        [4, 10],
        [1, 10],
        [1, 10],
      ],
      admits: true,
    },
  ])('$name', ({ measured, admits }) => {
    const admission = new Admission(limits);
    for (const [lateness, cpu] of measured) admission.measure(lateness as number, cpu as number);
    expect(admission.admits(1)).toBe(admits);
  });

  it('does not refuse for a busy machine while it has hardly any calls', () => {
    const admission = new Admission({ ...limits, maxCalls: 100 });
    for (let second = 0; second < 5; second += 1) admission.measure(50, 100);
    expect([0, 14, 15, 99].map((calls) => admission.admits(calls))).toEqual([true, true, false, false]);
  });

  it('counts calls', () => {
    const admission = new Admission(limits);
    expect([2, 3, 4].map((calls) => admission.admits(calls))).toEqual([true, false, false]);
  });
});

describe('RtpTimeout', () => {
  const watch = (direction: Direction = 'sendrecv') => {
    const timeout = new RtpTimeout(30_000);
    timeout.configure(direction, 1_000);
    return timeout;
  };
  it('fires once per silence', () => {
    const timeout = watch();
    expect([30_999, 31_000, 31_001, 90_000].map((ms) => timeout.expired(ms))).toEqual([false, true, false, false]);
    timeout.heard(100_000);
    expect([129_999, 130_000, 130_001].map((ms) => timeout.expired(ms))).toEqual([false, true, false]);
  });
  it.each(['recvonly', 'sendonly', 'inactive'] as const)(
    'is patient on hold (%s), and starts anew on resume',
    (held) => {
      const timeout = watch();
      timeout.configure(held, 20_000);
      timeout.heard(21_000);
      expect(timeout.expired(10_000_000)).toBe(false);
      timeout.configure('sendrecv', 10_000_000);
      expect(timeout.expired(10_029_999)).toBe(false);
      expect(timeout.expired(10_030_000)).toBe(true);
    },
  );
  it('does not start anew at a re-INVITE that changes nothing', () => {
    const timeout = watch();
    timeout.configure('sendrecv', 20_000);
    expect(timeout.expired(31_000)).toBe(true);
  });
  it('does nothing before the call is configured', () => {
    expect(new RtpTimeout(1).expired(1e9)).toBe(false);
  });
});

describe('estimateMos', () => {
  it.each([
    { delayMs: 0, lossPercent: 0, mos: 4.41 },
    { delayMs: 100, lossPercent: 0, mos: 4.36 },
    { delayMs: 300, lossPercent: 0, mos: 3.71 },
    { delayMs: 50, lossPercent: 1, mos: 4.31 },
    { delayMs: 50, lossPercent: 5, mos: 3.92 },
    { delayMs: 50, lossPercent: 20, mos: 2.6 },
    { delayMs: 50, lossPercent: 100, mos: 1.15 },
    { delayMs: 5_000, lossPercent: 50, mos: 1 },
    { delayMs: -5, lossPercent: -5, mos: 4.41 },
    { delayMs: 0, lossPercent: 900, mos: 1.18 },
  ])('$delayMs ms, $lossPercent %: $mos', ({ delayMs, lossPercent, mos }) => {
    expect(Math.abs(estimateMos({ delayMs, lossPercent }) - mos)).toBeLessThan(0.05);
  });
  it('falls with loss and with delay', () => {
    for (let loss = 1; loss <= 60; loss += 1) {
      expect(estimateMos({ delayMs: 50, lossPercent: loss })).toBeLessThanOrEqual(
        estimateMos({ delayMs: 50, lossPercent: loss - 1 }),
      );
      expect(estimateMos({ delayMs: loss * 10, lossPercent: 1 })).toBeLessThanOrEqual(
        estimateMos({ delayMs: loss * 10 - 10, lossPercent: 1 }),
      );
    }
  });
});

describe('comfort noise', () => {
  it.each([-40, -60, -75])('is as loud as it was told: %i dBov', (level) => {
    const noise = new ComfortNoise(3);
    noise.setLevel(level);
    const frame = new Int16Array(8_000);
    noise.fill(frame);
    expect(Math.abs(levelDbfs(frame) - level)).toBeLessThan(1);
  });
  it('does not believe in loud silence', () => {
    const noise = new ComfortNoise();
    noise.setLevel(0);
    const frame = new Int16Array(8_000);
    noise.fill(frame);
    expect(levelDbfs(frame)).toBeLessThan(-34);
  });
  it.each([
    [[], undefined],
    [[64], -64],
    [[0xff, 1, 2], -127],
  ])('reads the payload %j', (payload, level) => {
    expect(parseComfortNoise(Uint8Array.from(payload))).toBe(level);
  });
});
