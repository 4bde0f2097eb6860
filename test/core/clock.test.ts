import { describe, expect, it } from 'vitest';
import { delay, repeat, systemClock, timeoutSignal } from '../../src/core/clock.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('the clock of the system', () => {
  it.each([2 ** 31, (2 ** 32 - 1) * 1_000, Number.POSITIVE_INFINITY])(
    'does not fire at once what is due in %d ms, which a timer of Node cannot hold',
    async (delayMs) => {
      let fired = false;
      const timer = systemClock.setTimer(delayMs, () => {
        fired = true;
      });
      await delay(systemClock, 20);
      systemClock.clearTimer(timer);
      expect(fired).toBe(false);
    },
  );
});

describe('timeoutSignal', () => {
  it('aborts when its time is over, as fetch expects it', () => {
    const clock = new FakeClock();
    const { signal } = timeoutSignal(clock, 100);
    clock.advance(99);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('leaves no timer behind when it is cancelled', () => {
    const clock = new FakeClock();
    const { signal, cancel } = timeoutSignal(clock, 100);
    cancel();
    clock.advance(1000);
    expect([signal.aborted, clock.pending]).toEqual([false, 0]);
  });
});

describe('repeat', () => {
  it('works again and again, until it is stopped', () => {
    const clock = new FakeClock();
    let done = 0;
    const stop = repeat(clock, 10, () => {
      done += 1;
    });
    clock.advance(35);
    expect(done).toBe(3);
    stop();
    clock.advance(100);
    expect([done, clock.pending]).toEqual([3, 0]);
  });

  it('may be stopped by its own work', () => {
    const clock = new FakeClock();
    const stop = repeat(clock, 10, () => stop());
    clock.advance(100);
    expect(clock.pending).toBe(0);
  });

  it('goes on after work that throws', () => {
    const clock = new FakeClock();
    let done = 0;
    repeat(clock, 10, () => {
      done += 1;
      if (done === 1) throw new Error('once');
    });
    expect(() => clock.advance(10)).toThrow('once');
    clock.advance(10);
    expect(done).toBe(2);
  });
});
