import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { type Handshake, ServiceSockets, type SocketFault } from './service-sockets.ts';
import {
  type SonioxError,
  type SonioxHeard,
  SonioxListening,
  type SonioxStart,
  startProblem,
} from './soniox-listening.ts';

export type SonioxFault =
  | SocketFault
  | { readonly type: 'error'; readonly of: SonioxError; readonly afterBytes: number };

/** One connection. */
export interface SonioxConnection {
  readonly headers: IncomingMessage['headers'];
  readonly listening: SonioxListening;
  isOpen: boolean;
}

/**
 * Realtime transcription of Soniox on the loopback, written from its reference and held against its own client. What it hears is a
 * test's to say. As the service itself it takes every connection, and judges the key when a session begins.
 *
 * @see Soniox API reference, "WebSocket API" (speech to text), "Get models"
 */
export class SonioxTestServer {
  readonly connections: SonioxConnection[] = [];
  key: string | undefined;
  /** Until 15 January 2027 the service takes keys in the first message, too. */
  takesKeyField = false;
  readonly models = [{ id: 'stt-rt-v5', languages: [{ code: 'ar' }, { code: 'en' }] }];
  /** What is heard, a stretch each, in order; then `otherwise`. Nothing in silence. */
  readonly hears: SonioxHeard[] = [];
  otherwise: SonioxHeard = { text: 'where is my order' };
  readonly #sockets = new ServiceSockets<SonioxFault>(
    ({ path }) => (path === '/transcribe-websocket' ? undefined : { status: 404 }),
    (socket, handshake, fault) => this.#onOpen(socket, handshake, fault),
    (request, response) => this.#serve(request, response),
  );

  private constructor(private readonly clock: Clock) {}

  /** @param clock - of its own time: how long it waits for audio. */
  static async start(clock: Clock = systemClock): Promise<SonioxTestServer> {
    const server = new SonioxTestServer(clock);
    await server.#sockets.listen();
    return server;
  }

  get host(): string {
    return this.#sockets.host;
  }
  get arrivals(): number {
    return this.#sockets.arrivals;
  }
  get urls(): readonly string[] {
    return this.#sockets.urls;
  }
  get settings() {
    return {
      ...{ baseUrl: `http://${this.host}`, transcriptionModel: 'stt-rt-v5' },
      ...(this.key !== undefined && { apiKey: this.key }),
    };
  }
  get listening(): readonly SonioxListening[] {
    return this.connections.map(({ listening }) => listening);
  }
  get open(): number {
    return this.connections.filter(({ isOpen }) => isOpen).length;
  }

  /** The next connections fail so, one each. */
  failNext(...faults: SonioxFault[]): void {
    this.#sockets.failNextAt('', ...faults);
  }
  hangUp(code: number): void {
    this.#sockets.hangUp(code);
  }
  close(): Promise<void> {
    return this.#sockets.close();
  }

  #onOpen(ws: WebSocket, { headers }: Handshake, fault?: SonioxFault): void {
    const silent = (samples: Int16Array): boolean => samples.every((sample) => Math.abs(sample) < 50);
    const listening = new SonioxListening(ws, {
      clock: this.clock,
      judge: (start) => this.#keyProblem(headers, start) ?? startProblem(start),
      hears: (samples) => (silent(samples) ? { text: '' } : (this.hears[0] ?? this.otherwise)),
      answered: () => void this.hears.shift(),
    });
    const connection: SonioxConnection = { headers, listening, isOpen: true };
    this.connections.push(connection);
    ws.on('close', () => {
      connection.isOpen = false;
    });
    if (fault?.type === 'deaf') return;
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (fault?.type === 'silent') return void (isBinary && listening.pieces.push(data));
      listening.take(data, isBinary);
      const bytes = listening.audio.length;
      if (fault?.type === 'cut' && bytes >= fault.afterBytes) ws.terminate();
      if (fault?.type === 'close' && bytes >= fault.afterBytes) ws.close(fault.code);
      if (fault?.type === 'error' && bytes >= fault.afterBytes) listening.fail(fault.of);
    });
  }

  /** Both places at once are refused, whatever is in them. */
  #keyProblem(headers: IncomingMessage['headers'], { api_key: field }: SonioxStart): SonioxError | undefined {
    if (this.key === undefined) return undefined;
    const { authorization } = headers;
    if (field !== undefined && authorization !== undefined) return { error_code: 400, error_type: 'invalid_request' };
    const isKnown = authorization === `Bearer ${this.key}` || (this.takesKeyField && field === this.key);
    return isKnown ? undefined : { error_code: 401, error_type: 'unauthenticated' };
  }

  #serve({ url, headers }: IncomingMessage, response: ServerResponse): void {
    const isKnown = this.key === undefined || headers.authorization === `Bearer ${this.key}`;
    const status = url !== '/v1/models' ? 404 : isKnown ? 200 : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? { models: this.models } : { error_type: 'unauthenticated' }));
  }
}
