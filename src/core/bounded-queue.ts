/** First in, first out, never longer than `capacity`. What happens when full is the caller's choice, and counted. */
export class BoundedQueue<T> {
  readonly #items: T[] = [];
  #head = 0;
  /** Items refused by `push` or pushed out by `pushEvicting` since construction. */
  dropped = 0;
  constructor(readonly capacity: number) {
    if (!(capacity >= 1)) throw new RangeError('a bounded queue holds at least one item');
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** @returns false when full: the item was not taken, and is counted. */
  push(item: T): boolean {
    if (this.length >= this.capacity) {
      this.dropped += 1;
      return false;
    }
    this.#items.push(item);
    return true;
  }

  /** Always takes the item; when full the oldest one leaves, is counted, and is returned. */
  pushEvicting(item: T): T | undefined {
    let evicted: T | undefined;
    if (this.length >= this.capacity) {
      evicted = this.shift();
      this.dropped += 1;
    }
    this.#items.push(item);
    return evicted;
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined as T;
    this.#head += 1;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items.length = 0;
    this.#head = 0;
  }
}
