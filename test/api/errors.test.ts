import { describe, expect, it } from 'vitest';
import { envelope } from '../../src/api/error-envelope.ts';
import { ERRORS, type ErrorCode, ServiceError } from '../../src/core/errors.ts';

/** The public reference, row by row: code, status, message. `<>` stands for what is filled in. */
const REFERENCE: readonly (readonly [code: string, status: number, message: string])[] = [
  ['unauthorized', 401, 'Invalid or missing API token.'],
  ['insufficient_credit', 402, 'Your credit balance is exhausted. Top up to continue.'],
  ['text_too_long', 400, 'Text exceeds the 5,000 character limit.'],
  ['unknown_voice', 404, 'Unknown voice <>'],
  ['unknown_agent', 404, 'Unknown agent <>'],
  ['agent_not_live', 409, 'Agent <> is not live.'],
  ['unknown_format', 400, 'Unknown format <>'],
  ['unknown_model', 400, 'Unknown model <>'],
  ['unknown_language', 400, 'Unknown language <>'],
  ['empty_text', 400, 'Text is required.'],
  ['empty_file', 400, 'File is required.'],
  ['empty_question', 400, 'Question is required.'],
  ['question_too_long', 400, 'Question exceeds the 2,000 character limit.'],
  ['invalid_request', 400, 'Invalid request: <>.'],
  ['not_found', 404, 'Unknown route.'],
  ['method_not_allowed', 405, 'Method not allowed.'],
  ['idempotency_in_progress', 409, 'A request with this Idempotency-Key is still running.'],
  ['file_too_large', 413, 'File exceeds the 8 MB limit.'],
  ['request_too_large', 413, 'Request body is too large.'],
  ['audio_too_long', 413, 'Audio exceeds the 60 second limit.'],
  ['unsupported_audio', 415, 'Unsupported audio type <>'],
  ['unsupported_document', 415, 'Unsupported document type <>'],
  ['unsupported_media_type', 415, 'Unsupported Content-Type <>'],
  ['invalid_audio', 422, 'The audio could not be decoded.'],
  ['invalid_document', 422, 'The document could not be read.'],
  ['idempotency_mismatch', 422, 'Idempotency-Key was used with a different request.'],
  ['rate_limited', 429, 'Too many requests. Retry shortly.'],
  ['internal_error', 500, 'Something went wrong.'],
  ['synthesis_failed', 502, 'Synthesis failed. Please try again.'],
  ['reply_failed', 502, 'Reply failed. Please try again.'],
  ['transcription_failed', 502, 'Transcription failed. Please try again.'],
  ['check_failed', 502, 'Check failed. Please try again.'],
  ['answer_failed', 502, 'Answer failed. Please try again.'],
  ['unavailable', 503, 'The voice engine is briefly at capacity. Retry shortly.'],
  ['timeout', 504, 'The operation timed out. Please try again.'],
];

describe('the error catalogue', () => {
  it('is the reference, in both directions', () => {
    const ours = Object.entries(ERRORS).map(([code, { status, message }]) => [
      code,
      status,
      message.replace('<detail>', '<>'),
    ]);
    expect(ours.sort()).toEqual([...REFERENCE].sort());
  });

  it.each(REFERENCE)('%s is an envelope and nothing else', (code, status, message) => {
    const error = new ServiceError(code as ErrorCode, 'x', { cause: new Error('secret') });
    expect(error.status).toBe(status);
    expect(envelope(error)).toEqual({ error: { code, message: message.replace('<>', 'x') } });
  });
});
