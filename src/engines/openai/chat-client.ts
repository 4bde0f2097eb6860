import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { sentence } from '../../core/notice.ts';
import type { TellUse, UsedUnit } from '../../core/service-use.ts';
import type { Outbound } from '../privacy/outbound.ts';
import {
  arrayOf,
  ChatChunks,
  type ChatEvent,
  type ChatUsage,
  errorCode,
  objectOf,
  parseObject,
} from './chat-chunks.ts';
import { ChatFailure, failureOf } from './chat-failure.ts';
import { asFailure, bodyOf, readText } from './response-body.ts';
import { SseLines } from './sse-lines.ts';
import { TimeLimit } from './time-limit.ts';

/** A call of a function that the model asked for, as it goes back to it with its result. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Outbound; // JSON
}
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: Outbound }
  | { readonly role: 'assistant'; readonly content: Outbound; readonly toolCalls?: readonly ChatToolCall[] }
  /** What came of a call; one for each, after the message that asked for them. */
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: Outbound };
/** A function the model may ask for; `parameters` is JSON Schema. Written by the program. */
export interface ChatTool {
  readonly name: string;
  readonly description: Outbound;
  readonly parameters: Readonly<Record<string, unknown>>;
}
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly tools?: readonly ChatTool[];
  /** The answer is to be one JSON object. */
  readonly json?: boolean;
  /** Longest wait for the whole answer, where it is less than the client's own. */
  readonly totalMs?: number;
  /** Told what the server was sent for it and wrote, beside the client's own. */
  readonly used?: TellUse;
}

export interface ChatServer {
  readonly baseUrl: string; // http://127.0.0.1:11434/v1
  readonly apiKey?: string;
  readonly model: string;
}
export interface ChatLimits {
  readonly firstTokenMs: number; // request sent to first text or tool call
  readonly totalMs: number;
  readonly maxBytes: number; // of one answer
  readonly maxLineChars: number;
  readonly maxMalformed: number; // lines of one answer that are no JSON
}
export const CHAT_LIMITS: ChatLimits = {
  firstTokenMs: 3_000,
  totalMs: 30_000,
  maxBytes: 1_048_576,
  maxLineChars: 65_536,
  maxMalformed: 20,
};

export interface ChatClientDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: Partial<ChatLimits>;
  /** Told of each request that the server took. */
  readonly used?: TellUse;
}

/** What is told of the use of chat models: beside ears and a voice of the same service, which charges for them otherwise. */
const USED_AS = 'openai-chat';
const ERROR_BODY_BYTES = 8_192;
const MODELS_BYTES = 4_194_304;

/**
 * Streamed chat completions of a server that speaks OpenAI's API (vLLM, Ollama, llama.cpp and others). One request a
 * call, no retries: who comes next is the failover's business. Keys and texts are in no error and no log line.
 */
