import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SilenceTrimmer } from '../../../src/engines/tts/silence-trimmer.ts';

const OPTIONS = { sampleRateHz: 1000, threshold: 200, leadMs: 2, tailMs: 5, pauseMaxMs: 20 }; // 1 sample is 1 ms
const quiet = (ms: number): number[] => Array.from({ length: ms }, (_, i) => i % 2);
const loud = (ms: number): number[] => Array.from({ length: ms }, () => -5000);

function trim(samples: readonly number[], step: number): number[] {
  const trimmer = new SilenceTrimmer(OPTIONS);
  const out: number[] = [];
  for (let at = 0; at < samples.length; at += step)
    out.push(...trimmer.push(Int16Array.from(samples.slice(at, at + step))));
  return [...out, ...trimmer.end()];
}

describe.each([1, 3, 7, 1000])('SilenceTrimmer, %i samples at a time', (step) => {
  it.each([
    { name: 'nothing', input: [], lead: 0, speech: [], tail: 0 },
    { name: 'silence alone', input: quiet(50), lead: 0, speech: [], tail: 0 },
    { name: 'speech alone', input: loud(9), lead: 0, speech: loud(9), tail: 0 },
    { name: 'both ends', input: [...quiet(30), ...loud(9), ...quiet(30)], lead: 2, speech: loud(9), tail: 5 },
    { name: 'short ends stay', input: [...quiet(1), ...loud(9), ...quiet(3)], lead: 1, speech: loud(9), tail: 3 },
    {
      name: 'pauses stay',
      input: [...loud(3), ...quiet(15), ...loud(3)],
      lead: 0,
      speech: [...loud(3), ...quiet(15), ...loud(3)],
      tail: 0,
    },
    {
      name: 'long pauses stay',
      input: [...loud(3), ...quiet(95), ...loud(3)],
      lead: 0,
      speech: [...loud(3), ...quiet(95), ...loud(3)],
      tail: 0,
    },
  ])('$name', ({ input, lead, speech, tail }) => {
    const out = trim(input, step);
    expect(out.length).toBeGreaterThanOrEqual(lead + speech.length + tail);
    expect(out.slice(lead, lead + speech.length)).toEqual(speech);
    // What was held longest may already be out when the end comes: one pause at most.
    expect(out.length - lead - speech.length).toBeLessThanOrEqual(
      Math.max(tail, OPTIONS.pauseMaxMs + step + OPTIONS.tailMs),
    );
  });
});

describe('SilenceTrimmer', () => {
  it('never loses or changes a sound', () => {
    const stretch = fc
      .tuple(fc.boolean(), fc.integer({ min: 1, max: 60 }))
      .map(([on, ms]) => (on ? loud(ms) : quiet(ms)));
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), (stretches, step) => {
        const input = stretches.flat();
        const out = trim(input, step);
        expect(out.filter((sample) => sample === -5000).length).toBe(input.filter((sample) => sample === -5000).length);
        const from = input.indexOf(-5000);
        const to = input.lastIndexOf(-5000);
        if (from >= 0) expect(out.slice(Math.min(2, from)).slice(0, to - from + 1)).toEqual(input.slice(from, to + 1));
      }),
    );
  });

  it('counts the lead of silence that stays in memory', () => {
    const trimmer = new SilenceTrimmer(OPTIONS);
    for (let i = 0; i < 1000; i += 1) expect(trimmer.push(Int16Array.from(quiet(50)))).toHaveLength(0);
    expect(trimmer.push(Int16Array.from(loud(1)))).toHaveLength(3);
  });
});
