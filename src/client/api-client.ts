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
  TalkTokenBody,
  Transcript,
  VoiceItem,
  VoiceList,
  VoicesQuery,
} from '../api/schemas.ts';
import { readEvents } from './event-stream.ts';
import { type LiveStart, LiveTranscription, type SocketConstructor } from './live-transcription.ts';
import { ServiceError } from './service-error.ts';
import { type ClientOptions, type Outgoing, type RequestOptions, Transport } from './transport.ts';

export type * from '../api/schemas.ts';
export type * from '../api/socket-schemas.ts';
export type { LiveFrame, LiveTranscription } from './live-transcription.ts';
export { ServiceError } from './service-error.ts';
export type { ClientOptions, RequestOptions } from './transport.ts';
export * from './webhook.ts';

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

const OPEN_MS_MAX = 15_000;

/**
 * The public API, typed by its own schemas. What is not a success throws `ServiceError` with its code. Requests that were
 * refused for now are sent again; those that broke on the way only where they are free or carry an idempotency key.
 */
export class ApiClient {
  readonly #transport: Transport;
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  listAgents(options?: RequestOptions): Promise<AgentList> {
    return this.#get('/v1/agents', options);
  }
  createAgentReply(agentId: string, body: ReplyBody, options?: RequestOptions): Promise<Reply> {
    return this.#post(`/v1/agents/${encodeURIComponent(agentId)}/reply`, body, options);
  }
  redactText(body: RedactBody, options?: RequestOptions): Promise<PrivacyReport> {
    return this.#post('/v1/privacy/redact', body, options);
  }
  checkCoverage(body: CoverageBody, options?: RequestOptions): Promise<CoverageReport> {
    return this.#free('/v1/text/coverage', body, options);
  }
  normalizeText(body: NormalizeBody, options?: RequestOptions): Promise<NormalizedText> {
    return this.#free('/v1/text/normalize', body, options);
  }
  getVoice(id: string, options?: RequestOptions): Promise<VoiceItem> {
    return this.#get(`/v1/voices/${encodeURIComponent(id)}`, options);
  }
  listVoices(query: VoicesQuery = {}, options?: RequestOptions): Promise<VoiceList> {
    const parameters = new URLSearchParams(query as Record<string, string>).toString();
    return this.#get(`/v1/voices${parameters === '' ? '' : `?${parameters}`}`, options);
  }
  listModels(options?: RequestOptions): Promise<ModelList> {
    return this.#get('/v1/models', options);
  }
  createTranscribeToken(options?: RequestOptions): Promise<SocketTokenBody> {
    return this.#free('/v1/transcribe/token', undefined, options);
  }
  createTalkToken(id: string, body: TalkTokenBody = {}, options?: RequestOptions): Promise<SocketTokenBody> {
    return this.#free(`/v1/agents/${encodeURIComponent(id)}/talk/token`, body, options);
  }

  transcribe(request: FileRequest & { readonly language?: string }, options?: RequestOptions): Promise<Transcript> {
    const { language } = request;
    return this.#post('/v1/transcribe', formOf(request, { ...(language && { language }) }), options);
  }
  askDocument(request: FileRequest & { readonly question: string }, options?: RequestOptions): Promise<Answer> {
    return this.#post('/v1/documents/ask', formOf(request, { question: request.question }), options);
  }

  createSpeech(body: SpeechBody, options: RequestOptions = {}): Promise<Speech> {
    return this.#transport.request({ method: 'POST', path: '/v1/speech', body }, options, async (response) => {
      const { headers } = response;
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        contentType: headers.get('content-type') ?? '',
        costCents: Number(headers.get('x-service-cost-cents')),
        durationMs: Number(headers.get('x-service-duration-ms')),
        headers,
      };
    });
  }

  /** Audio as it is produced. Stopping early stops the synthesis; the text is paid for. */
  streamSpeech(body: SpeechStreamBody, options: RequestOptions = {}): AsyncGenerator<Uint8Array> {
    return this.#transport.stream({ method: 'POST', path: '/v1/speech/stream', body }, options);
  }
  /** The same as events: audio in base64, then what was used. */
  streamSpeechEvents(body: SpeechStreamBody, options: RequestOptions = {}): AsyncGenerator<SpeechEvent> {
    const outgoing = { method: 'POST', path: '/v1/speech/stream', body } as const;
    return readEvents(this.#transport.stream(outgoing, { ...options, accept: 'text/event-stream' }));
  }

  /** A live transcription session, opened with a token of its own that is good for one connection. */
  async transcribeLive(start: LiveStart = {}, options: RequestOptions = {}): Promise<LiveTranscription> {
    const { token } = await this.createTranscribeToken(options);
    const url = new URL('/v1/transcribe/ws', this.#transport.options.baseUrl);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.searchParams.set('token', token);
    const Socket = await socketConstructor();
    return LiveTranscription.open(new Socket(url.href), start, options.signal, OPEN_MS_MAX);
  }

  #get<T>(path: string, options?: RequestOptions): Promise<T> {
    return this.#json({ method: 'GET', path, free: true }, options);
  }
  #post<T>(path: string, body: object, options?: RequestOptions): Promise<T> {
    return this.#json({ method: 'POST', path, body }, options);
  }
  #free<T>(path: string, body?: object, options?: RequestOptions): Promise<T> {
    return this.#json({ method: 'POST', path, free: true, ...(body && { body }) }, options);
  }
  #json<T>(outgoing: Outgoing, options: RequestOptions = {}): Promise<T> {
    return this.#transport.request(outgoing, options, async (response) => (await readJson(response)) as T);
  }
}

function readJson(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ServiceError({ code: 'unreadable', message: 'The answer is not JSON.', status: response.status });
  });
}

/** That of the platform, else of the package `ws`. */
async function socketConstructor(): Promise<SocketConstructor> {
  const { WebSocket: own } = globalThis as { WebSocket?: SocketConstructor };
  return own ?? ((await import('ws')).WebSocket as unknown as SocketConstructor);
}

function formOf({ file, filename }: FileRequest, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file, filename ?? 'file');
  return form;
}
