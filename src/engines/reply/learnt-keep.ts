import type { SlowWork } from './slow-work.ts';

/** Remembers what was learnt, across starts: what it finds was learnt by the same build from the same text. */
export interface LearntKeep {
  /** @returns plain data (maps, sets and typed arrays too), as it was kept; undefined where there is none. Never throws. */
  find(from: string): unknown;
  /** Never throws. */
  keep(from: string, learnt: unknown): void;
}

/** Numbers that were kept lie in the memory of all that was read with them, which would stay for their sake: now they have their own. */
export function apart<A extends Float32Array | Float64Array | Int32Array | Uint16Array>(numbers: A): A {
  return numbers.byteLength < numbers.buffer.byteLength ? (numbers.slice() as A) : numbers;
}

/** Learns it, unless it is known. */
export function* remembered<T>(keep: LearntKeep | undefined, from: string, learn: () => SlowWork<T>): SlowWork<T> {
  const known = keep?.find(from);
  if (known !== undefined) return known as T;
  const learnt = yield* learn();
  keep?.keep(from, learnt);
  return learnt;
}
