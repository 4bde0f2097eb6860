import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { randomToken } from '../../src/core/ids.ts';
import { sdpText } from './sdp-texts.ts';
import { until } from './until.ts';

/** A message that a caller without a memory sends once, and does not care about. */
export interface OddMessage {
  readonly method: string;
  readonly port: number; // of the gateway
  readonly user?: string; // whom it is for
  readonly headers?: Readonly<Record<string, string>>; // in place of, or beside, those that it would have
  readonly body?: string;
}

/** An offer whose media would go to `address`. */
export const offerTo = (address: string, port: number): string =>
  sdpText({
    session: [`c=IN IP4 ${address}`],
    media: [`m=audio ${port} RTP/AVP 0 101`, 'a=rtpmap:101 telephone-event/8000'],
  });

/** A socket at an address of its own that sends whatever it likes, and counts what comes back. */
export class OddCaller {
  bytesIn = 0; // of ours
  bytesOut = 0; // that came back
  readonly answers: string[] = []; // the first ones
  readonly statuses = new Map<string, number>();
  readonly #socket: Socket;

  private constructor(
    socket: Socket,
    readonly address: string,
  ) {
    this.#socket = socket;
    socket.on('message', (data) => {
      this.bytesOut += data.length;
      const text = data.toString('latin1');
      const status = text.startsWith('SIP/2.0 ') ? text.slice(8, 11) : 'request';
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (this.answers.length < ANSWERS_MAX) this.answers.push(text);
    });
    socket.on('error', () => {});
  }

  static async open(address = '127.0.0.1'): Promise<OddCaller> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    return new OddCaller(socket, address);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  message({ method, port, user = '1000', headers = {}, body = '' }: OddMessage): Buffer {
    const own: Record<string, string> = {
      Via: `SIP/2.0/UDP ${this.address}:${this.port};branch=z9hG4bK${randomToken(8)};rport`,
      'Max-Forwards': '70',
      From: `<sip:odd@${this.address}>;tag=${randomToken(4)}`,
      To: `<sip:${user}@127.0.0.1:${port}>`,
      'Call-ID': randomToken(10),
      CSeq: `1 ${method}`,
      Contact: `<sip:odd@${this.address}:${this.port}>`,
      ...(body && { 'Content-Type': 'application/sdp' }),
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
    };
    const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`${method} sip:${user}@127.0.0.1:${port} SIP/2.0\r\n${lines.join('')}\r\n${body}`, 'latin1');
  }

  send(message: Buffer, port: number): void {
    this.bytesIn += message.length;
    this.#socket.send(message, port, '127.0.0.1');
  }

  /** How long the gateway takes for an OPTIONS, in ms; sent again as a phone would (RFC 3261 §17.1.2.1), for UDP may lose it. */
  async probe(port: number): Promise<number> {
    const before = this.answers.length;
    const startMs = performance.now();
    const options = this.message({ method: 'OPTIONS', port });
    for (let againMs = T1_MS; ; againMs = Math.min(2 * againMs, T2_MS)) {
      this.send(options, port);
      const isAnswered = (): boolean => this.answers.length > before;
      const answered = await until(isAnswered, 'an answer to OPTIONS', againMs).catch(() => false);
      const tookMs = performance.now() - startMs;
      if (answered || tookMs > PROBE_MS_MAX) return tookMs;
    }
  }

  close(): void {
    this.#socket.close();
  }
}

const ANSWERS_MAX = 20_000;
const [T1_MS, T2_MS] = [500, 4_000];
const PROBE_MS_MAX = 20_000;
