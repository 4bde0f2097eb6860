import { describe, expect, it } from 'vitest';
import { CallTicker, TICK_FAILURES_MAX, type Ticking } from '../../src/call/call-ticker.ts';
import { Rest } from '../../src/call/rest.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeLeg } from '../support/fake-leg.ts';
import { LogCapture } from '../support/log-capture.ts';
import { receptionRig, settle } from '../support/reception-rig.ts';

class Counted implements Ticking {
  ticks = 0;
  broke: unknown[] = [];
  constructor(private readonly fails: (tick: number) => boolean = () => false) {}
  tick(): void {
    this.ticks += 1;
    if (this.fails(this.ticks)) throw new Error('tick broke');
  }
  broken(error: unknown): void {
    this.broke.push(error);
  }
}

describe('the ticker', () => {
  it('ticks every 20 ms whatever joins and leaves, and waits for nothing when all have left', () => {
    const clock = new FakeClock();
    const ticker = new CallTicker(clock, silentLogger);
    const [first, second] = [new Counted(), new Counted()];
    ticker.add(first);
    clock.advance(1000);
    ticker.add(second);
    clock.advance(1000);
    ticker.remove(first);
    clock.advance(1000);
    expect([first.ticks, second.ticks]).toEqual([100, 100]);
    ticker.remove(second);
    expect(clock.pending).toBe(0);
    ticker.add(first);
    clock.advance(100);
    expect(first.ticks).toBe(105);
  });

  it('leaves who rests alone until the rest is over, or something stirs or happens', () => {
    const clock = new FakeClock();
    const ticker = new CallTicker(clock, silentLogger);
    const port = { stirred: false };
    const call = Object.assign(new Counted(), { rest: new Rest(port) });
    ticker.add(call);
    clock.advance(100);
    expect(call.ticks).toBe(5);
    call.rest.untilMs = clock.nowMs() + 100;
    clock.advance(80);
    expect(call.ticks).toBe(5);
    clock.advance(20);
    expect(call.ticks).toBe(6);
    for (const happens of [() => Object.assign(port, { stirred: true }), () => call.rest.wake()]) {
      Object.assign(port, { stirred: false });
      call.rest.untilMs = clock.nowMs() + 100;
      clock.advance(20);
      const { ticks } = call;
      happens();
      clock.advance(20);
      expect(call.ticks).toBe(ticks + 1);
    }
  });

  it('keeps its pace when timers come late', () => {
    const clock = new FakeClock();
    const setTimer = clock.setTimer.bind(clock);
    clock.setTimer = (delayMs, callback) => setTimer(delayMs + 3, callback);
    const ticker = new CallTicker(clock, silentLogger);
    const call = new Counted();
    ticker.add(call);
    clock.advance(10_003);
    expect(call.ticks).toBe(500);
  });

  it('does not make up for ticks that it slept through', () => {
    const clock = new FakeClock();
    const ticker = new CallTicker(clock, silentLogger);
    let slept = false;
    const sleepy = { ticks: 0, tick: () => {}, broken: () => {} };
    sleepy.tick = () => {
      sleepy.ticks += 1;
      if (slept) return;
      slept = true;
      const { nowMs } = clock;
      const atMs = clock.nowMs();
      clock.nowMs = () => nowMs.call(clock) + 5000;
      expect(clock.nowMs() - atMs).toBe(5000);
    };
    ticker.add(sleepy);
    clock.advance(100);
    expect(sleepy.ticks).toBeLessThanOrEqual(6);
  });

  it.each([
    { name: 'one that always fails is given up', fails: () => true, ticks: TICK_FAILURES_MAX, broke: 1 },
    { name: 'one that fails now and then goes on', fails: (tick: number) => tick % 3 > 0, ticks: 500, broke: 0 },
    {
      name: 'one that nearly failed too often goes on',
      fails: (tick: number) => tick % TICK_FAILURES_MAX !== 0,
      ticks: 500,
      broke: 0,
    },
    {
      name: 'one that begins to fail is given up',
      fails: (tick: number) => tick > 100,
      ticks: 100 + TICK_FAILURES_MAX,
      broke: 1,
    },
  ])('$name', ({ fails, ticks, broke }) => {
    const clock = new FakeClock();
    const ticker = new CallTicker(clock, silentLogger);
    const [poisoned, other] = [new Counted(fails), new Counted()];
    ticker.add(poisoned);
    ticker.add(other);
    clock.advance(10_000);
    expect([poisoned.ticks, poisoned.broke.length, other.ticks]).toEqual([ticks, broke, 500]);
  });

  it('says so twice, not fifty times a second', () => {
    const clock = new FakeClock();
    const log = new LogCapture();
    const ticker = new CallTicker(clock, log.logger);
    ticker.add(new Counted(() => true));
    clock.advance(10_000);
    expect(log.lines.map(({ failures }) => failures)).toEqual([1, TICK_FAILURES_MAX]);
  });

  it('stands a call that cannot be given up, and one that leaves while it fails', () => {
    const clock = new FakeClock();
    const ticker = new CallTicker(clock, silentLogger);
    const other = new Counted();
    const stubborn = new Counted(() => true);
    stubborn.broken = () => {
      throw new Error('closing broke');
    };
    const leaving: Ticking = {
      tick: () => {
        ticker.remove(leaving);
        throw new Error('last tick broke');
      },
      broken: () => {},
    };
    for (const call of [stubborn, leaving, other]) ticker.add(call);
    clock.advance(10_000);
    ticker.remove(other);
    expect([other.ticks, clock.pending]).toEqual([500, 0]);
  });
});

it('one of a hundred calls that throws in its tick ends alone', async () => {
  const s = receptionRig();
  const legs: FakeLeg[] = [];
  for (let i = 0; i < 100; i += 1) {
    const leg = new FakeLeg();
    legs.push(leg);
    await s.reception.receive(leg);
  }
  s.ports[37]!.read = () => {
    throw new Error('poisoned');
  };
  await s.run(20 * (TICK_FAILURES_MAX + 1));
  await settle();
  expect(legs.map(({ log }) => log.at(-1)).filter((line) => line !== 'answer')).toEqual(['hangup internal']);
  expect(legs[37]!.log.at(-1)).toBe('hangup internal');
  expect(s.ports.map(({ closed }) => closed).filter(Boolean).length).toBe(1);
  expect(s.registry.size).toBe(99);
  await s.run(9000);
  expect(s.requests.map(({ input }) => input)).toEqual(new Array(99).fill('silence')); // asked whether they are there
});
