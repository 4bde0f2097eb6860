import { allocateCells, type SharedCells, wipeCells } from './shared-cells.ts';

/**
 * Samples from one thread to one other through shared memory: no lock, no message, no copy but the two ends'.
 *
 * Positions are free-running 32-bit counters. The writer owns WRITE. READ is moved by compare-and-swap, by the reader when
 * it takes samples and by whichever side clears: a take that lost the race to a clear took nothing. So every sample is
 * either read or cleared, never both, and both sides can count exactly.
 *
 * A writer that finds the ring empty goes on at the start of the memory, both positions moving alike: a ring whose reader
 * keeps up uses one page of it, and the system never provides the others.
 */
export interface PcmRingMemory {
  readonly control: SharedCells; // of RING_CELLS
  readonly samples: SharedArrayBuffer;
  /** Most samples that may wait; at most the memory's power of two. */
  readonly limit: number;
}

/** Of one ring: the words WRITE and READ. */
export const RING_CELLS = 1;
export const MAX_RING_SAMPLES = 1 << 22;

/** @param limit - samples that may wait; memory is the next power of two. */
export function allocatePcmRing(limit: number, [control] = allocateCells([RING_CELLS])): PcmRingMemory {
  if (!(limit >= 1 && limit <= MAX_RING_SAMPLES)) throw new RangeError(`a ring holds 1..${MAX_RING_SAMPLES} samples`);
  const capacity = 2 ** Math.ceil(Math.log2(limit));
  return {
    control,
    samples: new SharedArrayBuffer(capacity * 2),
    limit,
  };
}

/** Both positions back to the start; nobody may be using the ring. */
export function wipePcmRing({ control }: PcmRingMemory): void {
  wipeCells(control);
}

/** One end of a ring; make one over the same memory in each thread. `startAt` sets both positions, for tests of the wrap. */
export class PcmRing {
  readonly #control: Int32Array;
  readonly #write: number;
  readonly #read: number;
  readonly #samples: Int16Array;
  readonly #pairs: Int32Array; // the same, left in the lower half of each as all our processors have it
  readonly #mask: number;
  readonly #limit: number;
  constructor(memory: PcmRingMemory, startAt?: number) {
    const { words, at } = memory.control;
    this.#control = words;
    this.#write = 2 * at;
    this.#read = 2 * at + 1;
    this.#samples = new Int16Array(memory.samples);
    this.#pairs = new Int32Array(memory.samples, 0, memory.samples.byteLength >>> 2);
    this.#mask = this.#samples.length - 1;
    this.#limit = memory.limit;
    if (startAt !== undefined) words.fill(startAt, this.#write, this.#read + 1);
  }

  /** Samples waiting. */
  get queued(): number {
    // WRITE first: who looks while the writer goes to the start sees too little, never what is not there.
    const write = Atomics.load(this.#control, this.#write);
    return Math.max(0, (write - Atomics.load(this.#control, this.#read)) | 0);
  }
  /** Free-running int32 counters: compare by difference only. */
  get writePosition(): number {
    return Atomics.load(this.#control, this.#write);
  }
  get readPosition(): number {
    return Atomics.load(this.#control, this.#read);
  }
  get free(): number {
    return this.#limit - this.queued;
  }

  /** Writer only. @returns samples taken: fewer than given when the ring is full. */
  write(samples: Int16Array): number {
    const control = this.#control;
    const position = Atomics.load(control, this.#write);
    const read = Atomics.load(control, this.#read);
    const count = Math.min(samples.length, this.#limit - Math.max(0, (position - read) | 0));
    if (count <= 0) return 0;
    const write = this.#writeFrom(position, read);
    const at = write & this.#mask;
    const untilEnd = this.#samples.length - at;
    if (count === samples.length && count <= untilEnd) {
      this.#samples.set(samples, at);
    } else {
      for (let i = 0; i < count; i += 1) this.#samples[(at + i) & this.#mask] = samples[i] as number;
    }
    Atomics.store(control, this.#write, (write + count) | 0);
    return count;
  }

  /**
   * Writer only, of a ring that holds nothing but pairs: as many as `left` has samples.
   *
   * @param rightCount - samples of `right`; what is missing is silence.
   * @returns false where they do not all fit: nothing was written.
   */
  writePairs(left: Int16Array, right: Int16Array, rightCount: number): boolean {
    const control = this.#control;
    const position = Atomics.load(control, this.#write);
    const read = Atomics.load(control, this.#read);
    const count = 2 * left.length;
    if (count > this.#limit - Math.max(0, (position - read) | 0)) return false;
    const write = this.#writeFrom(position, read);
    const pairs = this.#pairs;
    const both = Math.min(left.length, rightCount);
    let at = (write & this.#mask) >>> 1;
    for (let i = 0; i < left.length; ) {
      const end = Math.min(left.length, i + pairs.length - at);
      const bothEnd = Math.min(end, both);
      for (; i < bothEnd; i += 1, at += 1) pairs[at] = ((left[i] as number) & 0xffff) | ((right[i] as number) << 16);
      for (; i < end; i += 1, at += 1) pairs[at] = (left[i] as number) & 0xffff;
      at = 0;
    }
    Atomics.store(control, this.#write, (write + count) | 0);
    return true;
  }

  /** Reader only. Fills `into` from its start. @returns samples copied, at most `count`. */
  read(into: Int16Array, count = into.length): number {
    const read = Atomics.load(this.#control, this.#read);
    const take = Math.min(count, into.length, (Atomics.load(this.#control, this.#write) - read) | 0);
    if (take <= 0) return 0;
    const samples = this.#samples;
    let at = read & this.#mask;
    for (let i = 0; i < take; at = 0) {
      for (const end = Math.min(take, i + samples.length - at); i < end; i += 1, at += 1)
        into[i] = samples[at] as number;
    }
    const won = Atomics.compareExchange(this.#control, this.#read, read, (read + take) | 0) === read;
    return won ? take : 0;
  }

  /** Reader only. Drops the oldest. @returns how many samples. */
  skip(count: number): number {
    const read = Atomics.load(this.#control, this.#read);
    const skipped = Math.min(count, (Atomics.load(this.#control, this.#write) - read) | 0);
    if (skipped <= 0) return 0;
    const won = Atomics.compareExchange(this.#control, this.#read, read, (read + skipped) | 0) === read;
    return won ? skipped : 0;
  }

  /** Either side. Drops everything waiting. @returns how many samples. */
  clear(): number {
    for (;;) {
      const read = Atomics.load(this.#control, this.#read);
      const write = Atomics.load(this.#control, this.#write);
      const waiting = (write - read) | 0;
      if (waiting <= 0) return 0;
      if (Atomics.compareExchange(this.#control, this.#read, read, write) === read) return waiting;
    }
  }

  /** Where the writer goes on, by the positions that it has just read. READ first: until WRITE follows, both sides see an empty ring. */
  #writeFrom(write: number, read: number): number {
    const start = (write + this.#mask) & ~this.#mask;
    if (start === write || read !== write) return write;
    if (Atomics.compareExchange(this.#control, this.#read, write, start) !== write) return write;
    Atomics.store(this.#control, this.#write, start);
    return start;
  }
}
