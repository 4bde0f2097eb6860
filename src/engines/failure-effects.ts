import type { BreakerOutcome } from './circuit-breaker.ts';
import { ChatFailure, type ChatFailureKind } from './openai/chat-failure.ts';

/** A key that was refused, or an account without credit, is not tried again by every sentence. */
export const REFUSED_KEY_REST_MS = 5 * 60_000;

/**
 * What a failure of a service does to it: `key-refused` has it rest for five minutes, `left-alone` for as long as it asks for (a
 * minute at most), `failure` counts towards a pause. What was aborted, and texts without a word, are none of these.
 */
export const FAILURE_EFFECTS: Readonly<Record<ChatFailureKind, 'failure' | 'key-refused' | 'left-alone'>> = {
  unreachable: 'failure',
  'refused-key': 'key-refused',
  'no-model': 'failure',
  busy: 'left-alone',
  refused: 'failure',
  broken: 'failure',
  'first-token-timeout': 'failure',
  'total-timeout': 'failure',
  cut: 'failure',
  'too-large': 'failure',
  garbage: 'failure',
};

/** Of a failure that a service has told, also one that was made a public error since; undefined for any other. */
export function effectOf(error: unknown): BreakerOutcome | undefined {
  const failure = error instanceof Error && !(error instanceof ChatFailure) ? error.cause : error;
  if (!(failure instanceof ChatFailure)) return undefined;
  const why = FAILURE_EFFECTS[failure.kind];
  if (why === 'key-refused') return { why, restMs: REFUSED_KEY_REST_MS };
  if (why === 'left-alone' && failure.retryAfterMs !== undefined) return { why, restMs: failure.retryAfterMs };
  return 'failure';
}
