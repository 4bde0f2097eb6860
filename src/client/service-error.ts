import type { ErrorBody } from '../api/schemas.ts';

/** An answer that was not 2xx. `code` is stable; `message` is for people. */
export class ApiError extends Error {
  readonly code: string;
  readonly requestId: string | undefined;
  /** What an operator has to set, when the service says so. */
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly status: number,
    body: Partial<ErrorBody> | undefined,
    headers: Headers,
  ) {
    super(body?.error?.message ?? `The service answered ${status}.`);
    this.name = 'ApiError';
    this.code = body?.error?.code ?? 'unreadable';
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.reason = headers.get('x-service-reason') ?? undefined;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }

  static async of(response: Response): Promise<ApiError> {
    const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
    return new ApiError(response.status, body, response.headers);
  }
}
