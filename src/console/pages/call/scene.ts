import type { Call, CallTurn } from '../../api/generated/operations.ts';
import { gapsOf } from './answer-times.ts';
import { marksOf } from './marks.ts';
import type { Scene } from './paint-timeline.ts';
import { lanesOf } from './waveform.ts';
import { inTime, wordsOf } from './words.ts';

export interface Peaks {
  readonly seconds: number;
  readonly channels: readonly (readonly (readonly number[])[])[];
}
/** What of a scene is of the call, and not of the page that shows it. */
export type Drawn = Omit<Scene, 'palette' | 'clock' | 'gapLabels' | 'texts'>;

/** How long the axis is: the recording where there is one, else what was said and how long was talked. */
export function durationOf(
  call: Pick<Call, 'talk_ms' | 'turns' | 'recording_answer_ms'>,
  peaks: Peaks | undefined,
): number {
  const spoken = call.turns.map(({ started_ms, heard_ms }) => started_ms + heard_ms);
  return Math.max(1_000, (call.recording_answer_ms ?? 0) + call.talk_ms, (peaks?.seconds ?? 0) * 1_000, ...spoken);
}

/** What of a call is drawn over its time. */
export function sceneOf(call: Call, turns: readonly CallTurn[], peaks: Peaks | undefined): Drawn {
  const durationMs = durationOf({ ...call, turns: [...turns] }, peaks);
  return {
    durationMs,
    lanes: peaks ? lanesOf(peaks.channels, peaks.seconds) : [],
    gaps: gapsOf(turns),
    marks: marksOf({ ...call, turns }),
    words: { caller: wordsOf(turns, true, durationMs), other: wordsOf(turns, false, durationMs) },
    speech: inTime(turns).map(({ index, role, started_ms, heard_ms }) => ({
      ...{ turn: index, role, fromMs: started_ms, untilMs: started_ms + heard_ms },
    })),
  };
}
