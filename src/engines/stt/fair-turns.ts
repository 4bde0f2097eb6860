import type { Clock } from '../../core/clock.ts';

/** Work that waits for its turn, or has it. */
export interface Turn {
  readonly account: string;
  readonly start: () => void;
  readonly sinceMs: number;
}

/**
 * Shares a worker that does one thing after the other: accounts take turns, however much each of them asks for. Bounded by
 * the streams of the engine, each of which has a bounded number of stretches.
 */
export class FairTurns {
  readonly #running = new Set<Turn>();
  readonly #waiting = new Map<string, Turn[]>(); // accounts in the order in which their next turn comes

  /** @param atOnce - turns handed out ahead, so that the worker never waits for the next one. */
  constructor(
    private readonly atOnce: number,
    private readonly clock: Clock,
  ) {}

  /** Turns that are not over yet. */
  get owed(): number {
    let owed = this.#running.size;
    for (const turns of this.#waiting.values()) owed += turns.length;
    return owed;
  }

  /** `start` is called when it is its turn, which may be now. End it with `done`. */
  ask(account: string, start: () => void): Turn {
    const turn = { account, start, sinceMs: this.clock.nowMs() };
    const turns = this.#waiting.get(account);
    if (turns) turns.push(turn);
    else this.#waiting.set(account, [turn]);
    this.#handOut();
    return turn;
  }

  /** It is over, or not wanted any more. Idempotent. */
  done(turn: Turn): void {
    if (!this.#running.delete(turn)) this.#leave(turn);
    this.#handOut();
  }

  isRunning(turn: Turn): boolean {
    return this.#running.has(turn);
  }

  /** How long the oldest of an account's turns has been waiting; 0 when none does. */
  waitMs(account: string): number {
    const oldest = this.#waiting.get(account)?.[0];
    return oldest ? this.clock.nowMs() - oldest.sinceMs : 0;
  }

  /** The worker is gone: so is everything that was asked of it. */
  clear(): void {
    this.#running.clear();
    this.#waiting.clear();
  }

  #handOut(): void {
    while (this.#running.size < this.atOnce) {
      const [next] = this.#waiting;
      if (!next) return;
      const [account, turns] = next;
      const turn = turns.shift()!;
      this.#waiting.delete(account);
      if (turns.length > 0) this.#waiting.set(account, turns); // behind the others
      this.#running.add(turn);
      turn.start();
    }
  }

  #leave(turn: Turn): void {
    const turns = this.#waiting.get(turn.account);
    const at = turns?.indexOf(turn) ?? -1;
    if (!turns || at < 0) return;
    turns.splice(at, 1);
    if (turns.length === 0) this.#waiting.delete(turn.account);
  }
}
