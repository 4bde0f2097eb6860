import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tone } from './speech-server.ts';

/** An event as it stands on the wire. */
export interface SentEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
}

/** What the server makes of one stretch. */
export interface WyomingHeard {
  readonly text: string;
  readonly language?: string;
  /**
   * - `whole`: one transcript, and it hangs up, as faster-whisper does. - `stays`: it does not.
   * - `inline`: all of an event is in its line, as old servers write it. - `early`: it hears the end before it is told.
   * - `twice`: the transcript comes again. - `behind`: it comes after that of the next stretch.
   */
  readonly as?: 'whole' | 'stays' | 'inline' | 'early' | 'twice' | 'behind';
}

/** Ways in which a connection fails, each once more for every one that it is set for. */
export type WyomingFault =
  | { readonly type: 'reset' } // it is cut as soon as it was taken
  | { readonly type: 'silent' } // nothing is ever said
  | { readonly type: 'deaf' } // nothing is ever read
  | { readonly type: 'cut'; readonly afterBytes: number } // of audio, in whichever direction it goes
  | { readonly type: 'stall'; readonly afterBytes: number } // speech goes on no more
  | { readonly type: 'no-sound' }
  | { readonly type: 'split' } // every event comes in two pieces
  | { readonly type: 'strewn' } // an unknown event before each
  | { readonly type: 'say'; readonly bytes: string | Buffer }; // before all else

export interface WyomingConnection {
  readonly events: SentEvent[];
  isOpen: boolean;
}

/** What a connection has heard so far. */
interface Stretch {
  bytes: number;
  isLoud: boolean;
  told: number; // words
  isHeard: boolean;
}

const MS_PER_CHAR = 50;
const WORD_MS = 200;
const RATE_HZ = 22_050; // as most voices of Piper
/** What a server tells of each program and model beside its name. */
const PROGRAM = {
  ...{ attribution: { name: 'nobody', url: 'http://127.0.0.1/' }, installed: true },
  ...{ description: null, version: null },
};
const SECOND = tone(1000, RATE_HZ);
/** Pieces that end in the middle of a sample. */
const PIECE_BYTES = [1601, 1599] as const;

/**
 * A server of the Wyoming protocol on the loopback, written from its specification and held to what its documentation says
 * (`test/fixtures/wyoming`). What it
 * hears and how it sounds is a test's to say.
 *
 * @see Wyoming protocol, "Event Types", "Event Flow"
 */
export class WyomingTestServer {
  readonly connections: WyomingConnection[] = [];
  readonly hears: WyomingHeard[] = [];
  otherwise: WyomingHeard = { text: 'where is my order' };
  /** Nothing is understood before. */
  waits: Promise<void> | undefined;
  /** Words are told while they are spoken. */
  streams = false;
  speaks: (text: string) => Int16Array | Promise<Int16Array> = (text) => hum([...text].length * MS_PER_CHAR);
  rateHz = RATE_HZ;
  info: object = {
    asr: [{ name: 'faster-whisper', ...PROGRAM, models: [{ name: 'base', languages: ['ar', 'en'], ...PROGRAM }] }],
    tts: [{ name: 'piper', ...PROGRAM, voices: [{ name: 'en_US-lessac-medium', languages: ['en_US'], ...PROGRAM }] }],
  };
  speakingMax = 0; // sentences at once, at most
  #speaking = 0;
  #behind: (() => void) | undefined;
  readonly #faults: WyomingFault[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ noDelay: true }, (socket) => this.#onConnection(socket));

