import type { Clock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import { errorCode, parseObject } from '../openai/chat-chunks.ts';
import { asServiceError, failureOf } from '../openai/chat-failure.ts';
import { asFailure, readText } from '../openai/response-body.ts';
import { TimeLimit } from '../openai/time-limit.ts';
import type { ServerSettings } from './provider.ts';
import { isWatched, newLine, tellWire } from './wire.ts';

const ERROR_BODY_BYTES = 8_192;
const WARM_UP_MS = 3_000;
/** A body that is read to its end leaves the connection to the next request. */
const WARM_UP_BYTES = 4_194_304;

/** How a service takes its key, and where it says what went wrong, in a word. */
export interface HttpDialect {
  readonly key: (apiKey: string) => Readonly<Record<string, string>>;
  readonly errorCode: (body: ReturnType<typeof parseObject>) => string;
}

const OPENAI_DIALECT: HttpDialect = { key: (apiKey) => ({ authorization: `Bearer ${apiKey}` }), errorCode };

/**
 * One HTTP service behind an engine: the address and the key. One request a call; key and texts are in no error, no log line and
 * no address. Whether it wants to be left alone is told by what is thrown, and heeded by the engine's guard.
 */
export class HttpService {
  readonly #base: string;
  readonly #apiKey: string | undefined;
  #warming = false;

  constructor(
    { baseUrl, apiKey }: ServerSettings,
    readonly clock: Clock,
    private readonly dialect = OPENAI_DIALECT,
  ) {
    this.#base = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
  }

  /**
   * The answer to a request, once its head is there.
   *
   * @throws ChatFailure for every other status than 2xx, and when there is no answer; whatever `signal` was aborted with.
   */
  post(path: string, body: string | FormData, signal: AbortSignal): Promise<Response> {
    return this.#ask(path, { method: 'POST', body, signal }, typeof body === 'string');
  }

  /** The same without a body. */
  get(path: string, signal: AbortSignal): Promise<Response> {
    return this.#ask(path, { method: 'GET', signal }, false);
  }

  async #ask(path: string, init: RequestInit & { signal: AbortSignal }, isJson: boolean): Promise<Response> {
    const response = await this.#fetch(path, init, isJson);
    if (response.ok) return response;
    const told = await readText(response, ERROR_BODY_BYTES, init.signal).catch(() => '');
    const code = this.dialect.errorCode(parseObject(told));
    throw failureOf(response.status, code, response.headers.get('retry-after'), this.clock.utc());
  }

  /** Makes a connection that the next request can use; one at a time. What comes of it does not matter. */
  warmUp(path: string): void {
    if (this.#warming) return;
    this.#warming = true;
    const limit = new TimeLimit<'late'>(this.clock, new AbortController().signal);
    limit.start('late', WARM_UP_MS);
    void this.#fetch(path, { method: 'GET', signal: limit.signal }, false)
      .then((response) => readText(response, WARM_UP_BYTES, limit.signal))
      .catch(() => {})
      .finally(() => {
        this.#warming = false;
        limit.close();
      });
  }

  async #fetch(path: string, init: RequestInit, isJson: boolean): Promise<Response> {
    const line = newLine();
    const about = `${init.method} ${this.#base}${path}`;
    tellWire(() => ({ line, direction: 'sent', kind: 'request', about, ...shownBody(init.body) }));
    try {
      const form = init.body instanceof FormData ? await encoded(init.body) : undefined;
      const response = await fetch(`${this.#base}${path}`, {
        ...init,
        ...(form && { body: form.body }),
        headers: {
          ...(isJson && { 'content-type': 'application/json' }),
          ...(form && { 'content-type': form.type }),
          ...(this.#apiKey !== undefined && this.dialect.key(this.#apiKey)),
        },
        redirect: 'error', // It would carry audio, texts and key to somebody else.
      });
      return isWatched() ? watched(response, line) : response;
    } catch (error) {
      throw asFailure(error);
    }
  }
}

/**
 * A form as the bytes that it is on the wire. `fetch` would read it piece by piece beside the request, and go on when that is over
 * before its end, because it was answered early or given up: a rejection that nobody can handle (undici of Node 24).
 */
async function encoded(form: FormData): Promise<{ readonly type: string; readonly body: ArrayBuffer }> {
  const whole = new Response(form);
  return { type: whole.headers.get('content-type') ?? '', body: await whole.arrayBuffer() };
}

/** A form by its fields: a file by its name and length. */
function shownBody(body: RequestInit['body']): { readonly data?: string } {
  if (typeof body === 'string') return { data: body };
  if (!(body instanceof FormData)) return {};
  const fields = [...body].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : `${value.name}, ${value.size} bytes`,
  ]);
  return { data: JSON.stringify(Object.fromEntries(fields)) };
}

/** The same answer, of which each piece is told as it is read: text where the service says so. */
function watched(response: Response, line: number): Response {
  const { status, headers } = response;
  tellWire(() => ({ line, direction: 'received', kind: 'response', about: String(status) }));
  const isText = /json|text|event-stream/.test(headers.get('content-type') ?? '');
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform: (data, out) => {
      const told = isText ? Buffer.from(data).toString('utf8') : data;
      tellWire(() => ({ line, direction: 'received', kind: 'message', data: told }));
      out.enqueue(data);
    },
  });
  return new Response(response.body?.pipeThrough(tap) ?? null, { status, headers });
}

/** For the public catalogue: what may go again by another try is `unavailable`, all else the failure of the capability. */
export function publicError(error: unknown, code: 'transcription_failed' | 'synthesis_failed'): ServiceError {
  const known = asServiceError(error);
  return known instanceof ServiceError ? known : new ServiceError(code, '', { cause: error });
}
