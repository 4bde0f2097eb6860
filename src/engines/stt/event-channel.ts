import type { SttEvent } from './contract.ts';

/** Events waiting for a reader that does not come: the oldest interim goes first, finals are kept. */
const EVENTS_MAX = 256;

type Waiter = { resolve(result: IteratorResult<SttEvent>): void; reject(error: Error): void };

/**
 * What a recogniser says, as an async iterator for one reader. After `finish` or `fail` what was pushed before is still
 * read; after `abort` nothing is.
 */
export class EventChannel implements AsyncIterable<SttEvent> {
  #events: SttEvent[] = [];
  #waiter: Waiter | undefined;
  #done = false;
  #error: Error | undefined;
  /** Events thrown away because nobody read. */
  dropped = 0;

  get done(): boolean {
    return this.#done;
  }

  push(event: SttEvent): void {
    if (this.#done) return;
    if (this.#waiter) {
      this.#take()?.resolve({ value: event, done: false });
      return;
    }
    if (event.type === 'interim') this.#events = this.#events.filter((e) => e.type !== 'interim'); // only the newest counts
    this.#events.push(event);
    if (this.#events.length > EVENTS_MAX) {
      this.#events.shift();
      this.dropped += 1;
    }
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
    if (event) return Promise.resolve({ value: event, done: false });
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

  #take(): Waiter | undefined {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    return waiter;
  }
}
