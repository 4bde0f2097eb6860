/** A stretch of a call as it is drawn: `fromMs` stands at the first of `width` points. */
export interface View {
  readonly fromMs: number;
  readonly msPerPoint: number;
  readonly width: number;
}

export interface Tick {
  readonly ms: number;
  /** Carries its time in words. */
  readonly isMajor: boolean;
}

/** Finer than this there is nothing to see. */
const MS_PER_POINT_MIN = 2;
/** A longer call is not shown whole at first: its words would have no room. */
const FIRST_SIGHT_MS = 75_000;
const STEPS_MS = [
  ...([100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000] as const),
  ...([30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000] as const),
];
const LABEL_POINTS = 72;
const MINORS = 5;

export const xOf = (view: View, ms: number): number => (ms - view.fromMs) / view.msPerPoint;
export const msAt = (view: View, x: number): number => view.fromMs + x * view.msPerPoint;
export const endOf = (view: View): number => msAt(view, view.width);

/** The whole call in so much room. */
export const fitting = (durationMs: number, width: number): number => Math.max(1, durationMs) / Math.max(1, width);

export const firstSight = (durationMs: number, width: number): number =>
  fitting(Math.min(durationMs, FIRST_SIGHT_MS), width);

/** Twice as near is `factor` 0.5; never nearer than there is something to see, never farther than the whole. */
export function zoomed(msPerPoint: number, factor: number, durationMs: number, width: number): number {
  const whole = fitting(durationMs, width);
  return Math.min(whole, Math.max(Math.min(MS_PER_POINT_MIN, whole), msPerPoint * factor));
}

/** Where a view begins so that `ms` stands at `x`, within the call. */
export function beginning(ms: number, x: number, msPerPoint: number, durationMs: number, width: number): number {
  const last = Math.max(0, durationMs - width * msPerPoint);
  return Math.min(last, Math.max(0, ms - x * msPerPoint));
}

/** Marks of the axis in sight: as many times as have room, and finer marks between them. */
export function ticksOf(view: View, labelPoints = LABEL_POINTS): Tick[] {
  const wanted = view.msPerPoint * labelPoints;
  const step = STEPS_MS.find((one) => one >= wanted) ?? Math.ceil(wanted / 3_600_000) * 3_600_000;
  const minor = step / MINORS;
  const ticks: Tick[] = [];
  for (let n = Math.ceil(view.fromMs / minor); n * minor <= endOf(view); n += 1) {
    ticks.push({ ms: n * minor, isMajor: n % MINORS === 0 });
  }
  return ticks;
}

/** Whether times of an axis need tenths of a second to differ. */
export const hasTenths = (view: View, labelPoints = LABEL_POINTS): boolean => view.msPerPoint * labelPoints < 1_000;

const [FOLLOWED_TO, FOLLOWED_FROM] = [0.85, 0.15];
/** Where the view of what is played goes on; undefined while it is in sight. */
export function following(view: View, ms: number, durationMs: number): number | undefined {
  const x = xOf(view, ms);
  if (x >= 0 && x <= view.width * FOLLOWED_TO) return undefined;
  const next = beginning(ms, view.width * FOLLOWED_FROM, view.msPerPoint, durationMs, view.width);
  return Math.abs(next - view.fromMs) < view.msPerPoint ? undefined : next;
}
