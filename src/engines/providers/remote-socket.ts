import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { Clock, Timer } from '../../core/clock.ts';
import { ChatFailure, type ChatFailureKind, failureOf } from '../openai/chat-failure.ts';
import { newLine, tellWire } from './wire.ts';

/** Below what a sentence or a word may wait for its service. */
const CONNECT_MS = 2_000;
const MESSAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Not taken by the network so far. A minute of speech: whoever is so far behind does not read. */
const WAITING_BYTES_MAX = 480_000;
/** For the other side to agree that it is over. */
const CLOSE_MS = 1_000;

/** RFC 6455 §7.4.1, and what is registered besides. */
const KIND_OF_CLOSE: Readonly<Record<number, ChatFailureKind>> = {
  1007: 'refused',
  1008: 'refused',
  1009: 'too-large',
};
const TRY_AGAIN_LATER = 1013;
/** Codes of applications that follow the statuses of HTTP: 4429 is 429. */
const HTTP_CLOSE = 4_000;

export interface SocketRequest {
  readonly url: string; // wss://, without a key
  readonly headers: Readonly<Record<string, string>>;
  /** Where a refused handshake says why, in a word. */
  readonly errorHeader?: string;
  readonly clock: Clock;
}

export interface SocketEvents {
  opened(): void;
  text(message: string): void;
  bytes(data: Buffer): void;
  /** Once, unless this side closed it. Nothing comes after it. */
  ended(failure: ChatFailure): void;
}

/**
 * One WebSocket to a service: a limit to connect, a key in a header, no redirect, messages of a limited size, and what went wrong as
 * a kind of failure. Never throws; what the service writes is in no error.
 */
export class RemoteSocket {
  readonly #socket: WebSocket;
  readonly #line = newLine();
  #timer: Timer | undefined;
  #opened = false;
  #over = false;

  constructor(
    private readonly request: SocketRequest,
    private readonly events: SocketEvents,
  ) {
    const { url, headers, clock } = request;
    tellWire(() => ({ line: this.#line, direction: 'sent', kind: 'open', about: url }));
    this.#socket = new WebSocket(url, {
      ...{ headers: { ...headers }, followRedirects: false, perMessageDeflate: false },
      maxPayload: MESSAGE_BYTES_MAX,
    });
    this.#timer = clock.setTimer(CONNECT_MS, () => this.#fail(new ChatFailure('unreachable', 'no connection in time')));
    this.#socket
      .on('open', () => this.#onOpen())
      .on('message', (data: Buffer, isBinary: boolean) => this.#onMessage(data, isBinary))
      .on('unexpected-response', (_, response: IncomingMessage) => this.#onRefused(response))
      .on('error', (error) => this.#onError(error))
      .on('close', (code) => this.#onClosed(code));
  }

  get isOpen(): boolean {
    return !this.#over && this.#socket.readyState === WebSocket.OPEN;
  }

  /** Does nothing where it is not open. */
  send(message: string | Uint8Array): void {
    if (!this.isOpen) return;
    if (this.#socket.bufferedAmount > WAITING_BYTES_MAX) return this.#fail(new ChatFailure('cut', 'it does not read'));
    tellWire(() => ({ line: this.#line, direction: 'sent', kind: 'message', data: message }));
    this.#socket.send(message);
  }

  /** Something goes over it, so that nobody on the way takes it for dead. */
  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  /** Says goodbye; what was sent before still goes out. Idempotent. */
  close(): void {
    if (this.#end()) return;
    if (this.#socket.readyState !== WebSocket.OPEN) return this.#socket.terminate();
    this.#timer = this.request.clock.setTimer(CLOSE_MS, () => this.#socket.terminate());
    this.#socket.close();
  }

  /** Ends it at once. Idempotent. */
  destroy(): void {
    this.#end();
    this.request.clock.clearTimer(this.#timer);
    this.#socket.terminate();
  }

  #onOpen(): void {
    if (this.#over) return;
    this.#opened = true;
    this.request.clock.clearTimer(this.#timer);
    this.events.opened();
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    if (this.#over) return;
    const message = isBinary ? data : data.toString('utf8');
    tellWire(() => ({ line: this.#line, direction: 'received', kind: 'message', data: message }));
    if (typeof message === 'string') this.events.text(message);
    else this.events.bytes(message);
  }

  #onRefused({ statusCode = 0, headers }: IncomingMessage): void {
    tellWire(() => ({ line: this.#line, direction: 'received', kind: 'response', about: String(statusCode) }));
    const said = headers[this.request.errorHeader ?? ''];
    const code = typeof said === 'string' && /^[\w.-]{1,64}$/.test(said) ? said : 'no code';
    this.#fail(failureOf(statusCode, code, headers['retry-after'] ?? null, this.request.clock.utc()));
  }

  #onError(error: Error): void {
    const code = 'code' in error ? String(error.code) : 'no code';
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return this.#fail(new ChatFailure('too-large', code));
    if (code.startsWith('WS_ERR')) return this.#fail(new ChatFailure('garbage', code));
    this.#fail(new ChatFailure(this.#opened ? 'cut' : 'unreachable', code));
  }

  #onClosed(code: number): void {
    tellWire(() => ({ line: this.#line, direction: 'received', kind: 'close', about: String(code) }));
    if (this.#over) return this.request.clock.clearTimer(this.#timer);
    const detail = `closed with ${code}`;
    const status = code === TRY_AGAIN_LATER ? 503 : code - HTTP_CLOSE;
    if (status >= 400 && status < 600) this.#fail(failureOf(status, detail, null, this.request.clock.utc()));
    else this.#fail(new ChatFailure(KIND_OF_CLOSE[code] ?? 'cut', detail));
  }

  #fail(failure: ChatFailure): void {
    if (this.#end()) return;
    this.#socket.terminate();
    this.events.ended(failure);
  }

  /** @returns whether it was over before. */
  #end(): boolean {
    if (this.#over) return true;
    this.#over = true;
    this.request.clock.clearTimer(this.#timer);
    return false;
  }
}

/** `wss://host/v1/listen?...` of `https://host/v1`. */
export function socketUrl(baseUrl: string, path: string, query?: URLSearchParams): string {
  return `${baseUrl.replace(/^http/i, 'ws').replace(/\/+$/, '')}${path}${query ? `?${query}` : ''}`;
}
