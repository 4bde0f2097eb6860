import type {
  AgentList,
  Answer,
  CoverageBody,
  CoverageReport,
  ModelList,
  NormalizeBody,
  NormalizedText,
  PrivacyReport,
  RedactBody,
  Reply,
  ReplyBody,
  SocketTokenBody,
  SpeechBody,
  SpeechEvent,
  SpeechStreamBody,
  Transcript,
  VoiceItem,
  VoiceList,
  VoicesQuery,
} from '../api/schemas.ts';
import { readEvents } from './event-stream.ts';
import { ApiError } from './service-error.ts';

export interface ClientOptions {
  readonly baseUrl: string; // http://127.0.0.1:8080
  readonly token: string;
  readonly fetch?: typeof fetch;
  /** How often a request that was refused for now (429, 503) is sent again. Default 2. */
  readonly retries?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Makes a paid request safe to repeat: it is charged once. */
  readonly idempotencyKey?: string;
  /** Wanted media type, where the operation has several. */
  readonly accept?: string;
}

/** Audio and the facts about it. */
export interface Speech {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly costCents: number;
  readonly durationMs: number;
  readonly headers: Headers;
}

export interface FileRequest {
  readonly file: Blob;
  readonly filename?: string;
}

const RETRIED = [429, 503];
const RETRY_SECONDS_MAX = 10;

/** The public API, typed by its own schemas. Everything that is not 2xx throws `ApiError`. */
export class ApiClient {
  readonly #fetch: typeof fetch;
  constructor(private readonly options: ClientOptions) {
    this.#fetch = options.fetch ?? fetch;
  }

  listAgents(options?: RequestOptions): Promise<AgentList> {
    return this.#json('GET', '/v1/agents', undefined, options);
  }
  createAgentReply(agentId: string, body: ReplyBody, options?: RequestOptions): Promise<Reply> {
    return this.#json('POST', `/v1/agents/${encodeURIComponent(agentId)}/reply`, body, options);
  }
  redactText(body: RedactBody, options?: RequestOptions): Promise<PrivacyReport> {
    return this.#json('POST', '/v1/privacy/redact', body, options);
  }
  checkCoverage(body: CoverageBody, options?: RequestOptions): Promise<CoverageReport> {
    return this.#json('POST', '/v1/text/coverage', body, options);
  }
  normalizeText(body: NormalizeBody, options?: RequestOptions): Promise<NormalizedText> {
    return this.#json('POST', '/v1/text/normalize', body, options);
  }
  getVoice(id: string, options?: RequestOptions): Promise<VoiceItem> {
    return this.#json('GET', `/v1/voices/${encodeURIComponent(id)}`, undefined, options);
  }
  listVoices(query: VoicesQuery = {}, options?: RequestOptions): Promise<VoiceList> {
    const parameters = new URLSearchParams(query as Record<string, string>).toString();
    return this.#json('GET', `/v1/voices${parameters === '' ? '' : `?${parameters}`}`, undefined, options);
  }
  listModels(options?: RequestOptions): Promise<ModelList> {
    return this.#json('GET', '/v1/models', undefined, options);
  }
  createTranscribeToken(options?: RequestOptions): Promise<SocketTokenBody> {
    return this.#json('POST', '/v1/transcribe/token', undefined, options);
  }

  transcribe(request: FileRequest & { readonly language?: string }, options?: RequestOptions): Promise<Transcript> {
    const { language } = request;
    return this.#json('POST', '/v1/transcribe', formOf(request, { ...(language && { language }) }), options);
  }
  askDocument(request: FileRequest & { readonly question: string }, options?: RequestOptions): Promise<Answer> {
    return this.#json('POST', '/v1/documents/ask', formOf(request, { question: request.question }), options);
  }

  async createSpeech(body: SpeechBody, options?: RequestOptions): Promise<Speech> {
    const response = await this.#send('POST', '/v1/speech', body, options);
    const { headers } = response;
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      contentType: headers.get('content-type') ?? '',
      costCents: Number(headers.get('x-service-cost-cents')),
      durationMs: Number(headers.get('x-service-duration-ms')),
      headers,
    };
  }

  /** Audio as it is produced. Stopping early stops the synthesis; the text is paid for. */
  async *streamSpeech(body: SpeechStreamBody, options?: RequestOptions): AsyncGenerator<Uint8Array> {
    const response = await this.#send('POST', '/v1/speech/stream', body, options);
    if (response.body) yield* response.body as unknown as AsyncIterable<Uint8Array>;
  }
  async *streamSpeechEvents(body: SpeechStreamBody, options?: RequestOptions): AsyncGenerator<SpeechEvent> {
    const asEvents = { ...options, accept: 'text/event-stream' };
    const response = await this.#send('POST', '/v1/speech/stream', body, asEvents);
    if (response.body) yield* readEvents(response.body as ReadableStream<Uint8Array>);
  }

  async #json<T>(method: string, path: string, body: object | undefined, options?: RequestOptions): Promise<T> {
    const response = await this.#send(method, path, body, options);
    return (await response.json()) as T;
  }

  async #send(method: string, path: string, body: object | undefined, options: RequestOptions = {}): Promise<Response> {
    const isForm = body instanceof FormData;
    const headers: Record<string, string> = { authorization: `Bearer ${this.options.token}` };
    if (body && !isForm) headers['content-type'] = 'application/json';
    if (options.accept) headers['accept'] = options.accept;
    if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey;
    const init: RequestInit = {
      ...{ method, headers },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal }),
    };
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#fetch(new URL(path, this.options.baseUrl), init);
      if (response.ok) return response;
      const error = await ApiError.of(response);
      // Nothing was charged for these; what is not configured will not come by waiting.
      const again = RETRIED.includes(error.status) && error.reason === undefined;
      if (!again || attempt >= (this.options.retries ?? 2)) throw error;
      await pause(Math.min(RETRY_SECONDS_MAX, error.retryAfterSeconds ?? 1) * 1000, options.signal);
    }
  }
}

function formOf({ file, filename }: FileRequest, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file, filename ?? 'file');
  return form;
}

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
