import { expect, it } from 'vitest';
import type { Call } from '../../../src/console/api/generated/operations.ts';
import { marksOf } from '../../../src/console/pages/call/marks.ts';
import { onRecording } from '../../../src/console/pages/call/on-recording.ts';

const call = {
  recording_answer_ms: 4_000,
  turns: [
    { index: 0, role: 'agent', started_ms: 500, heard_ms: 900, interrupted_ms: 1_400, timings: { speechEndMs: 100 } },
  ],
  keys: [{ key: '1', at_ms: 2_000, means: 'event' }],
  transfers: [
    { target: '1900', outcome: 'joined', started_ms: 3_000, answered_ms: 3_500, joined_ms: null, ended_ms: null },
  ],
  quality_over_time: { from_ms: -20, every_ms: 5_000, loss_percent: [], jitter_ms: [], mos: [] },
} as unknown as Call;

it('all times of a call are those of its recording, which begins before the answer', () => {
  const timed = onRecording(call);
  expect(timed.turns).toMatchObject([
    { started_ms: 4_500, heard_ms: 900, interrupted_ms: 5_400, timings: { speechEndMs: 4_100 } },
  ]);
  expect(timed.keys).toMatchObject([{ at_ms: 6_000 }]);
  expect(timed.transfers).toMatchObject([{ started_ms: 7_000, answered_ms: 7_500, joined_ms: null, ended_ms: null }]);
  expect(timed.quality_over_time).toMatchObject({ from_ms: 3_980 });
  expect(marksOf(timed).map(({ kind, atMs }) => [kind, atMs])).toEqual([
    ...[
      ['answer', 4_000],
      ['interruption', 5_400],
      ['key', 6_000],
      ['transfer', 7_000],
    ],
  ]);
});

it('a recording that begins with the answer has no mark for it, and moves nothing', () => {
  for (const recording_answer_ms of [0, null])
    expect(onRecording({ ...call, recording_answer_ms })).toEqual({ ...call, recording_answer_ms });
  expect(marksOf({ turns: [], keys: [], transfers: [], recording_answer_ms: 3 })).toEqual([]);
});
