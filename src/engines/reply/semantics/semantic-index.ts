/** Examples of one meaning that are looked at: the nearest ones. */
const NEAREST = 3;

/**
 * How near a sentence is to each meaning: the mean likeness, -1..1, to the nearest of its examples. What all examples
 * have in common, the agent's subject, is taken away from every vector first: it tells nothing apart.
 */
export class SemanticIndex {
  readonly #mean: Float32Array;
  readonly #meanings: readonly { readonly id: string; readonly vectors: readonly Float32Array[] }[];

  constructor(examples: ReadonlyMap<string, readonly Float32Array[]>) {
    const all = [...examples.values()].flat();
    this.#mean = new Float32Array(all[0]?.length ?? 0);
    for (const vector of all) for (const [i, x] of vector.entries()) this.#mean[i]! += x / all.length;
    this.#meanings = [...examples].map(([id, vectors]) => ({ id, vectors: vectors.map((one) => this.#apart(one)) }));
  }

  near(vector: Float32Array): ReadonlyMap<string, number> {
    const apart = this.#apart(vector);
    return new Map(
      this.#meanings.map(({ id, vectors }) => {
        const nearest = vectors
          .map((one) => dot(one, apart))
          .sort((a, b) => b - a)
          .slice(0, NEAREST);
        return [id, nearest.reduce((sum, likeness) => sum + likeness, 0) / Math.max(1, nearest.length)];
      }),
    );
  }

  #apart(vector: Float32Array): Float32Array {
    const left = vector.map((x, i) => x - this.#mean[i]!);
    const length = Math.sqrt(dot(left, left)) || 1;
    return left.map((x) => x / length);
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}
