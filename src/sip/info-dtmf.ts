/** One key press from the body of an INFO, or undefined where the body is none. */
export interface InfoDtmf {
  readonly digit: string; // 0-9 * # A-D
  readonly durationMs: number;
}

const DEFAULT_MS = 250; // what `application/dtmf-relay` senders use when they say nothing
const MAX_MS = 8000;
const BODY_CHARACTERS_MAX = 256;
/** Event numbers of RFC 4733 §3.2, which some senders write instead of the key. */
const KEYS = '0123456789*#ABCD';

/** The content types we take; anything else is 415. */
export const INFO_DTMF_TYPES = ['application/dtmf-relay', 'application/dtmf'] as const;

/**
 * Reads a key press: `Signal=5` and `Duration=160` lines (`application/dtmf-relay`), or the bare key
 * (`application/dtmf`); many senders mix the two. Never throws.
 *
 * @param contentType - as in the header, parameters and case as they come.
 * @returns 'other-type' for content that is not DTMF (415), undefined for DTMF that cannot be read (400).
 */
export function parseInfoDtmf(contentType: string, body: string): InfoDtmf | 'other-type' | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!INFO_DTMF_TYPES.some((known) => known === type)) return 'other-type';
  const text = body.slice(0, BODY_CHARACTERS_MAX);
  const signal = /^\s*signal\s*=\s*([^\s]{1,2})\s*$/im.exec(text)?.[1] ?? text.trim();
  const digit = keyOf(signal);
  if (digit === undefined) return undefined;
  const duration = Number(/^\s*duration\s*=\s*([0-9]{1,6})\s*$/im.exec(text)?.[1] ?? DEFAULT_MS);
  return { digit, durationMs: Math.min(Math.max(duration, 1), MAX_MS) };
}

function keyOf(signal: string): string | undefined {
  const upper = signal.toUpperCase();
  if (upper.length === 1) return KEYS.includes(upper) ? upper : undefined;
  return /^1[0-5]$/.test(upper) ? KEYS[Number(upper)] : undefined;
}
