import { type Clock, timeoutSignal } from '../../core/clock.ts';
import { ChatFailure } from '../openai/chat-failure.ts';
import { bodyOf, readText } from '../openai/response-body.ts';
import { SseLines } from '../openai/sse-lines.ts';
import {
  answerTo,
  McpFailure,
  type McpResult,
  type McpTool,
  METHOD_NOT_FOUND,
  objectOf,
  PROTOCOL_VERSIONS,
  requestIn,
  resultOf,
  toolsIn,
} from './mcp-messages.ts';

export interface McpServerAddress {
  readonly url: string;
  /** Secrets filled in. */
  readonly headers: Readonly<Record<string, string>>;
}
export interface McpClientDeps {
  readonly clock: Clock;
  readonly version: string; // of this program
}

const SESSION = 'mcp-session-id';
const VERSION = 'mcp-protocol-version';
const MAX_BYTES = 1_048_576; // of one answer
const MAX_LINE_CHARS = 524_288;
const MAX_MESSAGES = 200; // of one event stream before the answer
const MAX_SERVER_REQUESTS = 8; // of one event stream
const MAX_PAGES = 20;
const MAX_TOOLS = 400;
const CALLS_AT_ONCE = 32;
const SESSION_MS = 5_000;
const GOODBYE_MS = 1_000;
const SESSION_CHARS = /^[\x21-\x7e]{1,1024}$/;

interface Session {
  readonly id: string | undefined;
  readonly version: string;
}

/**
 * A client of one MCP server over streamable HTTP. A session is begun with the first request and, where the server has forgotten
 * it, once more. It listens to nothing but the answers to its own requests. Redirects are errors: they would carry headers
 * to somebody else. Every call is bounded in time and size; nothing here throws but McpFailure.
 */
export class McpClient {
  #session: Promise<Session> | undefined;
  #nextId = 1;
  #running = 0;
  readonly #closed = new AbortController();

  constructor(
    private readonly server: McpServerAddress,
    private readonly deps: McpClientDeps,
  ) {}

