/** Of one channel: the lowest and highest sample of pieces of equal length. */
type Pairs = readonly (readonly number[])[];
export interface Peaks {
  readonly version: 1;
  readonly sample_rate: number;
  readonly seconds: number;
  readonly channels: readonly Pairs[];
}

/** The same with `count` pieces a channel, or as many as there are where those are fewer. */
export function coarser(peaks: Peaks, count: number) {
  const channels = peaks.channels.map((pairs) =>
    pairs.length <= count ? pairs.map((pair) => [...pair]) : merged(pairs, count),
  );
  return { ...peaks, channels };
}

function merged(pairs: Pairs, count: number): number[][] {
  return Array.from({ length: count }, (_, at) => {
    const piece = pairs.slice(Math.floor((at * pairs.length) / count), Math.floor(((at + 1) * pairs.length) / count));
    return [Math.min(...piece.map(([low = 0]) => low)), Math.max(...piece.map(([, high = 0]) => high))];
  });
}
