import type { IncomingMessage } from 'node:http';
import type { Deepgram } from '@deepgram/sdk';
import type { WebSocket } from 'ws';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { DeepgramListening, type Heard } from './deepgram-listening.ts';
import { type Handshake, type Refusal, ServiceSockets, type SocketFault, sendSound } from './service-sockets.ts';
import { tone } from './speech-server.ts';

export type DeepgramFault = SocketFault;

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
/**
 * `listen` and `speak` of Deepgram on the loopback, written from its reference and held against its own client. What it hears and how
 * it sounds is a test's to say.
 *
 * @see Deepgram API reference, "Live audio", "Text to speech WebSocket"
 */
export class DeepgramTestServer {
  readonly connections: DeepgramConnection[] = [];
  key: string | undefined;
  /** What is heard, a stretch each, in order; then `otherwise`. Nothing in silence. */
  readonly hears: Heard[] = [];
  otherwise: Heard = { text: 'where is my order' };
  speaks: (text: string, speed: number, rateHz: number) => Int16Array | Promise<Int16Array> = (text, speed, rateHz) =>
    tone(([...text].length * MS_PER_CHAR) / speed, rateHz);
  speakingMax = 0; // sentences at once, at most
  #speaking = 0;
  readonly #sockets = new ServiceSockets(
    (handshake) => this.#judge(handshake),
    (socket, handshake, fault) => this.#onOpen(socket, handshake, fault),
  );

  private constructor(private readonly clock: Clock) {}

  /** @param clock - of its own time: how long it waits for audio. */
  static async start(clock: Clock = systemClock): Promise<DeepgramTestServer> {
    const server = new DeepgramTestServer(clock);
    await server.#sockets.listen();
    return server;
  }

  get host(): string {
    return this.#sockets.host;
  }
  /** Handshakes that came, whether they were taken or not. */
  get arrivals(): number {
    return this.#sockets.arrivals;
  }
  get urls(): readonly string[] {
    return this.#sockets.urls;
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
    this.#sockets.failNextAt(path, ...faults);
  }
  hangUp(code: number): void {
    this.#sockets.hangUp(code);
  }
  close(): Promise<void> {
    return this.#sockets.close();
  }

  #judge({ path, query, headers }: Handshake): Refusal | undefined {
    if (this.key !== undefined && headers.authorization !== `Token ${this.key}`)
      return { status: 401, headers: ['dg-error: INVALID_AUTH'] };
    const problem = path === '/v1/listen' ? listenProblem(query) : speakProblem(path, query);
    return problem === undefined ? undefined : { status: 400, headers: [`dg-error: ${problem}`] };
  }

  #onOpen(ws: WebSocket, { path, query, headers }: Handshake, fault?: DeepgramFault): void {
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
    ws.on('close', () => {
      connection.isOpen = false;
    });
    if (fault?.type === 'deaf') return;
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
