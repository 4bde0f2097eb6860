import type { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';

/**
 * What a synthesiser's program writes, with a limit on every wait; the time the reader takes is not counted.
 * @param limitMs - of the wait that begins. @param stop - ends the writer when it is late.
 * @throws ServiceError `synthesis_failed` when it was late, or what the pipe throws.
 */
export async function* timelyReads(
  pipe: Readable,
  clock: Clock,
  limitMs: () => number,
  stop: () => void,
): AsyncGenerator<Buffer> {
  const reads = pipe[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    let late = false;
    const watchdog = clock.setTimer(limitMs(), () => {
      late = true;
      stop();
      pipe.destroy(); // a grandchild may hold the pipe open
    });
    try {
      const next = await reads.next();
      if (late) throw stoppedWriting();
      if (next.done) return;
      yield next.value;
    } catch (error) {
      throw late ? stoppedWriting() : error;
    } finally {
      clock.clearTimer(watchdog);
    }
  }
}

function stoppedWriting(): ServiceError {
  return new ServiceError('synthesis_failed', '', { cause: new Error('the program stopped writing') });
}
