import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorText, ServiceError } from '../core/errors.ts';
import type { Notice } from '../core/notice.ts';
import { isShortage } from '../core/shortage.ts';
import { shown } from './characters.ts';
import { invalidField } from './invalid-field.ts';

/** The body of every error answer: exactly this, everything else goes into headers. `notice` is of the management API. */
export interface ErrorEnvelope {
  readonly error: { readonly code: string; readonly message: string; readonly notice?: Notice };
}

/** A failure that a client sees, of this catalogue or of that of the management API. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Of the management API alone: what the detail says. */
  readonly notice?: Notice | null;
}

export function envelope({ code, message, notice }: Refusal): ErrorEnvelope {
  return { error: { code, message, ...(notice && { notice }) } };
}

/** Something that this installation does not have. The client reads the contract's sentence, and in a header what to set. */
export class NotConfigured extends ServiceError {
  constructor(readonly reason: string) {
    super('unavailable', '', { cause: new Error(reason) });
  }
}

/** Headers that belong to an error code, whatever route it comes from. */
const ERROR_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  unauthorized: { 'www-authenticate': 'Bearer' },
  unavailable: { 'retry-after': '2' },
  idempotency_in_progress: { 'retry-after': '1' },
};
/** An unread body above this is not waited for: the connection ends with the answer. */
const UNREAD_BODY_BYTES_MAX = 65_536;

export function sendError(request: FastifyRequest, reply: FastifyReply, error: Refusal): FastifyReply {
  if (hasLongUnreadBody(request)) reply.header('connection', 'close');
  if (error instanceof NotConfigured) reply.header('x-service-reason', headerText(error.reason));
  return reply
    .code(error.status)
    .headers(ERROR_HEADERS[error.code] ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(envelope(error)));
}

function hasLongUnreadBody(request: FastifyRequest): boolean {
  if (request.raw.complete) return false;
  const length = request.headers['content-length'];
  return length === undefined ? 'transfer-encoding' in request.headers : Number(length) > UNREAD_BODY_BYTES_MAX;
}

const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 300);

/** Fastify's own failures in the words of the catalogue. */
function translate(error: FastifyError, request: FastifyRequest): ServiceError {
  // Whatever the part that met it made of it: there is nothing wrong with the request or with what serves it.
  if (isShortage(error)) return new ServiceError('unavailable', '', { cause: error });
  if (error instanceof ServiceError) return error;
  const isUpload = request.routeOptions?.config?.isUpload === true;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError(isUpload ? 'file_too_large' : 'request_too_large');
    case 'FST_REQ_FILE_TOO_LARGE':
      return new ServiceError('file_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('unsupported_media_type', shown(request.headers['content-type'] ?? '(none)'));
    case 'FST_ERR_VALIDATION':
      return invalidField(error, request.body);
    case 'FST_ERR_BAD_URL':
      return new ServiceError('invalid_request', 'the path is not valid percent-encoded UTF-8');
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ServiceError('invalid_request', 'the request could not be read', { cause: error });
  }
  return new ServiceError('internal_error', '', { cause: error });
}

/** Answers a failure, and logs it when the fault is ours and somebody still waits for the answer. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = translate(error, request);
  const fields = { code: known.code, error: errorText(known.cause ?? error) };
  if (known instanceof NotConfigured) request.log.warn(fields, 'request for what is not configured');
  else if (reply.raw.destroyed) return sendError(request, reply, known);
  else if (known.code === 'unavailable') {
    // Shed on purpose, which is no fault; what it was of tells what the load is.
    const operation = `${request.method} ${request.routeOptions?.url ?? ''}`;
    request.log.warn({ ...fields, operation }, 'request shed');
  } else if (known.status >= 500) {
    request.log.error({ ...fields, stack: error.stack }, 'request failed');
  }
  return sendError(request, reply, known);
}

/** Makes every failure of `app` an envelope: thrown errors, unknown routes, known routes with another method. */
export function useErrorEnvelope(app: FastifyInstance): void {
  const routes: { readonly path: RegExp; readonly method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const path = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);
    for (const one of [method].flat()) routes.push({ path, method: one });
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const allowed = routes.filter((route) => route.path.test(path)).map((route) => route.method);
    if (allowed.length === 0) return sendError(request, reply, new ServiceError('not_found'));
    reply.header('allow', [...new Set(allowed)].sort().join(', '));
    return sendError(request, reply, new ServiceError('method_not_allowed'));
  });
}