  static async start(port = 0): Promise<WyomingTestServer> {
    const server = new WyomingTestServer();
    await new Promise<void>((resolve) => server.#server.listen(port, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  /** Stretches that were heard to their end. */
  get stops(): number {
    return this.connections.flatMap(({ events }) => events.filter(({ type }) => type === 'audio-stop')).length;
  }
  get open(): number {
    return this.connections.filter(({ isOpen }) => isOpen).length;
  }
  /** Samples that connections heard, for each that heard any. */
  get heard(): readonly Int16Array[] {
    const sound = ({ events }: WyomingConnection): Buffer =>
      Buffer.concat(events.flatMap(({ type, payload }) => (type === 'audio-chunk' ? payload : [])));
    return this.connections.map(sound).flatMap((bytes) => (bytes.length > 0 ? samplesOf(bytes) : []));
  }
  /** What it was asked to say. */
  get asked(): readonly Readonly<Record<string, unknown>>[] {
    const all = this.connections.flatMap(({ events }) => events);
    return all.filter(({ type }) => type === 'synthesize').map(({ data }) => data);
  }

  /** The next connections fail so, one each. */
  failNext(...faults: WyomingFault[]): void {
    this.#faults.push(...faults);
  }
  hangUp(): void {
    for (const socket of this.#sockets) socket.end();
  }
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #onConnection(socket: Socket): void {
    const connection: WyomingConnection = { events: [], isOpen: true };
    const fault = this.#faults.shift();
    this.connections.push(connection);
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      connection.isOpen = false;
      this.#sockets.delete(socket);
    });
    if (fault?.type === 'reset') return void socket.resetAndDestroy();
    if (fault?.type === 'deaf') return void socket.pause();
    if (fault?.type === 'say') socket.write(fault.bytes);
    if (fault?.type === 'split') writeSplit(socket);
    if (fault?.type === 'strewn') writeStrewn(socket);
    const read = reader();
    const stretch: Stretch = { bytes: 0, isLoud: false, told: 0, isHeard: false };
    socket.on('data', (bytes) => {
      for (const event of read(bytes)) {
        connection.events.push(event);
        if (fault?.type === 'silent') continue;
        if (event.type === 'audio-chunk') {
          stretch.bytes += event.payload.length;
          stretch.isLoud ||= samplesOf(event.payload).some((sample) => Math.abs(sample) >= 50);
        }
        if (fault?.type === 'cut' && stretch.bytes >= fault.afterBytes) return void socket.destroy();
        this.#onEvent(socket, event, stretch);
        if (event.type === 'synthesize') void this.#speak(socket, String(event.data['text']), fault);
      }
    });
  }

  #onEvent(socket: Socket, { type }: SentEvent, stretch: Stretch): void {
    if (type === 'describe') write(socket, 'info', this.info);
    if (stretch.isHeard) return;
    if (type === 'audio-chunk' && this.streams) this.#tell(socket, stretch);
    if (type !== 'audio-stop' && !(type === 'audio-chunk' && this.#next(stretch).as === 'early')) return;
    stretch.isHeard = true;
    if (this.waits) void this.waits.then(() => this.#transcript(socket, stretch));
    else this.#transcript(socket, stretch);
  }

  #next({ isLoud }: Stretch): WyomingHeard {
    return isLoud ? (this.hears[0] ?? this.otherwise) : { text: '' };
  }

  /** Words that are due, each once. */
  #tell(socket: Socket, stretch: Stretch): void {
    const words = this.#next(stretch).text.split(' ');
    const due = Math.min(words.length, Math.floor(stretch.bytes / 32 / WORD_MS)); // 16 kHz, 16 bits
    if (stretch.told === 0 && due > 0) write(socket, 'transcript-start', {});
    for (; stretch.told < due; stretch.told += 1)
      write(socket, 'transcript-chunk', { text: `${stretch.told === 0 ? '' : ' '}${words[stretch.told]}` });
  }

