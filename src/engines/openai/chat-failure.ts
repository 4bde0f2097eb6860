import { ServiceError } from '../../core/errors.ts';

/** Why a chat server gave no answer, or no whole one. */
export type ChatFailureKind =
  | 'unreachable' // refused, reset before an answer, name not found, TLS
  | 'refused-key' // 401, 402, 403, or nothing left to pay with
  | 'no-model' // 404: of the model, or a wrong base address
  | 'busy' // 429, 503: it says when to come back, or 1 s is taken
  | 'refused' // any other 4xx: the request is not to its liking
  | 'broken' // any other status, an error in the stream, no answer in it
  | 'first-token-timeout'
  | 'total-timeout'
  | 'cut' // the connection ended in the middle
  | 'too-large'
  | 'garbage';

/** What is over for now and may go again: another engine should serve. */
const PASSING: ReadonlySet<ChatFailureKind> = new Set(['unreachable', 'refused-key', 'no-model', 'busy']);

/** Says what went wrong, in words that hold neither key nor text: they go into logs. */
export class ChatFailure extends Error {
  constructor(
    readonly kind: ChatFailureKind,
    detail: string,
    /** Of `busy`: how long the server asks to be left alone. */
    readonly retryAfterMs?: number,
  ) {
    super(`${kind}: ${detail}`);
    this.name = 'ChatFailure';
  }
}

const RETRY_AFTER_MAX_MS = 60_000;
const RETRY_AFTER_DEFAULT_MS = 1_000;

/** What a status means; `code` is the server's own word for it. */
export function failureOf(status: number, code: string, retryAfter: string | null, now: Date): ChatFailure {
  const detail = `status ${status}, ${code}`;
  if (status === 401 || status === 402 || status === 403 || code === 'insufficient_quota')
    return new ChatFailure('refused-key', detail);
  if (status === 429 || status === 503) return new ChatFailure('busy', detail, retryAfterMs(retryAfter, now));
  if (status === 404) return new ChatFailure('no-model', detail);
  return new ChatFailure(status >= 400 && status < 500 ? 'refused' : 'broken', detail);
}

/** `Retry-After` in seconds or as a date (RFC 9110 §10.2.3), 0..60 s; 1 s where there is none. */
export function retryAfterMs(header: string | null, now: Date): number {
  const text = header?.trim() ?? '';
  const delayMs = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(delayMs) ? RETRY_AFTER_DEFAULT_MS : Math.min(Math.max(delayMs, 0), RETRY_AFTER_MAX_MS);
}

/** The same for the public catalogue: `unavailable` where another try may do, else left to the guard's own code. */
export function asServiceError(error: unknown): unknown {
  return error instanceof ChatFailure && PASSING.has(error.kind)
    ? new ServiceError('unavailable', '', { cause: error })
    : error;
}
