import type { ThreadSigns } from '../plane/thread-signs.ts';
import type { TickWheel } from './tick-wheel.ts';

/** Without calls the thread wakes as often, to say how it is. */
const IDLE_MS = 1_000;
/** A tick is a millisecond: sleeping longer would miss one that a call has joined meanwhile. */
const SLEEP_MAX_MS = 1;
/**
 * Looks at the network before what is due is run: what piled up while the thread stood still is read, and who floods one port is read
 * at the pace of the others, while the kernel drops the rest.
 */
const LOOKS_MAX = 16;
/** Who is late without an end still leaves the processor to others now and then: at real-time priority nobody else could take it. */
const REST_AFTER_MS = 50;
const REST_MS = 1;

export interface SynchronousLoopDeps {
  /** Takes the next message. @returns false when there is none. */
  receive(): boolean;
  /** `MediaIo.poll`. */
  poll(hear: () => void): boolean;
  /** Once a round, for what is due now and then. */
  report(nowMs: number): void;
  now(): number; // monotonicMs
}

/**
 * Drives the wheel on a thread that never returns to its event loop: sleep until the next tick, read what has come, run what is
 * due. Costs nothing for every datagram but the datagram, and nothing of Node comes in between. For a `MediaIo` that is
 * synchronous, and messages by `receiveMessageOnPort`.
 */
export class SynchronousLoop {
  #stopped = false;
  #isIdle = true;
  #restedAtMs = 0;
  #heard: number | undefined; // the bell, when messages were taken last

  constructor(
    readonly wheel: TickWheel,
    readonly signs: Pick<ThreadSigns, 'rung' | 'beat' | 'rest' | 'sleep'>,
    readonly deps: SynchronousLoopDeps,
  ) {}

  /** @returns after `stop`. */
  run(): void {
    while (!this.#stopped) this.#round();
    this.signs.rest();
  }

  stop(): void {
    this.#stopped = true;
  }

  #round(): void {
    const { wheel, deps } = this;
    this.#read();
    if (wheel.size > 0 && this.#isIdle) wheel.start(deps.now());
    this.#isIdle = wheel.size === 0;
    if (!this.#isIdle) wheel.run(this.#now);
    const nowMs = deps.now();
    deps.report(nowMs);
    if (!this.#stopped) this.#sleep(nowMs);
  }

  #read(): void {
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      this.signs.beat();
      if (!this.deps.poll(this.#hear)) return;
    }
  }

  /** What main said before a datagram came is heard before it: what becomes of the datagram may depend on it. */
  readonly #hear = (): void => {
    const { rung } = this.signs;
    if (rung === this.#heard) return;
    this.#heard = rung;
    while (this.deps.receive()) this.signs.beat(); // a thousand calls that end at once take longer than a thread may be silent
  };

  /** Each tick asks for the time: the thread gets on. */
  readonly #now = (): number => {
    this.signs.beat();
    return this.deps.now();
  };

  #sleep(nowMs: number): void {
    const rung = this.#heard as number;
    if (this.#isIdle) {
      this.signs.rest();
      this.signs.sleep(IDLE_MS, rung);
      return;
    }
    const waitMs = Math.min(this.wheel.dueInMs(nowMs), SLEEP_MAX_MS);
    if (waitMs > 0) this.signs.sleep(waitMs, rung);
    else if (nowMs - this.#restedAtMs >= REST_AFTER_MS) this.signs.sleep(REST_MS, rung);
    else return;
    this.#restedAtMs = nowMs;
  }
}
