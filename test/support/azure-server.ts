import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { type AzureHeard, AzureListening } from './azure-listening.ts';
import { type AzureSaid, AzureSpeaking } from './azure-speaking.ts';
import { type Handshake, type Refusal, ServiceSockets, type SocketFault } from './service-sockets.ts';
import { tone } from './speech-server.ts';

/** One connection. */
export interface AzureConnection {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly listening?: AzureListening;
  readonly said: AzureSaid[];
  isOpen: boolean;
}

const MS_PER_CHAR = 50;
const LISTEN_PATHS =
  /^\/(?:speech\/recognition\/(?:conversation|interactive|dictation)\/cognitiveservices\/v1|stt\/speech\/universal\/v2)$/;
export const AZURE_LISTEN = '/speech/recognition/conversation/cognitiveservices/v1';
export const AZURE_SPEAK = '/tts/cognitiveservices/websocket/v1';
const LANGUAGES = /^[a-z]{2}-[A-Z]{2}$/;

/**
 * Recognition and synthesis of Azure Speech on the loopback, written from its protocol and held against its own client. What it hears and
 * how it sounds is a test's to say.
 *
 * @see Azure "Speech Service WebSocket protocol", and the messages of its Speech SDK
 */
export class AzureTestServer {
  readonly connections: AzureConnection[] = [];
  key: string | undefined;
  /** What is heard, a turn each, in order; then `otherwise`. Nothing in silence. */
  readonly hears: AzureHeard[] = [];
  otherwise: AzureHeard = { text: 'where is my order' };
  speaks: (text: string, speed: number, rateHz: number, voice: string) => Int16Array | Promise<Int16Array> = (
    text,
    speed,
    rateHz,
  ) => tone((text.length * MS_PER_CHAR) / speed, rateHz);
  speakingMax = 0; // sentences at once, at most
  #speaking = 0;
  readonly #sockets = new ServiceSockets(
    (handshake) => this.#judge(handshake),
    (socket, handshake, fault) => this.#onOpen(socket, handshake, fault),
  );

  private constructor(private readonly clock: Clock) {}

  /** @param clock - of its own time: how long it waits for messages. */
  static async start(clock: Clock = systemClock): Promise<AzureTestServer> {
    const server = new AzureTestServer(clock);
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
    return { baseUrl: `http://${this.host}`, ...(this.key !== undefined && { apiKey: this.key }) };
  }
  /** Those that listen. */
  get listening(): readonly AzureListening[] {
    return this.connections.flatMap(({ listening }) => listening ?? []);
  }
  get said(): readonly AzureSaid[] {
    return this.connections.flatMap(({ said }) => said);
  }
  get open(): number {
    return this.connections.filter(({ isOpen }) => isOpen).length;
  }

  /** The next connections fail so, one each. */
  failNext(...faults: SocketFault[]): void {
    this.failNextAt('', ...faults);
  }
  /** The same for those whose path ends so. */
  failNextAt(path: string, ...faults: SocketFault[]): void {
    this.#sockets.failNextAt(path, ...faults);
  }
  hangUp(code: number): void {
    this.#sockets.hangUp(code);
  }
  close(): Promise<void> {
    return this.#sockets.close();
  }

  #judge({ path, query, headers }: Handshake): Refusal | undefined {
    if (this.key !== undefined && headers['ocp-apim-subscription-key'] !== this.key) return { status: 401 };
    if (!/^[0-9a-f]{32}$/i.test(String(headers['x-connectionid']))) return { status: 400 };
    if (path === AZURE_SPEAK) return undefined;
    if (!LISTEN_PATHS.test(path)) return { status: 404 };
    const isToBeTold = query.get('lidEnabled') === 'true';
    return isToBeTold || LANGUAGES.test(query.get('language') ?? '') ? undefined : { status: 400 };
  }

  #onOpen(ws: WebSocket, { path, query, headers }: Handshake, fault?: SocketFault): void {
    const isSpeaking = path === AZURE_SPEAK;
    const listening = isSpeaking ? undefined : this.#listen(ws, query);
    const connection: AzureConnection = {
      path,
      query,
      headers,
      said: [],
      isOpen: true,
      ...(listening && { listening }),
    };
    this.connections.push(connection);
    ws.on('close', () => {
      connection.isOpen = false;
    });
    if (fault?.type === 'deaf') return;
    if (!listening) return this.#speak(ws, connection, fault);
    let bytes = 0;
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (fault?.type === 'silent') return void (isBinary && listening.pieces.push(data));
      listening.take(data, isBinary);
      bytes = listening.audio.length;
      if (fault?.type === 'cut' && bytes >= fault.afterBytes) ws.terminate();
      if (fault?.type === 'close' && bytes >= fault.afterBytes) ws.close(fault.code);
    });
  }

  #listen(ws: WebSocket, query: URLSearchParams): AzureListening {
    const silent = (samples: Int16Array): boolean => samples.every((sample) => Math.abs(sample) < 50);
    return new AzureListening(ws, {
      ...{ query, clock: this.clock },
      hears: (samples) => (silent(samples) ? { text: '' } : (this.hears[0] ?? this.otherwise)),
      answered: () => void this.hears.shift(),
    });
  }

  #speak(ws: WebSocket, connection: AzureConnection, fault?: SocketFault): void {
    new AzureSpeaking(ws, {
      fault,
      speaks: (...asked) => this.speaks(...asked),
      said: (sentence) => connection.said.push(sentence),
      busy: (by) => {
        this.#speaking += by;
        this.speakingMax = Math.max(this.speakingMax, this.#speaking);
      },
    });
  }
}
