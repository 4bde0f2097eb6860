import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure, failureOf } from '../../openai/chat-failure.ts';

const TOKENS_MAX = 2_000;
const TOKEN_CHARS_MAX = 100;
/** Where the service tells none. */
const CONFIDENCE = 0.8;
/** Statuses that say no more than that this session is over: too long without audio, too long in all, cannot be gone on with. */
const SESSION_OVER: ReadonlySet<number> = new Set([408, 413, 503]);

/** A piece of a word, or a mark between them: `<fin>` after all that a `finalize` settles. */
export interface Token {
  readonly text: string; // a word begins with a space
  readonly startMs?: number; // in the audio that the service was given
  readonly endMs?: number;
  readonly confidence: number; // 0..1
  readonly settled: boolean; // told once, and will not change
  readonly language?: string; // two letters
}

export const FINALIZED = '<fin>';
const ENDPOINT = '<end>';

/**
 * A message of the service; undefined for what cannot be read.
 *
 * @see Soniox API reference, "WebSocket API" (speech to text): responses, error codes
 */
export function readTokens(message: string, now: Date): readonly Token[] | ChatFailure | undefined {
  const fields = parseObject(message);
  if (!fields) return undefined;
  const status = fields['error_code'];
  if (status !== undefined && status !== null) return failed(status, fields['error_type'], now);
  return arrayOf(fields['tokens'])
    .slice(0, TOKENS_MAX)
    .flatMap((entry) => tokenOf(objectOf(entry) ?? {}) ?? []);
}

/** Of the service's words only the type of the error is taken: its message may hold anything. */
function failed(status: unknown, type: unknown, now: Date): ChatFailure {
  const code = typeof type === 'string' && /^[\w.-]{1,64}$/.test(type) ? type : 'no code';
  if (typeof status !== 'number') return new ChatFailure('broken', `an error without a status, ${code}`);
  if (SESSION_OVER.has(status)) return new ChatFailure('cut', `status ${status}, ${code}`);
  return failureOf(status, code, null, now);
}

function tokenOf(fields: Readonly<Record<string, unknown>>): Token | undefined {
  const { text, is_final: settled, confidence, language } = fields;
  if (typeof text !== 'string' || text === '' || text === ENDPOINT) return undefined;
  const startMs = msOf(fields['start_ms']);
  const endMs = msOf(fields['end_ms']);
  return {
    ...{ text: text.slice(0, TOKEN_CHARS_MAX), settled: settled === true },
    confidence: typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence)) : CONFIDENCE,
    ...(startMs !== undefined && { startMs }),
    ...(endMs !== undefined && { endMs }),
    ...(typeof language === 'string' && /^[a-z]{2}\b/.test(language) && { language: language.slice(0, 2) }),
  };
}

function msOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : undefined;
}
