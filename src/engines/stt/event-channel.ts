import { ServiceError } from '../../core/errors.ts';
import type { SttEvent } from './contract.ts';

/** Finals that wait for a reader. Beyond it nobody reads: the channel fails, since a lost final would go unnoticed. */
const FINALS_MAX = 256;

type Waiter = { resolve(result: IteratorResult<SttEvent>): void; reject(error: Error): void };

/**
 * What a recogniser says, as an async iterator for one reader. After `finish` or `fail` what was pushed before is still
 * read; after `abort` nothing is. A reader that is behind misses interims, of which only the newest is kept, never a final.
 */
export class EventChannel implements AsyncIterable<SttEvent> {
  #events: SttEvent[] = [];
  #finals = 0; // of #events
  #waiter: Waiter | undefined;
  #done = false;
  #error: Error | undefined;
  /** Interims that nobody read before a newer one came. */
  skippedInterims = 0;

  get done(): boolean {
    return this.#done;
  }

  /** @returns false when the event was not taken: the channel is done, or too many finals wait and it failed now. */
  push(event: SttEvent): boolean {
    if (this.#done) return false;
    if (this.#waiter) {
      this.#take()?.resolve({ value: event, done: false });
      return true;
    }
    if (event.type === 'interim') this.#skipWaitingInterim();
    else if (this.#finals >= FINALS_MAX) {
      this.fail(new ServiceError('unavailable', '', { cause: new Error('nobody reads what was recognised') }));
      return false;
    } else this.#finals += 1;
    this.#events.push(event);
    return true;
  }

  finish(): void {
    if (this.#done) return;
    this.#done = true;
    this.#take()?.resolve({ value: undefined, done: true });
  }

  fail(error: Error): void {
    if (this.#done) return;
    this.#done = true;
    const waiter = this.#take();
    if (waiter) waiter.reject(error);
    else this.#error = error;
  }

  abort(): void {
    this.#events = [];
    this.#finals = 0;
    this.#error = undefined;
    this.finish();
  }

  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return {
      next: () => this.#next(),
      return: () => {
        this.abort();
        return Promise.resolve({ value: undefined, done: true });
      },
    };
  }

  #next(): Promise<IteratorResult<SttEvent>> {
    const event = this.#events.shift();
    if (event) {
      if (event.type === 'final') this.#finals -= 1;
      return Promise.resolve({ value: event, done: false });
    }
    if (this.#error) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    if (this.#done) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  /** At most one interim waits at any time. */
  #skipWaitingInterim(): void {
    const at = this.#events.findIndex((event) => event.type === 'interim');
    if (at < 0) return;
    this.#events.splice(at, 1);
    this.skippedInterims += 1;
  }

  #take(): Waiter | undefined {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    return waiter;
  }
}