  #transcript(socket: Socket, stretch: Stretch): void {
    const { text, language, as = 'whole' } = this.#next(stretch);
    const data = { text, ...(language !== undefined && { language }) };
    this.hears.shift();
    if (as === 'behind') {
      this.#behind = () => write(socket, 'transcript', data);
      return;
    }
    if (as === 'inline') socket.write(`${JSON.stringify({ type: 'transcript', data })}\n`);
    else write(socket, 'transcript', data);
    if (as === 'twice') write(socket, 'transcript', data);
    if (this.streams) write(socket, 'transcript-stop', {});
    if (as === 'whole') socket.end();
    this.#behind?.();
    this.#behind = undefined;
  }

  async #speak(socket: Socket, text: string, fault: WyomingFault | undefined): Promise<void> {
    this.#speaking += 1;
    this.speakingMax = Math.max(this.speakingMax, this.#speaking);
    const samples = fault?.type === 'no-sound' ? new Int16Array(0) : await this.speaks(text);
    const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    const format = { rate: this.rateHz, width: 2, channels: 1 };
    write(socket, 'audio-start', format);
    const ends = fault?.type === 'cut' || fault?.type === 'stall';
    const end = ends ? Math.min(fault.afterBytes, sound.length) : sound.length;
    for (let at = 0, n = 0; at < end && !socket.destroyed; n += 1) {
      const piece = sound.subarray(at, Math.min(end, at + PIECE_BYTES[n % 2]!));
      await new Promise((resolve) => write(socket, 'audio-chunk', format, Buffer.from(piece), resolve));
      at += piece.length;
    }
    this.#speaking -= 1;
    if (fault?.type === 'cut') socket.destroy();
    if (!ends) write(socket, 'audio-stop', {});
    if (!ends) socket.end();
  }
}

/** Made out of one second: minutes of it take a busy machine longer than a caller waits for sound. */
function hum(ms: number): Int16Array {
  const samples = new Int16Array((ms * RATE_HZ) / 1000);
  for (let at = 0; at < samples.length; at += SECOND.length) samples.set(SECOND.subarray(0, samples.length - at), at);
  return samples;
}

function samplesOf(bytes: Buffer): Int16Array {
  return Int16Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(i * 2));
}

function write(socket: Socket, type: string, data: object, payload?: Buffer, done?: (value?: unknown) => void): void {
  if (socket.destroyed || socket.writableEnded) return void done?.();
  const json = Buffer.from(JSON.stringify(data));
  const line = { type, data_length: json.length, ...(payload && { payload_length: payload.length }), version: '1.9.0' };
  socket.write(Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), json, payload ?? Buffer.alloc(0)]), done);
}

/** Each half leaves alone, so that it arrives alone. */
function writeSplit(socket: Socket): void {
  const [whole, end] = [socket.write.bind(socket), socket.end.bind(socket)];
  let last = Promise.resolve();
  const piece = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => void whole(bytes, () => setImmediate(resolve)));
  socket.write = ((bytes: Buffer, done?: () => void) => {
    const middle = bytes.length >> 1;
    last = last.then(() => piece(bytes.subarray(0, middle))).then(() => piece(bytes.subarray(middle)));
    void last.then(done);
    return true;
  }) as Socket['write'];
  socket.end = (() => {
    void last.then(() => end());
    return socket;
  }) as Socket['end'];
}

function writeStrewn(socket: Socket): void {
  const whole = socket.write.bind(socket);
  socket.write = ((bytes: Buffer, done?: () => void) => {
    whole('{"type":"news","data":{"text":7},"data_length":2,"payload_length":3}\n{}abc');
    return whole(bytes, done);
  }) as Socket['write'];
}

/** Events out of bytes. */
function reader(): (bytes: Buffer) => SentEvent[] {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const events: SentEvent[] = [];
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = JSON.parse(rest.toString('utf8', 0, end)) as Partial<SentEvent> & {
        readonly data_length?: number;
        readonly payload_length?: number;
      };
      const { type = '', data = {}, data_length: dataBytes = 0, payload_length: payloadBytes = 0 } = line;
      const from = end + 1;
      if (rest.length < from + dataBytes + payloadBytes) break;
      const more = dataBytes > 0 ? (JSON.parse(rest.toString('utf8', from, from + dataBytes)) as object) : {};
      const payload = rest.subarray(from + dataBytes, from + dataBytes + payloadBytes);
      events.push({ type, data: { ...data, ...more }, payload });
      rest = rest.subarray(from + dataBytes + payloadBytes);
    }
    return events;
  };
}
