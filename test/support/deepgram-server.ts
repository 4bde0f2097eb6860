import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Deepgram } from '@deepgram/sdk';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { DeepgramListening, type Heard } from './deepgram-listening.ts';
import { tone } from './speech-server.ts';

/** Ways in which the service fails, each once more for every connection that it is set for. */
export type DeepgramFault =
  | { readonly type: 'refuse'; readonly status: number; readonly retryAfter?: string }
  | { readonly type: 'redirect'; readonly to: string }
  | { readonly type: 'reset' } // the connection is cut before an answer
  | { readonly type: 'never' } // it is taken, and the handshake is not answered
  | { readonly type: 'silent' } // nothing is ever said
  | { readonly type: 'deaf' } // nothing is ever read
  | { readonly type: 'cut'; readonly afterBytes: number } // of audio, in whichever direction it goes
  | { readonly type: 'close'; readonly code: number; readonly afterBytes: number }
  | { readonly type: 'say'; readonly messages: readonly (string | Buffer)[] } // before all else
  | { readonly type: 'stall'; readonly afterBytes: number } // speech goes on no more
  | { readonly type: 'no-sound' };

/** One connection. */
export interface DeepgramConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly listening?: DeepgramListening;
  /** Texts to speak, and control messages. */
  readonly said: string[];
  isOpen: boolean;
}

const MS_PER_CHAR = 50;
const LISTEN_ENCODINGS = ['linear16', 'mulaw', 'alaw'];
const SPEAK_RATES = [8000, 16_000, 24_000, 32_000, 48_000];
/** Pieces that end in the middle of a sample. */
const PIECE_BYTES = [1601, 1599] as const;

/**
 * `listen` and `speak` of Deepgram on the loopback, written from its reference and held against its own client. What it hears and how
 * it sounds is a test's to say.
 *
 * @see Deepgram API reference, "Live audio", "Text to speech WebSocket"
 */
export class DeepgramTestServer {
  readonly connections: DeepgramConnection[] = [];
  /** Handshakes that came, whether they were taken or not. */
  arrivals = 0;
  readonly urls: string[] = [];
  key: string | undefined;
  /** What is heard, a stretch each, in order; then `otherwise`. Nothing in silence. */
  readonly hears: Heard[] = [];
  otherwise: Heard = { text: 'where is my order' };
  speaks: (text: string, speed: number, rateHz: number) => Int16Array | Promise<Int16Array> = (text, speed, rateHz) =>
    tone(([...text].length * MS_PER_CHAR) / speed, rateHz);
  speakingMax = 0; // sentences at once, at most
  #speaking = 0;
  readonly #faults: { readonly fault: DeepgramFault; readonly path: string }[] = [];
  readonly #server = createServer((_, response) => void response.writeHead(404).end());
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: true });
  readonly #raw = new Set<Duplex>();
  #port = 0;

  private constructor(private readonly clock: Clock) {}

  /** @param clock - of its own time: how long it waits for audio. */
  static async start(clock: Clock = systemClock): Promise<DeepgramTestServer> {
    const server = new DeepgramTestServer(clock);
    server.#server.on('upgrade', (...upgrade: [IncomingMessage, Socket, Buffer]) => server.#onUpgrade(...upgrade));
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }
  get settings() {
    return {
      ...{ baseUrl: `http://${this.host}/v1`, transcriptionModel: 'nova-3', speechModel: 'aura-2-thalia-en' },
      ...(this.key !== undefined && { apiKey: this.key }),
    };
  }
  /** Those that listen. */
  get listening(): readonly DeepgramListening[] {
    return this.connections.flatMap(({ listening }) => listening ?? []);
  }
  get open(): number {
    return this.connections.filter(({ isOpen }) => isOpen).length;
  }

  /** The next connections fail so, one each. */
  failNext(...faults: DeepgramFault[]): void {
    this.failNextAt('', ...faults);
  }
  /** The same for those whose path ends so. */
  failNextAt(path: string, ...faults: DeepgramFault[]): void {
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
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://x');
    this.urls.push(request.url ?? '');
    const due = this.#faults.findIndex(({ path }) => pathname.endsWith(path));
    const fault = due < 0 ? undefined : this.#faults.splice(due, 1)[0]?.fault;
    if (fault?.type === 'reset') return void socket.destroy();
    if (fault?.type === 'never') return;
    if (fault?.type === 'redirect') return answer(socket, 307, [`location: ${fault.to}`]);
    if (fault?.type === 'refuse') {
      const after = fault.retryAfter === undefined ? [] : [`retry-after: ${fault.retryAfter}`];
      return answer(socket, fault.status, [...after, `dg-error: refused ${request.headers.authorization}`]);
    }
    if (this.key !== undefined && request.headers.authorization !== `Token ${this.key}`)
      return answer(socket, 401, ['dg-error: INVALID_AUTH']);
    const problem = pathname === '/v1/listen' ? listenProblem(query) : speakProblem(pathname, query);
    if (problem) return answer(socket, 400, [`dg-error: ${problem}`]);
    this.#sockets.handleUpgrade(request, socket, head, (ws) => this.#onOpen(ws, request, pathname, query, fault));
  }

  #onOpen(
    ws: WebSocket,
    { headers }: IncomingMessage,
    path: string,
    query: URLSearchParams,
    fault?: DeepgramFault,
  ): void {
    const listening = path === '/v1/listen' ? this.#listen(ws, query) : undefined;
    const connection: DeepgramConnection = {
      path,
      query,
      headers,
      said: [],
      isOpen: true,
      ...(listening && { listening }),
    };
    this.connections.push(connection);
    ws.on('error', () => {}).on('close', () => {
      connection.isOpen = false;
    });
    if (fault?.type === 'deaf') return ws.pause();
    if (fault?.type === 'say') for (const message of fault.messages) ws.send(message);
    if (!listening) return this.#speak(ws, connection, fault);
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (fault?.type === 'silent') return void (isBinary && listening.pieces.push(data));
      listening.take(data, isBinary);
      const bytes = listening.audio.length;
      if (fault?.type === 'cut' && bytes >= fault.afterBytes) ws.terminate();
      if (fault?.type === 'close' && bytes >= fault.afterBytes) ws.close(fault.code);
    });
  }

  #listen(ws: WebSocket, query: URLSearchParams): DeepgramListening {
    const silent = (samples: Int16Array): boolean => samples.every((sample) => Math.abs(sample) < 50);
    return new DeepgramListening(ws, {
      ...{ query, clock: this.clock },
      hears: (samples) => (silent(samples) ? { text: '' } : (this.hears[0] ?? this.otherwise)),
      answered: () => void this.hears.shift(),
    });
  }

  #speak(ws: WebSocket, connection: DeepgramConnection, fault?: DeepgramFault): void {
    const rateHz = Number(connection.query.get('sample_rate') ?? 24_000);
    const speed = Number(connection.query.get('speed') ?? 1);
    const metadata = {
      ...{ type: 'Metadata', request_id: '7b1c0e54-0000-4000-8000-000000000003', model_name: 'aura-2-thalia-en' },
      ...{ model_version: '2026-01-01.0', model_uuid: '7b1c0e54-0000-4000-8000-000000000004' },
    } satisfies Deepgram.speak.SpeakV1Metadata;
    ws.send(JSON.stringify(metadata));
    let text = '';
    let sequence = 0;
    ws.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as { type: string; text?: string };
      connection.said.push(message.text ?? message.type);
      if (message.type === 'Speak') text += message.text ?? '';
      if (message.type === 'Close') ws.close(1000);
      if (message.type !== 'Flush' || fault?.type === 'silent') return;
      const wanted = text;
      text = '';
      this.#speaking += 1;
      this.speakingMax = Math.max(this.speakingMax, this.#speaking);
      void (async () => {
        const samples = fault?.type === 'no-sound' ? new Int16Array(0) : await this.speaks(wanted, speed, rateHz);
        const whole = await sendSound(ws, encoded(samples, connection.query), fault);
        this.#speaking -= 1;
        const flushed = { type: 'Flushed', sequence_id: sequence++ } satisfies Deepgram.speak.SpeakV1Flushed;
        if (whole) ws.send(JSON.stringify(flushed));
      })();
    });
  }
}

