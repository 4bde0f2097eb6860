import { describe, expect, it } from 'vitest';
import { SpeechLevels } from '../../src/audio/speech-levels.ts';
import { BargeInPolicy } from '../../src/call/barge-in.ts';
import { CallerOverlap } from '../../src/call/caller-overlap.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('a voice over the agent’s that seemed to be its echo', () => {
  it.each([
    { name: 'goes on at once: it was the caller’s from the beginning', afterMs: 180, verdict: 'interrupt' },
    { name: 'is followed by another later', afterMs: 450, verdict: 'wait' },
  ])('$name', ({ afterMs, verdict }) => {
    const clock = new FakeClock();
    const levels = new SpeechLevels();
    for (let frame = 0; frame < 45; frame += 1) levels.push(frame % 2 === 0 ? -20 : -40);
    const policy = new BargeInPolicy({ bargeInMs: 850, bargeInWords: 2 }, []);
    const overlap = new CallerOverlap(policy, { levels, levelDb: -20 }, clock);
    const startMs = clock.nowMs();
    overlap.begin(startMs, 0);
    clock.advance(400);
    overlap.pause();
    clock.advance(afterMs);
    overlap.begin(clock.nowMs(), startMs + 400);
    clock.advance(100);
    expect(overlap.judge('parcel', false)).toBe('wait');
    clock.advance(100);
    expect(overlap.judge('parcel', false)).toBe(verdict);
  });
});
