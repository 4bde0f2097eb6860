import { type Clock, delay } from '../core/clock.ts';
import type { SpeechEvent } from './schemas.ts';

export function eventText(event: SpeechEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A comment: proxies and clients see that the connection lives. */
export const KEEP_ALIVE_TEXT = ': keep-alive\n\n';
const KEEP_ALIVE_MS = 15_000;

/** The values of `iterator`, and `idle` whenever none came for 15 seconds. */
export async function* withIdle<T>(iterator: AsyncIterator<T>, clock: Clock): AsyncGenerator<T | 'idle'> {
  for (;;) {
    const next = iterator.next();
    let result: IteratorResult<T> | 'idle';
    do {
      const stop = new AbortController();
      const idle = delay(clock, KEEP_ALIVE_MS, stop.signal).then(() => 'idle' as const);
      try {
        result = await Promise.race([next, idle]);
      } finally {
        stop.abort();
      }
      if (result === 'idle') yield 'idle';
    } while (result === 'idle');
    if (result.done) return;
    yield result.value;
  }
}