export class ChatClient {
  readonly limits: ChatLimits;
  /** Lines that were no JSON, and were passed over. */
  readonly counters = { malformed: 0 };
  readonly #base: string;
  /** Whether the server takes the wish to be told of tokens; unknown before its first answer. */
  #tellsTokens: boolean | undefined;
  #busyUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    readonly server: ChatServer,
    readonly deps: ChatClientDeps,
  ) {
    this.limits = { ...CHAT_LIMITS, ...deps.limits };
    this.#base = server.baseUrl.replace(/\/+$/, '');
  }

  /** How long the server still asks to be left alone (`Retry-After`), 0 when it does not. */
  get busyForMs(): number {
    return Math.max(0, this.#busyUntilMs - this.deps.clock.nowMs());
  }

  /** Whether it may be asked now. */
  available(): { readonly ok: true } | { readonly ok: false; readonly why: string } {
    const { busyForMs } = this;
    if (busyForMs === 0) return { ok: true };
    return { ok: false, why: sentence('engine.chat-left-alone', { seconds: Math.ceil(busyForMs / 1000) }) };
  }

  /**
   * The answer as it is written. Ends with one `end` event.
   *
   * @throws ChatFailure. Aborting `signal` ends it at once, without an error.
   */
  async *chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    if (signal.aborted) return;
    if (this.busyForMs > 0) throw new ChatFailure('busy', 'it asked to be left alone', this.busyForMs);
    const limit = new TimeLimit(this.deps.clock, signal);
    limit.start('total-timeout', Math.min(request.totalMs ?? Infinity, this.limits.totalMs));
    limit.start('first-token-timeout', this.limits.firstTokenMs);
    const use = new AnswerUse([this.deps.used, request.used]);
    try {
      const response = await this.#ask(request, limit.signal);
      use.begin();
      for await (const event of this.#events(response, limit.signal)) {
        if (event.type === 'text' || event.type === 'tool') limit.stop('first-token-timeout');
        if (event.type === 'usage') use.told(event);
        yield event;
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      throw limit.expired ? new ChatFailure(limit.expired, 'no answer in time') : asFailure(error);
    } finally {
      use.end();
      limit.close();
    }
  }

  /** Names of the models the server has. @throws ChatFailure, also when aborted. */
  async models(timeoutMs: number, signal: AbortSignal): Promise<readonly string[]> {
    const limit = new TimeLimit(this.deps.clock, signal);
    limit.start('total-timeout', timeoutMs);
    try {
      const response = await this.#send('/models', limit.signal);
      const body = parseObject(await readText(response, MODELS_BYTES, limit.signal));
      if (!body) throw new ChatFailure('garbage', 'the list of models is no JSON');
      const ids = arrayOf(body['data']).map((model) => objectOf(model)?.['id']);
      return ids.filter((id) => typeof id === 'string');
    } catch (error) {
      throw limit.expired ? new ChatFailure(limit.expired, 'no answer in time') : asFailure(error);
    } finally {
      limit.close();
    }
  }

  /** A server that refuses the wish for a count of tokens is asked without it, then and from then on. */
  async #ask(request: ChatRequest, signal: AbortSignal): Promise<Response> {
    const isWished = this.#tellsTokens ?? true;
    try {
      const response = await this.#send('/chat/completions', signal, this.#body(request, isWished));
      this.#tellsTokens = isWished;
      return response;
    } catch (error) {
      // Servers word it in many ways, and not all of them name what they refuse.
      const mayBeThat = this.#tellsTokens === undefined && error instanceof ChatFailure && error.kind === 'refused';
      if (!mayBeThat) throw error;
      const response = await this.#send('/chat/completions', signal, this.#body(request, false));
      this.#tellsTokens = false;
      return response;
    }
  }

  #body({ messages, maxTokens, temperature, tools = [], json = false }: ChatRequest, tellsTokens: boolean): string {
    return JSON.stringify({
      model: this.server.model,
      messages: messages.map(written),
      stream: true,
      ...(tellsTokens && { stream_options: { include_usage: true } }),
      max_tokens: maxTokens,
      temperature,
      ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
      ...(json && { response_format: { type: 'json_object' } }),
    });
  }

  async #send(path: string, signal: AbortSignal, body?: string): Promise<Response> {
    const { apiKey } = this.server;
    const response = await fetch(`${this.#base}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: body === undefined ? 'application/json' : 'text/event-stream, application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      ...(body !== undefined && { body }),
      redirect: 'error', // It would carry texts and key to somebody else.
      signal,
    });
    if (response.ok) return response;
    const code = errorCode(parseObject(await readText(response, ERROR_BODY_BYTES, signal).catch(() => '')));
    const { clock } = this.deps;
    const failure = failureOf(response.status, code, response.headers.get('retry-after'), clock.utc());
    if (failure.retryAfterMs !== undefined) this.#busyUntilMs = clock.nowMs() + failure.retryAfterMs;
    throw failure;
  }

  async *#events(response: Response, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const chunks = new ChatChunks();
    let malformed = 0;
    let answered = false;
    try {
      for await (const payload of this.#payloads(response, signal)) {
        const events = chunks.read(payload);
        if ('type' in events) {
          if (events.type === 'error') throw new ChatFailure('broken', events.code);
          malformed += 1;
          if (malformed > this.limits.maxMalformed) throw new ChatFailure('garbage', 'too many lines are no JSON');
          continue;
        }
        answered ||= events.some((event) => event.type === 'text');
        yield* events;
        if (chunks.done) break;
      }
      signal.throwIfAborted();
      const last = chunks.finish();
      if (!answered && last.length === 1) throw new ChatFailure('broken', 'an answer without words');
      // A stream that merely ends may have lost any part of the answer; one body of JSON is whole or no JSON.
      if (!chunks.whole && !isJson(response)) throw new ChatFailure('cut', 'the stream ended without its end');
      yield* last;
    } finally {
      this.counters.malformed += malformed;
      if (malformed > 0) this.deps.logger.warn({ malformed }, 'chat server sent lines that are no JSON');
    }
  }

  /** JSON payloads: of an event stream, or the one body of a server that does not stream. */
  async *#payloads(response: Response, signal: AbortSignal): AsyncGenerator<string> {
    if (isJson(response)) {
      yield await readText(response, this.limits.maxBytes, signal);
      return;
    }
    const lines = new SseLines(this.limits.maxLineChars);
    const checked = (payloads: ReturnType<SseLines['push']>): string[] => {
      if (payloads === 'line-too-long') throw new ChatFailure('too-large', 'a line without an end');
      return payloads;
    };
    for await (const chunk of bodyOf(response, this.limits.maxBytes, signal)) yield* checked(lines.push(chunk));
    yield* checked(lines.end());
  }
}

/** What one answer took of the server, told once: some servers tell of it with every piece. */
class AnswerUse {
  #tokens: ChatUsage | undefined;
  #isBegun = false;
  constructor(private readonly listeners: readonly (TellUse | undefined)[]) {}

  begin(): void {
    this.#isBegun = true;
    this.#tell('requests', 1);
  }

  told(tokens: ChatUsage): void {
    this.#tokens = tokens;
  }

  /** An answer that broke off, or was left, has cost what nobody tells. */
  end(): void {
    if (!this.#isBegun) return;
    if (!this.#tokens) return this.#tell('uncounted-requests', 1);
    this.#tell('input-tokens', this.#tokens.promptTokens);
    this.#tell('output-tokens', this.#tokens.completionTokens);
  }

  #tell(unit: UsedUnit, amount: number): void {
    for (const listener of this.listeners) listener?.(USED_AS, unit, amount);
  }
}

/** @see OpenAI API reference, "Create chat completion": messages */
function written(message: ChatMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant' || !message.toolCalls) return { role: message.role, content: message.content };
  const called = message.toolCalls.map(({ id, name, arguments: json }) => ({
    ...{ id, type: 'function' },
    function: { name, arguments: json },
  }));
  return { role: 'assistant', content: message.content, tool_calls: called };
}

function isJson(response: Response): boolean {
  return /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
}
