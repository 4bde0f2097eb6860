import { describe, expect, it } from 'vitest';
import { gapsOf, gradeOf, STAGES, scaleOf, stageParts } from '../../../src/console/pages/call/answer-times.ts';

const stages = (...ms: number[]) => Object.fromEntries(STAGES.map((stage, n) => [stage, ms[n] ?? 0])) as never;

describe('gaps', () => {
  it.each([
    [0, 'good'],
    [799, 'good'],
    [800, 'slow'],
    [1_499, 'slow'],
    [1_500, 'bad'],
  ] as const)('%i ms are %s', (ms, grade) => {
    expect(gradeOf(ms)).toBe(grade);
  });

  it('reach from the last word of the caller to the first packet of the answer', () => {
    const turns = [
      { index: 0, started_ms: 300, latency_ms: null },
      { index: 2, started_ms: 5_000, latency_ms: 430, timings: { speechEndMs: 4_560, firstPacketMs: 4_990 } },
    ];
    expect(gapsOf(turns)).toEqual([{ turn: 2, fromMs: 4_560, untilMs: 4_990, ms: 430, grade: 'good' }]);
  });

  it('reach back by the latency where their stations are not known: live turns', () => {
    const [gap] = gapsOf([{ index: 2, started_ms: 5_000, latency_ms: 1_600 }]);
    expect(gap).toMatchObject({ fromMs: 3_400, untilMs: 5_000, grade: 'bad' });
  });
});

describe('the stacked bar', () => {
  it('has each stretch after the one before, as shares of the measure', () => {
    expect(stageParts(stages(200, 100, 0, 50, 50), 1_000)).toEqual([
      { stage: 'end_of_speech_wait_ms', ms: 200, from: 0, share: 0.2 },
      { stage: 'final_transcript_ms', ms: 100, from: 0.2, share: expect.closeTo(0.1) },
      { stage: 'first_sound_ms', ms: 50, from: 0.3, share: expect.closeTo(0.05) },
      { stage: 'first_packet_ms', ms: 50, from: 0.35, share: expect.closeTo(0.05) },
    ]);
  });

  it('ends at its end, whatever is longer than its measure', () => {
    const parts = stageParts(stages(700, 900, 100), 1_000);
    expect(parts.map(({ stage }) => stage)).toEqual(['end_of_speech_wait_ms', 'final_transcript_ms']);
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });

  it('has a measure that holds the longest answer', () => {
    expect(scaleOf([])).toBe(1_000);
    expect(scaleOf([430, 1_001])).toBe(1_500);
    expect(scaleOf([90_000])).toBe(90_000);
  });
});
