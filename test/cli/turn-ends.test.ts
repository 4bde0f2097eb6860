import { describe, expect, it } from 'vitest';
import { turnEndFigures } from '../../src/cli/turn-ends.ts';
import type { PauseNote } from '../../src/core/turn-details.ts';

const pause = (
  language: string,
  truth: PauseNote['truth'],
  said: PauseNote['said'],
  more: Partial<PauseNote> = {},
) => ({
  ...{ language, truth, said },
  ...more,
});
const PAUSES: readonly PauseNote[] = [
  pause('en', 'over', 'complete', { probability: 0.9, ms: 20, waited: 300 }),
  pause('en', 'over', 'complete', { probability: 0.6, ms: 30, waited: 100 }),
  pause('en', 'over', 'incomplete', { probability: 0.4, ms: 40, waited: 900 }),
  pause('en', 'went-on', 'complete', { probability: 0.55, ms: 50 }),
  pause('en', 'went-on', 'incomplete', { probability: 0.1, ms: 60 }),
  pause('en', 'cut', 'incomplete', { probability: 0.2, ms: 70, waited: 200 }),
  pause('en', 'over', 'late', { probability: 0.9, ms: 400, waited: 0 }),
  pause('en', 'cut', 'failed'),
  pause('ar', 'over', 'late'),
];

describe('how the judge of turns compares with what callers did', () => {
  const [arabic, english] = turnEndFigures(PAUSES);

  it('is told by language, of those judged in time', () => {
    expect(english).toEqual({
      ...{ language: 'en', pauses: 8, judged: 6, right: 0.667, would_cut: 0.333, would_wait: 0.333 },
      ...{ were_cut: 0.333, to_gain_ms: 100, answer_p50_ms: 50, answer_p95_ms: 400 },
    });
  });

  it('is nothing where nothing is known', () => {
    expect(arabic).toEqual({
      ...{ language: 'ar', pauses: 1, judged: 0, right: null, would_cut: null, would_wait: null },
      ...{ were_cut: 0, to_gain_ms: null, answer_p50_ms: null, answer_p95_ms: null },
    });
    expect(turnEndFigures([])).toEqual([]);
  });

  it('is told of another limit as if that had been set', () => {
    expect(turnEndFigures(PAUSES, 0.58)[1]).toMatchObject({ judged: 6, right: 0.833, would_cut: 0, would_wait: 0.333 });
    expect(turnEndFigures(PAUSES, 0.15)[1]).toMatchObject({ would_cut: 0.667, would_wait: 0 });
  });
});
