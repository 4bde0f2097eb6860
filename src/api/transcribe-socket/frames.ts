import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { SOCKET_ERRORS } from '../asyncapi.ts';
import { shown } from '../characters.ts';
import { DEFAULT_LANGUAGE, recognisedLanguage } from '../recognised-language.ts';

/** Text frames of the live transcription socket. Parsing takes any text and never throws. */
export type SocketErrorCode = keyof typeof SOCKET_ERRORS;

export const MIN_RATE_HZ = 8_000;
export const MAX_RATE_HZ = 48_000;
const DEFAULT_RATE_HZ = 16_000;

export interface SocketFault {
  readonly code: SocketErrorCode;
  readonly detail?: string; // fills in the message; shown to the client
  readonly reason?: string; // for whoever runs the gateway; goes into the close frame
}

export type ClientFrame =
  | { readonly type: 'start'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly type: 'stop' }
  | { readonly type: 'keepalive' }
  | { readonly type: 'unknown' }; // from a newer client: ignored

/** @returns what the frame asks for; undefined when it is not a JSON object with a `type`. */
export function parseClientFrame(text: string): ClientFrame | undefined {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) return undefined;
  const fields = frame as Readonly<Record<string, unknown>>;
  const type = Object.hasOwn(fields, 'type') ? fields['type'] : undefined;
  if (typeof type !== 'string') return undefined;
  if (type === 'start') return { type, fields };
  return type === 'stop' || type === 'keepalive' ? { type } : { type: 'unknown' };
}

export type AudioEncoding = 'pcm' | 'mulaw';

export interface StartRequest {
  readonly language: string; // ar-SA, en-US, ...
  readonly sampleRateHz: number; // 8000..48000
  readonly encoding: AudioEncoding;
}

/** The fields of a start frame with their defaults, or what is wrong with the first bad one. Nothing is converted. */
export function readStart(fields: Readonly<Record<string, unknown>>): StartRequest | SocketFault {
  const { language: tag = DEFAULT_LANGUAGE, sample_rate: rate = DEFAULT_RATE_HZ, encoding = 'pcm' } = fields;
  const language = typeof tag === 'string' ? recognisedLanguage(tag) : undefined;
  if (language === undefined) return { code: 'unknown_language', detail: shownValue(tag) };
  if (typeof rate !== 'number' || !Number.isInteger(rate) || rate < MIN_RATE_HZ || rate > MAX_RATE_HZ) {
    return { code: 'invalid_sample_rate', detail: shownValue(rate) };
  }
  if (encoding !== 'pcm' && encoding !== 'mulaw') return { code: 'unknown_encoding', detail: shownValue(encoding) };
  return { language, sampleRateHz: rate, encoding };
}

const shownValue = (value: unknown): string => shown(typeof value === 'string' ? value : JSON.stringify(value));

export type ServerFrame =
  | { readonly type: 'authenticated'; readonly session_id: string }
  | {
      readonly type: 'opened';
      readonly session_id: string;
      readonly language: string;
      readonly sample_rate: number;
      readonly encoding: AudioEncoding;
    }
  | { readonly type: 'transcript'; readonly text: string; readonly final: false }
  | FinalFrame
  | { readonly type: 'done'; readonly seconds: number; readonly cost_cents: number }
  | { readonly type: 'error'; readonly error: { readonly code: SocketErrorCode; readonly message: string } };

export interface FinalFrame {
  readonly type: 'transcript';
  readonly text: string;
  readonly final: true;
  readonly confidence: number; // 0..1, 3 decimals
  readonly language?: string; // ar or en, where it was detected
  readonly start: number; // seconds since the first audio, 2 decimals
  readonly end: number;
}

/** A final of the recogniser; `startMs` and `endMs` are positions in the audio received. */
export function finalFrame(final: {
  readonly text: string;
  readonly confidence: number;
  readonly language?: string;
  readonly startMs: number;
  readonly endMs: number;
}): FinalFrame {
  const language = final.language?.split('-', 1)[0]?.toLowerCase();
  return {
    type: 'transcript',
    text: final.text,
    final: true,
    confidence: Math.round(Math.min(1, Math.max(0, final.confidence)) * 1000) / 1000,
    ...(language && { language }),
    start: inSeconds(final.startMs),
    end: inSeconds(final.endMs),
  };
}

/** Seconds with two decimals. */
export const inSeconds = (ms: number): number => Math.round(ms / 10) / 100;

/** Messages of the codes that only the socket has; the others have the words of the HTTP API. */
const MESSAGES: { readonly [C in Exclude<SocketErrorCode, ErrorCode>]: string } = {
  invalid_frame: 'A text frame must be a JSON object with a type.',
  not_started: 'Audio arrived before the start frame.',
  already_started: 'The session was started already.',
  invalid_sample_rate: 'The sample rate must be between 8000 and 48000.',
  unknown_encoding: 'Unknown encoding <detail>',
  frame_too_large: 'Frame exceeds the 128 KiB limit.',
  start_timeout: 'No start frame arrived in time.',
  idle_timeout: 'No audio arrived for too long.',
  session_too_long: 'The session reached its time limit.',
  too_many_sessions: 'Too many live sessions. Close one and retry.',
  shutting_down: 'The service is restarting. Reconnect shortly.',
};

export function errorFrame(fault: SocketFault): ServerFrame {
  const { code, detail = '' } = fault;
  const message = code in MESSAGES ? MESSAGES[code as keyof typeof MESSAGES] : ERRORS[code as ErrorCode].message;
  return { type: 'error', error: { code, message: message.replace('<detail>', () => detail) } };
}

/** A close reason is 123 bytes of UTF-8 at most (RFC 6455 §5.5). */
const CLOSE_REASON_BYTES = 123;

/** Code and reason of the close frame that follows an error frame. */
export function closeOf(fault: SocketFault): { readonly code: number; readonly reason: string } {
  const ascii = (fault.reason ?? fault.code).replace(/[^\x20-\x7e]/g, '?');
  return { code: SOCKET_ERRORS[fault.code], reason: ascii.slice(0, CLOSE_REASON_BYTES) };
}
