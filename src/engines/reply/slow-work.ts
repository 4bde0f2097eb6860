import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work in steps of a few milliseconds, for whoever has something else to do between them. */
export type SlowWork<T> = Generator<void, T>;

export function atOnce<T>(work: SlowWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Everything else of this thread goes on between the steps. */
export async function inTurns<T>(work: SlowWork<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Every so many items a step ends. */
export function* stepping<T>(items: Iterable<T>, each: number, handle: (item: T) => void): SlowWork<void> {
  let left = each;
  for (const item of items) {
    handle(item);
    left -= 1;
    if (left > 0) continue;
    left = each;
    yield;
  }
}
