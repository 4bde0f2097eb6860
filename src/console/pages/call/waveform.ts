import type { View } from './time-axis.ts';

/** Loudness of one side of a recording, 0..1, in pieces of equal length. */
export interface Lane {
  readonly loudness: Float32Array;
  readonly msPerPiece: number;
}

/** What is quieter than this at its loudest is a line without speech: it is not blown up. */
const LOUDEST_MIN = 0.12;

/** Peaks as the gateway has them: a list a side of lowest and highest samples, -1..1. Both sides are drawn to one measure. */
export function lanesOf(channels: readonly (readonly (readonly number[])[])[], seconds: number): Lane[] {
  const loud = channels.map((pieces) =>
    Float32Array.from(pieces, ([low = 0, high = 0]) => Math.max(Math.abs(low), Math.abs(high))),
  );
  let loudest = LOUDEST_MIN;
  for (const side of loud) for (const value of side) if (value > loudest) loudest = value;
  return loud.map((side) => ({
    loudness: side.map((value) => value / loudest),
    msPerPiece: (seconds * 1_000) / Math.max(1, side.length),
  }));
}

/** The loudest of what is below each bar in sight, 0..1; `step` is the distance of bars in points. */
export function barsOf(lane: Lane, view: View, step: number): Float32Array {
  const bars = new Float32Array(Math.max(0, Math.ceil(view.width / step)));
  const perBar = (step * view.msPerPoint) / lane.msPerPiece;
  // Bars stand on multiples of their width in time, so that they do not flicker while the view moves.
  const first = Math.floor(view.fromMs / (step * view.msPerPoint));
  for (let bar = 0; bar < bars.length; bar += 1) {
    const from = Math.floor((first + bar) * perBar);
    const until = Math.max(from + 1, Math.floor((first + bar + 1) * perBar));
    let loudest = 0;
    for (let at = Math.max(0, from); at < until && at < lane.loudness.length; at += 1) {
      if (lane.loudness[at]! > loudest) loudest = lane.loudness[at]!;
    }
    bars[bar] = loudest;
  }
  return bars;
}

/** Where the first of `barsOf` stands. */
export function firstBarX(view: View, step: number): number {
  const barMs = step * view.msPerPoint;
  return (Math.floor(view.fromMs / barMs) * barMs - view.fromMs) / view.msPerPoint;
}
