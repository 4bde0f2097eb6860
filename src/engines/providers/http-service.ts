import type { Clock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import { errorCode, parseObject } from '../openai/chat-chunks.ts';
import { asServiceError, ChatFailure, failureOf } from '../openai/chat-failure.ts';
import { asFailure, readText } from '../openai/response-body.ts';
import { TimeLimit } from '../openai/time-limit.ts';
import type { ServerSettings } from './provider.ts';

const ERROR_BODY_BYTES = 8_192;
/** A key that was refused, or an account without credit, is not tried again by every sentence. */
const REFUSED_KEY_REST_MS = 5 * 60_000;
const WARM_UP_MS = 3_000;
/** A body that is read to its end leaves the connection to the next request. */
const WARM_UP_BYTES = 4_194_304;

/**
 * One HTTP service behind an engine: the address, the key, and whether it wants to be left alone. One request a call; key and
 * texts are in no error, no log line and no address.
 */
export class HttpService {
  readonly #base: string;
  readonly #apiKey: string | undefined;
  #warming = false;
  #rest: { readonly untilMs: number; readonly why: string } | undefined;

  constructor(
    { baseUrl, apiKey }: ServerSettings,
    readonly clock: Clock,
  ) {
    this.#base = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
  }

  /** Whether it may be asked now, and if not why. */
  available(): { readonly ok: true } | { readonly ok: false; readonly why: string } {
    const leftMs = (this.#rest?.untilMs ?? 0) - this.clock.nowMs();
    if (!this.#rest || leftMs <= 0) return { ok: true };
    return { ok: false, why: `${this.#rest.why}: not asked for ${Math.ceil(leftMs / 1000)} s` };
  }

  /**
   * The answer to a request, once its head is there.
   *
   * @throws ChatFailure for every other status than 2xx, and when there is no answer; whatever `signal` was aborted with.
   */
  async post(path: string, body: string | FormData, signal: AbortSignal): Promise<Response> {
    const state = this.available();
    if (!state.ok) throw new ChatFailure('busy', state.why);
    const response = await this.#fetch(path, { method: 'POST', body, signal }, typeof body === 'string');
    if (response.ok) return response;
    const code = errorCode(parseObject(await readText(response, ERROR_BODY_BYTES).catch(() => '')));
    const failure = failureOf(response.status, code, response.headers.get('retry-after'), this.clock.utc());
    this.#restAfter(failure);
    throw failure;
  }

  /** Makes a connection that the next request can use; one at a time. What comes of it does not matter. */
  warmUp(path: string): void {
    if (this.#warming || !this.available().ok) return;
    this.#warming = true;
    const limit = new TimeLimit<'late'>(this.clock, new AbortController().signal);
    limit.start('late', WARM_UP_MS);
    void this.#fetch(path, { method: 'GET', signal: limit.signal }, false)
      .then((response) => readText(response, WARM_UP_BYTES))
      .catch(() => {})
      .finally(() => {
        this.#warming = false;
        limit.close();
      });
  }

  async #fetch(path: string, init: RequestInit, isJson: boolean): Promise<Response> {
    try {
      return await fetch(`${this.#base}${path}`, {
        ...init,
        headers: {
          ...(isJson && { 'content-type': 'application/json' }),
          ...(this.#apiKey !== undefined && { authorization: `Bearer ${this.#apiKey}` }),
        },
        redirect: 'error', // It would carry audio, texts and key to somebody else.
      });
    } catch (error) {
      throw asFailure(error);
    }
  }

  #restAfter(failure: ChatFailure): void {
    if (failure.kind !== 'refused-key' && failure.retryAfterMs === undefined) return;
    const isKey = failure.kind === 'refused-key';
    const restMs = isKey ? REFUSED_KEY_REST_MS : (failure.retryAfterMs ?? 0);
    const why = isKey ? 'the service refused the key or wants to be paid' : 'the service asked to be left alone';
    this.#rest = { untilMs: this.clock.nowMs() + restMs, why };
  }
}

/** For the public catalogue: what may go again by another try is `unavailable`, all else the failure of the capability. */
export function publicError(error: unknown, code: 'transcription_failed' | 'synthesis_failed'): ServiceError {
  const known = asServiceError(error);
  return known instanceof ServiceError ? known : new ServiceError(code, '', { cause: error });
}
