import type { ErrorBody } from '../api/schemas.ts';
import type { SocketErrorCode } from '../api/socket-schemas.ts';

/** What went wrong before there was an answer: no connection, no answer in time, or one that is not ours. */
export type ClientErrorCode = 'unreachable' | 'untrusted_certificate' | 'client_timeout' | 'unreadable';
export type ServiceErrorCode = ErrorBody['error']['code'] | SocketErrorCode | ClientErrorCode;

interface ErrorFacts {
  readonly code: ServiceErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly headers?: Headers;
  readonly cause?: unknown;
}

/** Everything that is not a success. `code` is stable; `message` is for people. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  /** HTTP status; 0 where there was none. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** What an operator has to set, when the service says so. */
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, status = 0, headers, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = status;
    this.requestId = headers?.get('x-request-id') ?? undefined;
    this.reason = headers?.get('x-service-reason') ?? undefined;
    const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }

  /** The error that a response with a status other than 2xx stands for. */
  static async of(response: Response): Promise<ServiceError> {
    const { status, headers } = response;
    const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | null | undefined;
    const code = body?.error?.code ?? 'unreadable';
    return new ServiceError({
      code,
      message: body?.error?.message ?? `The service answered ${status}.`,
      status,
      headers,
    });
  }
}
