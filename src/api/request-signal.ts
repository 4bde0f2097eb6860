import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';

/** Why the work for a request should stop: its client left, or its time is over. */
export interface RequestSignal {
  readonly signal: AbortSignal;
  /** Throws what ended the request early, if anything did. */
  check(): void;
  /** Whether the client left before its answer was complete. */
  readonly hasLeft: boolean;
  /** Stops the work without an error. */
  stop(): void;
  /** Ends the watch; idempotent. */
  close(): void;
}

/**
 * Watches a request for at most `limitMs`. A client that leaves stops the work, unless it sent an Idempotency-Key: then it
 * means to come back for the answer.
 */
export function watchRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  clock: Clock,
  limitMs: number,
): RequestSignal {
  const abort = new AbortController();
  let why: ServiceError | undefined;
  let hasLeft = false;
  const stop = (error: ServiceError): void => {
    why ??= error;
    abort.abort(error);
  };
  const timer = clock.setTimer(limitMs, () => stop(new ServiceError('timeout')));
  const onClose = (): void => {
    if (reply.raw.writableFinished) return;
    hasLeft = true;
    stop(new ServiceError('timeout', '', { cause: new Error('the client left') }));
  };
  if (!request.idempotent) reply.raw.once('close', onClose);
  return {
    signal: abort.signal,
    check: () => {
      if (why) throw why;
    },
    get hasLeft() {
      return hasLeft;
    },
    stop: () => abort.abort(),
    close: () => {
      clock.clearTimer(timer);
      reply.raw.removeListener('close', onClose);
    },
  };
}

/**
 * Runs `work` under a time limit and until its client leaves; work that ignores its signal is not waited for.
 *
 * @throws ServiceError `timeout`, or what `work` throws.
 */
export async function withinTime<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  clock: Clock,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const watch = watchRequest(request, reply, clock, limitMs);
  try {
    const aborted = new Promise<never>((_, reject) => {
      watch.signal.addEventListener('abort', () => reject(watch.signal.reason as ServiceError), { once: true });
    });
    const result = await Promise.race([work(watch.signal), aborted]);
    watch.check();
    return result;
  } finally {
    watch.close();
  }
}
