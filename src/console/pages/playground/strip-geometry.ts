/** A stretch that was transcribed, with its time. */
export interface HeardStretch {
  readonly text: string;
  /** Seconds since the first audio. */
  readonly startS: number;
  readonly endS: number;
  readonly confidence: number | undefined;
}

export const PIXELS_PER_S = 64;
/** A bar of the loudness that is drawn: 50 ms. */
export const BARS_PER_S = 20;
const GAP_PX = 8;
const WIDTH_PX_MIN = 96;

export interface Placed extends HeardStretch {
  readonly leftPx: number;
  readonly widthPx: number;
  /** Below each other where there is no room beside each other. */
  readonly row: number;
}

/** Where the words of each stretch stand: under their time, in the first row in which they have room. */
export function placed(stretches: readonly HeardStretch[]): Placed[] {
  const endsOf: number[] = [];
  return stretches.map((stretch) => {
    const leftPx = Math.round(stretch.startS * PIXELS_PER_S);
    const widthPx = Math.max(WIDTH_PX_MIN, Math.round((stretch.endS - stretch.startS) * PIXELS_PER_S));
    const free = endsOf.findIndex((end) => end + GAP_PX <= leftPx);
    const row = free === -1 ? endsOf.length : free;
    endsOf[row] = leftPx + widthPx;
    return { ...stretch, leftPx, widthPx, row };
  });
}

/** The loudest sample of each bar, 0..1, of a whole recording. */
export function barsOf(samples: Float32Array, rateHz: number): number[] {
  const step = Math.max(1, Math.round(rateHz / BARS_PER_S));
  return Array.from({ length: Math.ceil(samples.length / step) }, (_none, bar) => {
    let loudest = 0;
    for (let i = bar * step; i < Math.min(samples.length, (bar + 1) * step); i += 1) {
      loudest = Math.max(loudest, Math.abs(samples[i]!));
    }
    return loudest;
  });
}

/** One line of SVG through all bars, `heightPx` high: a path is drawn faster than thousands of rectangles. */
export function barsPath(bars: readonly number[], heightPx: number): string {
  const step = PIXELS_PER_S / BARS_PER_S;
  const middle = heightPx / 2;
  return bars
    .map((bar, index) => {
      const half = Math.max(0.75, Math.min(1, bar) * (middle - 1));
      const x = ((index + 0.5) * step).toFixed(1);
      return `M${x} ${(middle - half).toFixed(1)}V${(middle + half).toFixed(1)}`;
    })
    .join('');
}

/** Seconds at which the axis has a mark, up to the end. */
export function ticksOf(seconds: number): number[] {
  return Array.from({ length: Math.floor(seconds / 2) + 1 }, (_none, index) => index * 2);
}
