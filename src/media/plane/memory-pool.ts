/**
 * Memory shared between threads, used again by later calls. What threads share is freed only when the garbage of both has
 * been collected, which V8 is in no hurry to do: it does not count shared memory. So none of it becomes garbage.
 */
export class MemoryPool<Memory> {
  /** The last one given back is taken first: its pages are in use anyway. */
  readonly #kept: Memory[] = [];
  constructor(
    readonly make: () => Memory,
    /** Makes it as good as new, all but the samples. */
    readonly wipe: (memory: Memory) => void,
    readonly keptMax: number,
  ) {}

  take(): Memory {
    return this.#kept.pop() ?? this.make();
  }

  /** Only what no thread uses any more. */
  giveBack(memory: Memory): void {
    this.wipe(memory);
    if (this.#kept.length < this.keptMax) this.#kept.push(memory);
  }

  /** What nobody uses now. */
  get kept(): readonly Memory[] {
    return this.#kept;
  }
}
