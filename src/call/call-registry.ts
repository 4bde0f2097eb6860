import type { CallLevels } from '../core/call-levels.ts';
import type { CallTap } from '../core/call-tap.ts';
import { type Clock, delay } from '../core/clock.ts';
import type { NoteTaking } from '../engines/reply/contract.ts';
import type { CallEnd } from './call-end.ts';
import type { Leg } from './leg.ts';

/** What others may know of a live call: the console, the CLI, drain. */
export interface LiveCall {
  readonly id: string;
  readonly sipCallId: string;
  readonly accountId: string;
  readonly agentId: string;
  readonly startedAt: Date;
  close(end: CallEnd): Promise<void>;
  /**
   * The caller is put through to somebody, whatever the agent says.
   * @returns why the target may not be called; `not-now` where no agent talks. Never rejects.
   */
  sendTo?(target: string): Promise<'begun' | 'not-now' | CallEnd>;
  /** The agent says this now. @returns false where none talks. */
  say?(text: string): boolean;
  /** The agent knows this from its next reply on, where it is answered by what can heed it. */
  note?(text: string): NoteTaking | 'not-now';
  /** How loud both sides are; undefined before there is media, and where nobody can say. */
  levels?(): CallLevels | undefined;
  /** What both sides say, for one listener at a time; undefined before there is media, and where nobody can listen. */
  listen?(): CallTap | undefined;
  /**
   * Somebody else takes the place of one of its legs.
   * @returns false where `replaced` is no leg of this call. Never rejects.
   */
  takeOver?(replaced: Leg, next: Leg): Promise<boolean>;
}

/** Every call from the INVITE to its last byte; the bound of concurrency. */
export class CallRegistry {
  readonly #calls = new Map<string, LiveCall>();
  #draining = false;
  /** No new calls for now. */
  paused = false;
  readonly #emptied: (() => void)[] = [];
  constructor(
    readonly capacity: number,
    private readonly clock: Clock,
    private readonly onChange: (count: number) => void = () => {},
  ) {}

  get size(): number {
    return this.#calls.size;
  }
  /** Nothing new is begun: the gateway ends, or is to be empty. */
  get draining(): boolean {
    return this.#draining || this.paused;
  }
  get full(): boolean {
    return this.#calls.size >= this.capacity;
  }
  list(): readonly LiveCall[] {
    return [...this.#calls.values()];
  }
  countOf(accountId: string): number {
    let count = 0;
    for (const call of this.#calls.values()) if (call.accountId === accountId) count += 1;
    return count;
  }

  add(call: LiveCall): void {
    this.#calls.set(call.id, call);
    this.onChange(this.#calls.size);
  }

  remove(id: string): void {
    if (!this.#calls.delete(id)) return;
    if (this.#calls.size === 0) for (const done of this.#emptied.splice(0)) done();
    this.onChange(this.#calls.size);
  }

  /** No new calls from now on; resolves when the last one ended, or after `limitMs` with every other one closed. */
  async drain(limitMs: number, end: CallEnd): Promise<void> {
    this.#draining = true;
    if (this.#calls.size > 0) {
      const empty = new AbortController();
      this.#emptied.push(() => empty.abort());
      await delay(this.clock, limitMs, empty.signal);
    }
    await Promise.allSettled(this.list().map((call) => call.close(end)));
  }
}
