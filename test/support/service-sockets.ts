import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** Ways in which a service fails, each once more for every connection that it is set for. */
export type SocketFault =
  | { readonly type: 'refuse'; readonly status: number; readonly retryAfter?: string }
  | { readonly type: 'redirect'; readonly to: string }
  | { readonly type: 'reset' } // the connection is cut before an answer
  | { readonly type: 'never' } // it is taken, and the handshake is not answered
  | { readonly type: 'silent' } // nothing is ever said
  | { readonly type: 'deaf' } // nothing is ever read
  | { readonly type: 'cut'; readonly afterBytes: number } // of audio, in whichever direction it goes
  | { readonly type: 'close'; readonly code: number; readonly afterBytes: number }
  | { readonly type: 'say'; readonly messages: readonly (string | Buffer)[] } // before all else
  | { readonly type: 'split' } // every message comes in two frames
  | { readonly type: 'strewn'; readonly message: string } // before each of its messages
  | { readonly type: 'stall'; readonly afterBytes: number } // speech goes on no more
  | { readonly type: 'no-sound' };

export interface Handshake {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** Of a refused handshake. */
export interface Refusal {
  readonly status: number;
  readonly headers?: readonly string[];
}

/** Pieces that end in the middle of a sample. */
const PIECE_BYTES = [1601, 1599] as const;

/** WebSockets of a service on the loopback, and the ways in which they fail; what is said over them is the service's own. */
export class ServiceSockets<Own extends { readonly type: string } = never> {
  /** Handshakes that came, whether they were taken or not. */
  arrivals = 0;
  readonly urls: string[] = [];
  readonly #faults: { readonly fault: SocketFault | Own; readonly path: string }[] = [];
  readonly #server = createServer((request, response) => this.serve(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: true });
  readonly #raw = new Set<Duplex>();
  #port = 0;

  /**
   * @param judge - why a handshake is refused.
   * @param connected - a connection that a fault may be played on.
   * @param serve - what comes without wanting a WebSocket.
   */
  constructor(
    private readonly judge: (handshake: Handshake) => Refusal | undefined,
    private readonly connected: (socket: WebSocket, handshake: Handshake, fault: SocketFault | Own | undefined) => void,
    private readonly serve: RequestListener = (_, response) => void response.writeHead(404).end(),
  ) {}

  async listen(): Promise<void> {
    this.#server.keepAliveTimeout = 600_000; // else a slow machine sends on a connection that is just being closed
    this.#server.on('upgrade', (...upgrade: [IncomingMessage, Socket, Buffer]) => this.#onUpgrade(...upgrade));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** The next connections whose path ends so fail so, one each. */
  failNextAt(path: string, ...faults: (SocketFault | Own)[]): void {
    this.#faults.push(...faults.map((fault) => ({ fault, path })));
  }

  /** On whoever is connected. */
  hangUp(code: number): void {
    for (const socket of this.#sockets.clients) socket.close(code);
  }

  async close(): Promise<void> {
    for (const socket of this.#raw) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.arrivals += 1;
    this.#raw.add(socket);
    socket.on('error', () => {}).on('close', () => this.#raw.delete(socket));
    const { headers, url = '/' } = request;
    const { pathname: path, searchParams: query } = new URL(url, 'http://x');
    this.urls.push(url);
    const due = this.#faults.findIndex((set) => path.endsWith(set.path));
    const set = due < 0 ? undefined : this.#faults.splice(due, 1)[0]?.fault;
    const fault = set as SocketFault | undefined; // those of a service alone have other names
    if (fault?.type === 'reset') return void socket.destroy();
    if (fault?.type === 'never') return;
    if (fault?.type === 'redirect') return answer(socket, { status: 307, headers: [`location: ${fault.to}`] });
    if (fault?.type === 'refuse') {
      const after = fault.retryAfter === undefined ? [] : [`retry-after: ${fault.retryAfter}`];
      return answer(socket, {
        status: fault.status,
        headers: [...after, `dg-error: refused ${JSON.stringify(headers)}`],
      });
    }
    const refusal = this.judge({ path, query, headers });
    if (refusal) return answer(socket, refusal);
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.on('error', () => {});
      if (fault?.type === 'deaf') ws.pause();
      if (fault?.type === 'split') sendSplit(ws);
      if (fault?.type === 'strewn') sendStrewn(ws, fault.message);
      if (fault?.type === 'say') for (const message of fault.messages) ws.send(message);
      this.connected(ws, { path, query, headers }, set);
    });
  }
}

type Send = (
  data: string | Buffer,
  options?: object | ((error?: Error) => void),
  done?: (error?: Error) => void,
) => void;

/** Every message in two frames from now on (RFC 6455 §5.4), cut wherever the middle is. */
function sendSplit(ws: WebSocket): void {
  const send = ws.send.bind(ws) as Send;
  const split: Send = (data, options, done = options as () => void) => {
    const bytes = Buffer.from(data as Buffer);
    const [middle, binary] = [bytes.length >> 1, typeof data !== 'string'];
    send(bytes.subarray(0, middle), { fin: false, binary });
    send(bytes.subarray(middle), { fin: true, binary }, done);
  };
  ws.send = split as WebSocket['send'];
}

function sendStrewn(ws: WebSocket, message: string): void {
  const send = ws.send.bind(ws) as Send;
  ws.send = ((...sent: Parameters<Send>) => {
    send(message);
    send(...sent);
  }) as WebSocket['send'];
}

/** @returns what sets faults of the next connections of a server. */
export function failing(server: { failNext(...faults: SocketFault[]): void }) {
  return (...faults: SocketFault[]) =>
    (): void =>
      server.failNext(...faults);
}

/** Sound in pieces, as far as the fault lets it. @returns whether all of it was sent. */
export async function sendSound(
  ws: WebSocket,
  sound: Buffer,
  fault: SocketFault | undefined,
  framed: (piece: Buffer) => Buffer = (piece) => piece,
): Promise<boolean> {
  const ends = fault?.type === 'cut' || fault?.type === 'stall' || fault?.type === 'close';
  const end = ends ? Math.min(fault.afterBytes, sound.length) : sound.length;
  for (let at = 0, n = 0; at < end && ws.readyState === ws.OPEN; n += 1) {
    const piece = sound.subarray(at, Math.min(end, at + PIECE_BYTES[n % 2]!));
    await new Promise((resolve) => ws.send(framed(piece), resolve));
    at += piece.length;
  }
  if (fault?.type === 'cut') ws.terminate();
  if (fault?.type === 'close') ws.close(fault.code);
  return !ends && ws.readyState === ws.OPEN;
}

function answer(socket: Socket, { status, headers = [] }: Refusal): void {
  socket.end([`HTTP/1.1 ${status} Refused`, ...headers, 'content-length: 0', 'connection: close', '', ''].join('\r\n'));
}