/** @returns whether all of it was sent. */
async function sendSound(ws: WebSocket, sound: Buffer, fault?: DeepgramFault): Promise<boolean> {
  const ends = fault?.type === 'cut' || fault?.type === 'stall' || fault?.type === 'close';
  const end = ends ? Math.min(fault.afterBytes, sound.length) : sound.length;
  for (let at = 0, n = 0; at < end && ws.readyState === ws.OPEN; n += 1) {
    const piece = sound.subarray(at, Math.min(end, at + PIECE_BYTES[n % 2]!));
    await new Promise((resolve) => ws.send(piece, resolve));
    at += piece.length;
  }
  if (fault?.type === 'cut') ws.terminate();
  if (fault?.type === 'close') ws.close(fault.code);
  return !ends && ws.readyState === ws.OPEN;
}

function encoded(samples: Int16Array, query: URLSearchParams): Buffer {
  if (query.get('encoding') === 'mulaw') return Buffer.from(encodeMulaw(samples));
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

function listenProblem(query: URLSearchParams): string | undefined {
  if (!query.get('model')) return 'MISSING_MODEL';
  if (query.has('encoding') !== query.has('sample_rate')) return 'ENCODING_WITHOUT_RATE';
  if (query.has('encoding') && !LISTEN_ENCODINGS.includes(query.get('encoding')!)) return 'UNKNOWN_ENCODING';
  if (query.getAll('keyterm').join('').length > 1_500) return 'KEYTERMS_TOO_LONG';
  return undefined;
}

function speakProblem(path: string, query: URLSearchParams): string | undefined {
  if (path !== '/v1/speak') return 'UNKNOWN_PATH';
  const rate = Number(query.get('sample_rate') ?? 24_000);
  const rates = query.get('encoding') === 'mulaw' ? [8000, 16_000] : SPEAK_RATES;
  if (!rates.includes(rate)) return 'UNKNOWN_RATE';
  const speed = Number(query.get('speed') ?? 1);
  return speed >= 0.7 && speed <= 1.5 ? undefined : 'SPEED_OUT_OF_RANGE';
}

function answer(socket: Socket, status: number, headers: readonly string[]): void {
  socket.end([`HTTP/1.1 ${status} Refused`, ...headers, 'content-length: 0', 'connection: close', '', ''].join('\r\n'));
}
