import type {
  DoneFrame,
  ErrorFrame,
  OpenedFrame,
  ServerFrame,
  StartFrame,
  TranscriptFrame,
} from '../api/socket-schemas.ts';
import { ServiceError } from './service-error.ts';

export type LiveStart = Omit<StartFrame, 'type'>;
export type LiveFrame = TranscriptFrame | DoneFrame;

/** What is used of a WebSocket: that of browsers and Node 22, and of the package `ws`. */
export interface SocketLike {
  readonly bufferedAmount: number;
  binaryType: string;
  send(data: string | Uint8Array): void;
  close(code?: number): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}
export type SocketConstructor = new (url: string) => SocketLike;

/** Audio that may wait in the socket before `write` waits too: 8 seconds of 16 kHz PCM. */
const BUFFERED_BYTES_MAX = 256 * 1024;
const BUFFER_LOOK_MS = 20;
/** Frames that wait for the reader; a session of two hours has a few thousand finals. */
const UNREAD_FRAMES_MAX = 10_000;

/**
 * One live transcription session. Write audio, call `stop`, and iterate: interim and final transcripts in order, `done` as
 * the last. The iteration throws ServiceError with the code of the error frame, or `unreachable` when the line breaks.
 */
export class LiveTranscription implements AsyncIterable<LiveFrame> {
  readonly #unread: LiveFrame[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => {};

  private constructor(
    private readonly socket: SocketLike,
    /** What the service understood. */
    readonly opened: OpenedFrame,
  ) {}

  /** Connects and starts. @throws ServiceError, or what `signal` was aborted with. */
  static open(
    socket: SocketLike,
    start: LiveStart,
    signal: AbortSignal | undefined,
    timeoutMs: number,
  ): Promise<LiveTranscription> {
    return new Promise((resolve, reject) => {
      let live: LiveTranscription | undefined;
      const finish = (error?: unknown): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        if (live) live.#finish(error);
        else reject(error ?? closedEarly(1000, ''));
      };
      const quit = (error: unknown): void => {
        finish(error);
        socket.close();
      };
      const onAbort = (): void => quit(signal?.reason);
      const timer = setTimeout(
        () => quit(new ServiceError({ code: 'client_timeout', message: `No session within ${timeoutMs} ms.` })),
        timeoutMs,
      );
      socket.binaryType = 'arraybuffer';
      socket.addEventListener('error', () => {}); // a close event follows
      socket.addEventListener('close', ({ code, reason }) => finish(closedEarly(code, reason)));
      socket.addEventListener('message', ({ data }) => {
        const frame = parse(data);
        if (!frame) return;
        if (frame.type === 'authenticated') socket.send(JSON.stringify({ type: 'start', ...start }));
        if (frame.type === 'opened') {
          clearTimeout(timer);
          live = new LiveTranscription(socket, frame);
          resolve(live);
        }
        if (frame.type === 'error') finish(errorOf(frame));
        if (live && (frame.type === 'transcript' || frame.type === 'done')) live.#take(frame);
        if (frame.type === 'done') finish();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
    });
  }

  /** Sends audio in the declared encoding and rate. Resolves when more may be written. */
  async write(audio: Uint8Array): Promise<void> {
    if (this.#end) return;
    this.socket.send(audio);
    while (!this.#end && this.socket.bufferedAmount > BUFFERED_BYTES_MAX) {
      await new Promise((resolve) => setTimeout(resolve, BUFFER_LOOK_MS));
    }
  }

  /** No more audio: the last final and `done` follow. */
  stop(): void {
    if (!this.#end) this.socket.send(JSON.stringify({ type: 'stop' }));
  }

  /** Keeps the session open while there is nothing to send; it ends after 30 seconds without anything. */
  keepalive(): void {
    if (!this.#end) this.socket.send(JSON.stringify({ type: 'keepalive' }));
  }

  /** Leaves at once; what was not read is dropped. What was sent is billed. */
  close(): void {
    this.#unread.length = 0;
    this.#finish();
    this.socket.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveFrame> {
    try {
      for (;;) {
        const frame = this.#unread.shift();
        if (frame) yield frame;
        else if (this.#end) break;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.close();
    }
    if (this.#end?.error !== undefined) throw this.#end.error;
  }

  #take(frame: LiveFrame): void {
    if (this.#end) return;
    this.#unread.push(frame);
    this.#wake();
    if (this.#unread.length < UNREAD_FRAMES_MAX) return;
    this.#finish(new ServiceError({ code: 'unreadable', message: 'Transcripts were not read for too long.' }));
    this.socket.close();
  }

  #finish(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  }
}

function parse(data: unknown): ServerFrame | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    return JSON.parse(data) as ServerFrame;
  } catch {
    return undefined;
  }
}

const errorOf = ({ error: { code, message } }: ErrorFrame): ServiceError => new ServiceError({ code, message });

const closedEarly = (code: number, reason: string): ServiceError =>
  new ServiceError({
    code: 'unreachable',
    message: `The connection closed with ${code}${reason === '' ? '' : ` (${reason})`} before the session was complete.`,
  });
