/** Cells of the memory that a media thread shares with the main thread. */
const BELL = 0; // rung for every message
const BEATS = 1; // of the thread's loop
const LOOPING = 2; // 0: it rests until the bell rings
const CELLS = 3;

export const allocateSigns = (): SharedArrayBuffer => new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);

/** What the main thread and a media thread tell each other beside their messages, without an event loop on either side. */
export class ThreadSigns {
  readonly #cells: Int32Array<SharedArrayBuffer>;
  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory);
  }

  // Of the main thread.

  /** There is a message. Wakes a thread that rests: one that loops sleeps a millisecond at most, and waking takes a system call. */
  ring(): void {
    Atomics.add(this.#cells, BELL, 1);
    if (Atomics.load(this.#cells, LOOPING) === 0) Atomics.notify(this.#cells, BELL);
  }
  /** Changes as the thread gets on with its loop; undefined while it has nothing to do. */
  get beats(): number | undefined {
    return Atomics.load(this.#cells, LOOPING) === 0 ? undefined : Atomics.load(this.#cells, BEATS);
  }

  // Of the media thread.

  /** Taken before the messages are read: another number later says that there are more. */
  get rung(): number {
    return Atomics.load(this.#cells, BELL);
  }
  /** It loops, and got on. */
  beat(): void {
    Atomics.add(this.#cells, BEATS, 1);
    Atomics.store(this.#cells, LOOPING, 1);
  }
  rest(): void {
    Atomics.store(this.#cells, LOOPING, 0);
  }
  /** Until `ms` are over, or the bell has rung since `rung`. */
  sleep(ms: number, rung: number): void {
    Atomics.wait(this.#cells, BELL, rung, ms);
  }
}
