import { describe, expect, it } from 'vitest';
import { voiceFigures } from '../../src/cli/voices.ts';
import type { VoiceNote } from '../../src/core/turn-details.ts';

const note = (language: string, found: VoiceNote['found'], more: Partial<VoiceNote> = {}): VoiceNote => ({
  ...{ language, found, words: true, detectorMs: 500, togetherMs: 500 },
  ...more,
});
const NOTES: readonly VoiceNote[] = [
  note('en', 'both', { laterMs: 0 }),
  note('en', 'both', { laterMs: 140, togetherMs: 360 }),
  note('en', 'both', { laterMs: -60 }),
  note('en', 'denied', { togetherMs: 0 }),
  note('en', 'denied', { togetherMs: 0, words: false }),
  note('en', 'added', { detectorMs: 0 }),
  note('en', 'away', { togetherMs: 0 }),
  note('ar', 'away'),
];

describe('how the judge of voices compares with the detector', () => {
  it('is told by language, of those judged in time', () => {
    expect(voiceFigures(NOTES)).toEqual([
      {
        ...{ language: 'ar', turns: 1, judged: 0, would_miss: null, shorter: null, found_more: 0 },
        ...{ later_p50_ms: null, later_p95_ms: null },
      },
      {
        ...{ language: 'en', turns: 7, judged: 6, would_miss: 0.2, shorter: 0.4, found_more: 1 },
        ...{ later_p50_ms: 0, later_p95_ms: 140 },
      },
    ]);
    expect(voiceFigures([])).toEqual([]);
  });
});
