import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import { FAULT_ENTRIES, FaultBarrier } from '../../src/sip-server/fault-barrier.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { LogCapture } from '../support/log-capture.ts';

const poison = (): never => {
  throw new TypeError('quotes +966501234567');
};

describe('FaultBarrier', () => {
  it.each(FAULT_ENTRIES)('stops and counts a throw at %s, then runs what cleans up, which may throw too', (entry) => {
    const barrier = new FaultBarrier(new FakeClock(), silentLogger);
    const cleaned: string[] = [];
    barrier.run(entry, poison, () => cleaned.push('run'));
    barrier.handler(entry, poison, () => {
      cleaned.push('handler');
      poison();
    })();
    expect(cleaned).toEqual(['run', 'handler']);
    const expected = entry === 'step' ? 3 : 2;
    expect(barrier.counters[entry]).toBe(expected);
  });

  it('of 100 timers that fall due one throws and 99 go on', () => {
    const clock = new FakeClock();
    const barrier = new FaultBarrier(clock, silentLogger);
    let fired = 0;
    for (let i = 0; i < 100; i += 1) {
      barrier.clock.setTimer(10, () => {
        if (i === 50) poison();
        fired += 1;
      });
    }
    clock.advance(10);
    expect([fired, barrier.counters.timer]).toEqual([99, 1]);
  });

  it.each([
    { name: 'a promise that rejects', make: () => Promise.reject(new Error('no')), use: () => undefined },
    { name: 'what is done with its value', make: () => Promise.resolve(1), use: poison },
  ])('$name ends at the barrier', async ({ make, use }) => {
    const barrier = new FaultBarrier(new FakeClock(), silentLogger);
    const cleaned = await new Promise((resolve) => barrier.when<number>(make(), use, () => resolve('cleaned')));
    expect([cleaned, barrier.counters.lookup]).toEqual(['cleaned', 1]);
  });

  it('a place is logged once with where, not with what the error quotes; the counter has the rest', () => {
    const log = new LogCapture();
    const barrier = new FaultBarrier(new FakeClock(), log.logger);
    for (let i = 0; i < 1_000; i += 1) barrier.run('message', poison);
    const lines = log.text.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'error', entry: 'message', fault: 'TypeError' });
    expect(lines[0]).toContain('fault-barrier.test.ts');
    expect(log.text).not.toContain('966501234567');
    expect(barrier.counters.message).toBe(1_000);
  });

  it('many places fill neither log nor memory, and a log that fails is no fault', () => {
    let logged = 0;
    const logger = {
      error: () => {
        logged += 1;
        poison();
      },
    } as unknown as typeof silentLogger;
    const barrier = new FaultBarrier(new FakeClock(), logger);
    for (let i = 0; i < 500; i += 1) {
      barrier.run('message', () => {
        throw Object.assign(new Error(), { stack: `Error\n    at place${i} (file.ts:1:1)` });
      });
    }
    expect([logged, barrier.counters.message]).toEqual([100, 500]);
  });
});
