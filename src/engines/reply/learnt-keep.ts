import type { SlowWork } from './slow-work.ts';

/** Remembers what was learnt, across starts: what it finds was learnt by the same build from the same text. */
export interface LearntKeep {
  /** @returns plain data (maps, sets and typed arrays too), as it was kept; undefined where there is none. Never throws. */
  find(from: string): unknown;
  /** Never throws. */
  keep(from: string, learnt: unknown): void;
}

/** Learns it, unless it is known. */
export function* remembered<T>(keep: LearntKeep | undefined, from: string, learn: () => SlowWork<T>): SlowWork<T> {
  const known = keep?.find(from);
  if (known !== undefined) return known as T;
  const learnt = yield* learn();
  keep?.keep(from, learnt);
  return learnt;
}
