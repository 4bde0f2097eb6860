import { describe, expect, it } from 'vitest';
import { SpeechLoadMeter } from '../../../src/engines/stt/speech-load.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('SpeechLoadMeter', () => {
  const LIMITS = { finalMs: 400, stretches: 8 };

  it.each([
    { name: 'nothing was said', finals: [], stretches: 0, finalMs: 0, behind: false },
    { name: 'finals in time', finals: [80, 90, 100, 110, 120], stretches: 3, finalMs: 120, behind: false },
    { name: 'one slow final of a few', finals: [80, 90, 2_000], stretches: 1, finalMs: 2_000, behind: false },
    {
      name: 'one slow final of ten',
      finals: [...Array(9).fill(100), 2_000],
      stretches: 1,
      finalMs: 100,
      behind: false,
    },
    { name: 'finals late for everybody', finals: [500, 600, 450, 700], stretches: 2, finalMs: 700, behind: true },
    { name: 'as many speakers as are followed', finals: [], stretches: 8, finalMs: 0, behind: false },
    { name: 'more speakers, before any final is late', finals: [], stretches: 9, finalMs: 0, behind: true },
  ])('$name', ({ finals, stretches, finalMs, behind }) => {
    const meter = new SpeechLoadMeter(LIMITS, new FakeClock());
    for (const tookMs of finals) meter.settled(tookMs);
    expect(meter.load(stretches)).toEqual({ stretches, finalMs, behind });
  });

  it('forgets finals after half a minute, and keeps no more than it looks at', () => {
    const clock = new FakeClock();
    const meter = new SpeechLoadMeter(LIMITS, clock);
    for (let n = 0; n < 200; n += 1) meter.settled(n < 100 ? 5_000 : 100);
    expect(meter.load(0)).toEqual({ stretches: 0, finalMs: 100, behind: false });
    for (let n = 0; n < 10; n += 1) meter.settled(1_000);
    expect(meter.load(0).behind).toBe(true);
    clock.advance(30_000);
    expect(meter.load(0)).toEqual({ stretches: 0, finalMs: 0, behind: false });
  });
});
