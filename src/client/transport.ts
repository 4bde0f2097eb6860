import { Patience } from './patience.ts';
import { ServiceError } from './service-error.ts';

export interface ClientOptions {
  readonly baseUrl: string; // http://127.0.0.1:8080
  readonly token: string;
  readonly fetch?: typeof fetch;
  /** How often a request that may be repeated is sent again. Default 2. */
  readonly retries?: number;
  /** Longest wait for an answer, and between two pieces of a stream. Default 120 seconds: the service gives up before. */
  readonly timeoutMs?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Makes a paid request safe to repeat: it is charged once. */
  readonly idempotencyKey?: string;
  /** Wanted media type, where the operation has several. */
  readonly accept?: string;
  /** The headers of a good answer: what was cut, what it cost, the id of the request. */
  readonly onHeaders?: (headers: Headers) => void;
}

export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object; // JSON, or FormData
  /** Doing it twice is as good as doing it once: it costs nothing. */
  readonly free?: boolean;
}

const TIMEOUT_MS = 120_000;
const RETRIES = 2;
const PAUSE_MS_MAX = 10_000;
/** Refused before anything was done or charged. */
const REFUSED_FOR_NOW = [429, 503];
/** Failed on the way: it may have been done. */
const FAILED = [0, 502, 504];

/** Sends requests, and again where that is safe. */
export class Transport {
  readonly #fetch: typeof fetch;
  constructor(readonly options: ClientOptions) {
    this.#fetch = options.fetch ?? fetch;
  }

  /** A good answer, read by `read` within the time limit. @throws ServiceError, or what `signal` was aborted with. */
  async request<T>(outgoing: Outgoing, options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
    return this.#repeated(outgoing, options, async (patience) => {
      const value = await read(await this.#attempt(outgoing, options, patience));
      patience.end();
      return value;
    });
  }

  /** The body of a good answer in pieces as they come. Only the start of it is repeated. */
  async *stream(outgoing: Outgoing, options: RequestOptions): AsyncGenerator<Uint8Array> {
    const { response, patience } = await this.#repeated(outgoing, options, async (patience) => ({
      response: await this.#attempt(outgoing, options, patience),
      patience,
    }));
    const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
    try {
      for (;;) {
        patience.renew();
        const piece = await reader?.read();
        if (!piece || piece.done) return;
        yield piece.value;
      }
    } catch (error) {
      throw patience.meaningOf(error);
    } finally {
      patience.end();
      await reader?.cancel().catch(() => {});
    }
  }

  async #repeated<T>(
    outgoing: Outgoing,
    options: RequestOptions,
    attempt: (patience: Patience) => Promise<T>,
  ): Promise<T> {
    for (let sent = 1; ; sent += 1) {
      const patience = new Patience(this.options.timeoutMs ?? TIMEOUT_MS, options.signal);
      try {
        return await attempt(patience);
      } catch (thrown) {
        patience.end();
        const error = patience.meaningOf(thrown);
        const isLast = sent > (this.options.retries ?? RETRIES);
        if (isLast || !(error instanceof ServiceError) || !mayRepeat(error, outgoing, options)) throw error;
        await pause(pauseMs(error, sent), options.signal);
      }
    }
  }

  async #attempt(outgoing: Outgoing, options: RequestOptions, patience: Patience): Promise<Response> {
    const { method, path, body, headers: more } = outgoing;
    const isForm = body instanceof FormData;
    const { accept, idempotencyKey } = options;
    const headers = {
      authorization: `Bearer ${this.options.token}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
      ...(accept !== undefined && { accept }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...more,
    };
    const response = await this.#fetch(new URL(path, this.options.baseUrl), {
      ...{ method, headers, signal: patience.signal },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw await ServiceError.of(response);
    options.onHeaders?.(response.headers);
    return response;
  }
}

function mayRepeat(error: ServiceError, { free }: Outgoing, { idempotencyKey }: RequestOptions): boolean {
  if (error.code === 'client_timeout') return false;
  // What is not configured will not come by waiting.
  if (REFUSED_FOR_NOW.includes(error.status)) return error.reason === undefined;
  if (error.code === 'idempotency_in_progress') return true;
  return FAILED.includes(error.status) && (free === true || idempotencyKey !== undefined);
}

const pauseMs = ({ retryAfterSeconds }: ServiceError, sent: number): number =>
  Math.min(PAUSE_MS_MAX, retryAfterSeconds === undefined ? 250 * 2 ** sent : retryAfterSeconds * 1000);

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
