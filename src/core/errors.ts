/** One row of the public catalogue: HTTP status and the exact message, `<x>` marking what is filled in. */
interface ErrorRow {
  readonly status: number;
  readonly message: string;
}

/** Every public error code of the HTTP API. A test holds it equal to the reference in both directions. */
export const ERRORS = {
  unauthorized: { status: 401, message: 'Invalid or missing API token.' },
  insufficient_credit: { status: 402, message: 'Your credit balance is exhausted. Top up to continue.' },
  text_too_long: { status: 400, message: 'Text exceeds the 5,000 character limit.' },
  unknown_voice: { status: 404, message: 'Unknown voice <detail>' },
  unknown_agent: { status: 404, message: 'Unknown agent <detail>' },
  agent_not_live: { status: 409, message: 'Agent <detail> is not live.' },
  unknown_format: { status: 400, message: 'Unknown format <detail>' },
  unknown_model: { status: 400, message: 'Unknown model <detail>' },
  unknown_language: { status: 400, message: 'Unknown language <detail>' },
  empty_text: { status: 400, message: 'Text is required.' },
  empty_file: { status: 400, message: 'File is required.' },
  empty_question: { status: 400, message: 'Question is required.' },
  question_too_long: { status: 400, message: 'Question exceeds the 2,000 character limit.' },
  invalid_request: { status: 400, message: 'Invalid request: <detail>.' },
  not_found: { status: 404, message: 'Unknown route.' },
  method_not_allowed: { status: 405, message: 'Method not allowed.' },
  idempotency_in_progress: { status: 409, message: 'A request with this Idempotency-Key is still running.' },
  file_too_large: { status: 413, message: 'File exceeds the 8 MB limit.' },
  request_too_large: { status: 413, message: 'Request body is too large.' },
  audio_too_long: { status: 413, message: 'Audio exceeds the 60 second limit.' },
  unsupported_audio: { status: 415, message: 'Unsupported audio type <detail>' },
  unsupported_document: { status: 415, message: 'Unsupported document type <detail>' },
  unsupported_media_type: { status: 415, message: 'Unsupported Content-Type <detail>' },
  invalid_audio: { status: 422, message: 'The audio could not be decoded.' },
  invalid_document: { status: 422, message: 'The document could not be read.' },
  idempotency_mismatch: { status: 422, message: 'Idempotency-Key was used with a different request.' },
  rate_limited: { status: 429, message: 'Too many requests. Retry shortly.' },
  internal_error: { status: 500, message: 'Something went wrong.' },
  synthesis_failed: { status: 502, message: 'Synthesis failed. Please try again.' },
  reply_failed: { status: 502, message: 'Reply failed. Please try again.' },
  transcription_failed: { status: 502, message: 'Transcription failed. Please try again.' },
  check_failed: { status: 502, message: 'Check failed. Please try again.' },
  answer_failed: { status: 502, message: 'Answer failed. Please try again.' },
  unavailable: { status: 503, message: 'The voice engine is briefly at capacity. Retry shortly.' },
  timeout: { status: 504, message: 'The operation timed out. Please try again.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * A failure that a client of Nidaa may see. `message` is the catalogue's sentence with `detail` filled in, and with `reason`
 * in brackets where one code covers faults that are mended in different ways; anything that only an operator should see goes
 * into `cause`, which is logged and never sent.
 */
export class ServiceError extends Error {
  readonly status: number;
  constructor(
    readonly code: ErrorCode,
    readonly detail = '',
    options?: ErrorOptions & { readonly reason?: string },
  ) {
    const message = ERRORS[code].message.replace('<detail>', detail);
    super(options?.reason ? message.replace(/\.$/, ` (${options.reason}).`) : message, options);
    this.name = 'ServiceError';
    this.status = ERRORS[code].status;
  }
}

/** A mistake of the operator (configuration, missing tool): ends the start with a message that says how to mend it. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/**
 * The text of anything that was thrown, fit for a log. A failed query's own message repeats its parameters, which are
 * callers' numbers and words: its cause says what went wrong without them.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('params' in error && 'query' in error) return error.cause ? errorText(error.cause) : 'query failed';
  return error.message;
}
