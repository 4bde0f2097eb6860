import type { Call, CallTurn } from '../../api/generated/operations.ts';

/**
 * The same call with its times counted from the beginning of its recording, as its sound is: one of a call out begins with
 * what was heard before the answer, from which the gateway counts.
 */
export function onRecording(call: Call): Call {
  const byMs = call.recording_answer_ms ?? 0;
  if (byMs === 0) return call;
  const { turns, keys, transfers, quality_over_time: quality } = call;
  const later = (ms: number | null): number | null => (ms === null ? null : ms + byMs);
  return {
    ...call,
    turns: turns.map((turn) => laterTurn(turn, byMs)),
    keys: keys.map((key) => ({ ...key, at_ms: key.at_ms + byMs })),
    transfers: transfers.map((one) => ({
      ...one,
      started_ms: one.started_ms + byMs,
      ...{ answered_ms: later(one.answered_ms), joined_ms: later(one.joined_ms), ended_ms: later(one.ended_ms) },
    })),
    quality_over_time: quality && { ...quality, from_ms: quality.from_ms + byMs },
  };
}

function laterTurn(turn: CallTurn, byMs: number): CallTurn {
  const { started_ms, interrupted_ms, timings } = turn;
  return {
    ...{ ...turn, started_ms: started_ms + byMs },
    ...(interrupted_ms !== undefined && { interrupted_ms: interrupted_ms + byMs }),
    ...(timings && { timings: Object.fromEntries(Object.entries(timings).map(([at, ms]) => [at, ms + byMs])) }),
  };
}
