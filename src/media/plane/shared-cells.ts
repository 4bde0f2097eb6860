/**
 * Cells of 8 bytes that two threads share, each a number or two words: `numbers[at]` is `words[2 * at]` and `words[2 * at + 1]`. Those of one
 * call lie side by side, in two lines of a cache and under two views, for with hundreds of calls each line is fetched anew in every tick.
 */
export interface SharedCells {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly numbers: Float64Array<SharedArrayBuffer>;
  readonly at: number; // of the first
  readonly count: number;
}

/** @param counts - cells of each user, one behind the other. All are 0. */
export function allocateCells<const Counts extends readonly number[]>(
  counts: Counts,
): { readonly [Index in keyof Counts]: SharedCells } {
  const memory = new SharedArrayBuffer(counts.reduce((sum, count) => sum + count, 0) * Float64Array.BYTES_PER_ELEMENT);
  const [words, numbers] = [new Int32Array(memory), new Float64Array(memory)];
  let next = 0;
  const cells = counts.map((count) => {
    const at = next;
    next += count;
    return { words, numbers, at, count };
  });
  return cells as { readonly [Index in keyof Counts]: SharedCells };
}

/** Nobody may be using them. */
export function wipeCells({ words, at, count }: SharedCells): void {
  words.fill(0, 2 * at, 2 * (at + count));
}