  /** Every tool, page after page, up to `MAX_TOOLS`. @throws McpFailure */
  async tools(timeoutMs: number): Promise<readonly McpTool[]> {
    return this.#within(timeoutMs, undefined, async (signal) => {
      const found: McpTool[] = [];
      const cursors = new Set<string>();
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES && found.length < MAX_TOOLS; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const { tools, next } = toolsIn(await this.#asked('tools/list', params, true, signal));
        found.push(...tools);
        if (next === undefined || cursors.has(next)) break;
        cursors.add(next);
        cursor = next;
      }
      return found.slice(0, MAX_TOOLS);
    });
  }

  /**
   * Calls a tool.
   *
   * @param isRepeatable - it changes nothing: asked again where the connection broke.
   * @throws McpFailure
   */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    limits: { readonly timeoutMs: number; readonly isRepeatable: boolean },
    signal: AbortSignal,
  ): Promise<McpResult> {
    if (this.#running >= CALLS_AT_ONCE) throw new McpFailure('busy');
    this.#running += 1;
    try {
      return await this.#within(limits.timeoutMs, signal, async (inner) =>
        resultOf(await this.#asked('tools/call', { name, arguments: args }, limits.isRepeatable, inner)),
      );
    } finally {
      this.#running -= 1;
    }
  }

  /** Says goodbye to the session, where there is one and the server takes that; never rejects. */
  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    this.#closed.abort();
    if (session?.id === undefined) return;
    const limit = timeoutSignal(this.deps.clock, GOODBYE_MS);
    const headers = this.#headers(session);
    await fetch(this.server.url, { method: 'DELETE', headers, redirect: 'error', signal: limit.signal }).then(
      (response) => response.body?.cancel(),
      () => {},
    );
    limit.cancel();
  }

  /** One time limit over all requests of `work`; whatever it throws is an McpFailure. */
  async #within<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const limit = timeoutSignal(this.deps.clock, timeoutMs);
    const signals = [limit.signal, this.#closed.signal, ...(signal ? [signal] : [])];
    try {
      return await work(AbortSignal.any(signals));
    } catch (error) {
      if (limit.signal.aborted) throw new McpFailure('timeout');
      if (signal?.aborted || this.#closed.signal.aborted) throw new McpFailure('aborted');
      throw asFailure(error);
    } finally {
      limit.cancel();
    }
  }

  /** The result of one request; begun anew, once, with a new session where the server does not know the old one. */
  async #asked(method: string, params: object, isRepeatable: boolean, signal: AbortSignal): Promise<unknown> {
    const session = this.#sessionNow();
    try {
      return await this.#request(method, params, await unlessAborted(session, signal), signal);
    } catch (error) {
      const { kind } = asFailure(error);
      const isGone = kind === 'session' || (kind === 'network' && isRepeatable);
      if (kind === 'session' || kind === 'network') this.#forget(session);
      if (!isGone || signal.aborted) throw error;
      return this.#request(method, params, await unlessAborted(this.#sessionNow(), signal), signal);
    }
  }

  /** Of all who ask: nobody's hanging up ends it for the others. */
  #sessionNow(): Promise<Session> {
    if (this.#session) return this.#session;
    const session = this.#within(SESSION_MS, undefined, (signal) => this.#initialize(signal));
    session.catch(() => this.#forget(session));
    this.#session = session;
    return session;
  }

  #forget(session: Promise<Session>): void {
    if (this.#session === session) this.#session = undefined;
  }

  /** @see basic/lifecycle, "Initialization" */
  async #initialize(signal: AbortSignal): Promise<Session> {
    const clientInfo = { name: 'nidaa', version: this.deps.version };
    const params = { protocolVersion: PROTOCOL_VERSIONS[0], capabilities: {}, clientInfo };
    let id: string | undefined;
    const result = await this.#request('initialize', params, undefined, signal, (response) => {
      id = response.headers.get(SESSION) ?? undefined;
    });
    const version = objectOf(result)?.['protocolVersion'];
    if (!PROTOCOL_VERSIONS.some((one) => one === version)) throw new McpFailure('version');
    if (id !== undefined && !SESSION_CHARS.test(id)) throw new McpFailure('garbage');
    const session = { id, version: String(version) };
    const response = await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session, signal);
    await response.body?.cancel();
    return session;
  }

  async #request(
    method: string,
    params: object,
    session: Session | undefined,
    signal: AbortSignal,
    onResponse?: (response: Response) => void,
  ): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    const response = await this.#post({ jsonrpc: '2.0', id, method, params }, session, signal);
    onResponse?.(response);
    const answer = isEventStream(response)
      ? await this.#awaited(response, id, session, signal)
      : answerAmong(parsed(await readText(response, MAX_BYTES, signal)), id);
    if (answer instanceof McpFailure) throw answer;
    if (!answer) throw new McpFailure('garbage');
    return answer.result;
  }

  async #post(message: object, session: Session | undefined, signal: AbortSignal): Promise<Response> {
    const response = await fetch(this.server.url, {
      method: 'POST',
      headers: {
        ...this.#headers(session),
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      },
      body: JSON.stringify(message),
      redirect: 'error',
      signal,
    });
    if (response.ok) return response;
    await response.body?.cancel();
    if (response.status === 404 && session?.id !== undefined) throw new McpFailure('session');
    throw new McpFailure(response.status === 401 || response.status === 403 ? 'refused' : 'status');
  }

  #headers(session: Session | undefined): Record<string, string> {
    return {
      ...this.server.headers,
      ...(session?.id !== undefined && { [SESSION]: session.id }),
      ...(session && { [VERSION]: session.version }),
    };
  }

  /** The answer in an event stream; requests of the server in it are refused, so that it does not wait for us. */
  async #awaited(
    response: Response,
    id: number,
    session: Session | undefined,
    signal: AbortSignal,
  ): Promise<ReturnType<typeof answerTo>> {
    const lines = new SseLines(MAX_LINE_CHARS);
    let messages = 0;
    let requests = 0;
    for await (const chunk of bodyOf(response, MAX_BYTES, signal)) {
      const payloads = lines.push(chunk);
      if (payloads === 'line-too-long') throw new McpFailure('too-large');
      for (const payload of payloads) {
        messages += 1;
        if (messages > MAX_MESSAGES) throw new McpFailure('too-large');
        const message = parsed(payload);
        const answer = answerAmong(message, id);
        if (answer) return answer;
        const asked = requestIn(message);
        if (asked && requests < MAX_SERVER_REQUESTS) {
          requests += 1;
          this.#decline(asked, session, signal);
        }
      }
    }
    throw new McpFailure('network'); // it ended without the answer
  }

  #decline(
    { id, method }: { id: string | number; method: string },
    session: Session | undefined,
    signal: AbortSignal,
  ): void {
    const outcome =
      method === 'ping' ? { result: {} } : { error: { code: METHOD_NOT_FOUND, message: 'not supported' } };
    this.#post({ jsonrpc: '2.0', id, ...outcome }, session, signal).then(
      (response) => response.body?.cancel(),
      () => {},
    );
  }
}

const isEventStream = (response: Response): boolean =>
  /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');

/** Of one message, or of several that came together (2025-03-26). */
function answerAmong(message: unknown, id: number): ReturnType<typeof answerTo> {
  for (const one of Array.isArray(message) ? message.slice(0, MAX_MESSAGES) : [message]) {
    const answer = answerTo(one, id);
    if (answer) return answer;
  }
  return undefined;
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new McpFailure('aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** What is no JSON is no message. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function asFailure(error: unknown): McpFailure {
  if (error instanceof McpFailure) return error;
  if (error instanceof ChatFailure && error.kind === 'too-large') return new McpFailure('too-large');
  return new McpFailure('network');
}
