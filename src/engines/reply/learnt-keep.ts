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

/** Each is some 10 MB: a few people who write at the same time. */
const DRAFTS_MAX = 4;

/**
 * What agents that are being written have learnt: the last few in memory and none on disk, where a draft for every pause in somebody's typing
 * would push out those who are called. Most edits change nothing that is learnt from.
 */
export class LearntByDrafts implements LearntKeep {
  readonly #last = new Map<string, unknown>(); // the longest unused first
  /** For agents that are called: one whose draft has learnt it keeps that. */
  readonly called: LearntKeep;

  /** @param kept - of agents that are called. */
  constructor(private readonly kept: LearntKeep) {
    const handOn = (from: string): unknown => {
      const learnt = this.#last.get(from);
      if (learnt !== undefined) kept.keep(from, learnt);
      return learnt;
    };
    this.called = { find: (from) => kept.find(from) ?? handOn(from), keep: (from, learnt) => kept.keep(from, learnt) };
  }

  find(from: string): unknown {
    const known = this.#last.get(from) ?? this.kept.find(from);
    if (known !== undefined) this.keep(from, known);
    return known;
  }

  keep(from: string, learnt: unknown): void {
    this.#last.delete(from);
    this.#last.set(from, learnt);
    const [oldest] = this.#last.keys();
    if (this.#last.size > DRAFTS_MAX && oldest !== undefined) this.#last.delete(oldest);
  }
}
