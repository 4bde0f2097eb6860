import { describe, expect, it } from 'vitest';
import { LoadGauge, OVERLOADED_SAMPLES, SAMPLE_MS } from '../../src/api/load-gauge.ts';
import type { DescriptorSupply } from '../../src/core/descriptors.ts';
import { FakeClock } from '../support/fake-clock.ts';

function start(descriptors?: DescriptorSupply) {
  const clock = new FakeClock();
  const now = { delayMs: 0, cpuMs: 0, closed: false };
  const gauge = new LoadGauge(clock, descriptors, {
    meanDelayMs: () => now.delayMs,
    ownCpuMs: () => now.cpuMs,
    close: () => {
      now.closed = true;
    },
  });
  /** Samples during which the loop was so late, and the thread itself worked for that share of the time. */
  const pass = (samples: number, delayMs: number, share: number): void => {
    for (let n = 0; n < samples; n += 1) {
      now.delayMs = delayMs;
      now.cpuMs += SAMPLE_MS * share;
      clock.advance(SAMPLE_MS);
    }
  };
  return { gauge, pass, clock, now };
}

describe('LoadGauge', () => {
  it.each([
    { name: 'own work, long enough', samples: OVERLOADED_SAMPLES, delayMs: 251, share: 0.8, admits: false },
    { name: 'own work for a moment', samples: OVERLOADED_SAMPLES - 1, delayMs: 5000, share: 1, admits: true },
    { name: 'another program has the machine', samples: 100, delayMs: 5000, share: 0.79, admits: true },
    { name: 'much work in time', samples: 100, delayMs: 250, share: 1, admits: true },
  ])('$name: $admits', ({ samples, delayMs, share, admits }) => {
    const { gauge, pass } = start();
    pass(samples, delayMs, share);
    expect(gauge.admit() !== undefined).toBe(admits);
  });

  it('serves again with the first sample in time, and begins to count anew', () => {
    const { gauge, pass } = start();
    pass(OVERLOADED_SAMPLES, 300, 1);
    pass(1, 10, 0.3);
    expect(gauge.admit()).toBeDefined();
    pass(OVERLOADED_SAMPLES - 1, 300, 1);
    expect(gauge.admit()).toBeDefined();
  });

  it('refuses while descriptors are short', () => {
    let left = 1;
    const { gauge } = start({ short: false, take: () => (left-- > 0 ? () => undefined : undefined) });
    expect(gauge.admit()).toBeDefined();
    expect(gauge.admit()).toBeUndefined();
  });

  it('leaves no timer behind', () => {
    const { gauge, pass, clock, now } = start();
    pass(2, 0, 0);
    gauge.close();
    expect(clock.pending).toBe(0);
    expect(now.closed).toBe(true);
  });

  it('reads the real figures', () => {
    const clock = new FakeClock();
    const gauge = new LoadGauge(clock);
    clock.advance(10 * SAMPLE_MS);
    expect(gauge.admit()).toBeDefined();
    gauge.close();
  });
});
