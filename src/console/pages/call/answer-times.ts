/** What of a turn is needed to say how long its answer took. */
export interface AnsweringTurn {
  readonly index: number;
  readonly started_ms: number;
  readonly latency_ms: number | null;
  readonly timings?: Readonly<Record<string, number>>;
}

export type Grade = 'good' | 'slow' | 'bad';
/** Below the first a caller notices nothing, below the second it is a pause; more is a doubt whether somebody is there. */
export const GOOD_MS = 800;
export const SLOW_MS = 1_500;

export const gradeOf = (ms: number): Grade => (ms < GOOD_MS ? 'good' : ms < SLOW_MS ? 'slow' : 'bad');

/** The quiet between the end of the words of the caller and the first sound of the answer. */
export interface Gap {
  readonly turn: number; // index
  readonly fromMs: number;
  readonly untilMs: number;
  readonly ms: number;
  readonly grade: Grade;
}

export function gapsOf(turns: readonly AnsweringTurn[]): Gap[] {
  return turns.flatMap(({ index, started_ms, latency_ms, timings }) => {
    if (latency_ms === null) return [];
    const untilMs = timings?.['firstPacketMs'] ?? started_ms;
    const fromMs = timings?.['speechEndMs'] ?? untilMs - latency_ms;
    return [{ turn: index, fromMs, untilMs, ms: latency_ms, grade: gradeOf(latency_ms) }];
  });
}

/** Stretches of an answer in their order; the keys of `stages` of a turn. */
export const STAGES = [
  ...(['end_of_speech_wait_ms', 'final_transcript_ms', 'first_words_ms', 'first_sound_ms'] as const),
  'first_packet_ms',
] as const;
export type Stage = (typeof STAGES)[number];

export interface StagePart {
  readonly stage: Stage;
  readonly ms: number;
  /** Where it begins and how long it is, as shares of the bar. */
  readonly from: number;
  readonly share: number;
}

/** A stacked bar as long as `scaleMs`; what is longer is cut at its end. Stretches of no length are left out. */
export function stageParts(stages: Readonly<Record<Stage, number>>, scaleMs: number): StagePart[] {
  let sum = 0;
  return STAGES.flatMap((stage) => {
    const ms = Math.max(0, stages[stage] ?? 0);
    const from = Math.min(1, sum / scaleMs);
    sum += ms;
    const share = Math.min(1, sum / scaleMs) - from;
    return ms > 0 && share > 0 ? [{ stage, ms, from, share }] : [];
  });
}

const SCALES_MS = [1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000, 60_000];
/** One measure for all bars of a call. */
export const scaleOf = (latencies: readonly number[]): number => {
  const longest = Math.max(0, ...latencies);
  return SCALES_MS.find((one) => one >= longest) ?? longest;
};
