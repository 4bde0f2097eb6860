import { ERRORS, type ErrorCode } from './errors.ts';

/** What ends a talk socket, by `error.code`, with the close code that follows. Every error frame is the last one. */
export const TALK_ERRORS = {
  unauthorized: 4401,
  insufficient_credit: 4402,
  unknown_agent: 4404,
  agent_not_live: 4409,
  invalid_frame: 4400,
  not_started: 4409,
  already_started: 4409,
  invalid_sample_rate: 4400,
  frame_too_large: 1009,
  start_timeout: 4408,
  too_many_sessions: 4429,
  rate_limited: 4429,
  unavailable: 4503,
  internal_error: 1011,
  shutting_down: 1012,
} as const;
export type TalkErrorCode = keyof typeof TALK_ERRORS;

/** Messages of the codes that only sockets have; the others have the words of the HTTP API. */
const MESSAGES: { readonly [C in Exclude<TalkErrorCode, ErrorCode>]: string } = {
  invalid_frame: 'A text frame must be a JSON object with a type and fields as documented.',
  not_started: 'Audio arrived before the start frame.',
  already_started: 'The call was started already.',
  invalid_sample_rate: 'The sample rate must be 8000 or 16000.',
  frame_too_large: 'Frame is too large.',
  start_timeout: 'No start frame arrived in time.',
  too_many_sessions: 'Every line is in use. Retry shortly.',
  shutting_down: 'The service is restarting. Reconnect shortly.',
};

/** The sentence of a code, with `detail` filled in where it has room for one. */
export function talkErrorMessage(code: TalkErrorCode, detail = ''): string {
  const message = code in MESSAGES ? MESSAGES[code as keyof typeof MESSAGES] : ERRORS[code as ErrorCode].message;
  return message.replace('<detail>', () => detail);
}
