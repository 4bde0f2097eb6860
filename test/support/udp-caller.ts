import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { randomToken } from '../../src/core/ids.ts';

/** A SIP message as a raw phone sees it. */
export interface WireMessage {
  readonly start: string;
  readonly status: number; // 0 for a request
  readonly method: string; // of the request, or from CSeq
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

const WAIT_MS = 8_000;
const REPEAT_MS = 1_000;

/** First value of a header, case-insensitive, empty where there is none. */
export function headerOf(message: WireMessage, name: string): string {
  return message.headers.find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1] ?? '';
}

function parse(text: string): WireMessage {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = lines.map(
    (line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()] as const,
  );
  const status = start.startsWith('SIP/2.0 ') ? Number(start.split(' ')[1]) : 0;
  const cseq = headers.find(([name]) => name.toLowerCase() === 'cseq')?.[1] ?? '';
  const method = status ? (cseq.split(' ')[1] ?? '') : (start.split(' ')[0] ?? '');
  return { start, status, method, headers, body: rest.join('\r\n\r\n') };
}

/** A phone made of one UDP socket: every message is written and read by hand. */
export class UdpCaller {
  readonly inbox: WireMessage[] = [];
  readonly callId = randomToken(8);
  readonly tag = randomToken(4);
  readonly #socket: Socket = createSocket('udp4');
  #cseq = 1;
  #last = ''; // what it sent
  #waiting: (() => void)[] = [];
  #politeToByes = false;
  readonly #sent = new Map<string, number>(); // CSeq of the latest request, by method
  /** The dialog, once a response with a To tag came or we answered. */
  toHeader = '';
  target = '';
  inviteBranch = '';

  constructor(
    private readonly serverPort: number,
    readonly address = '127.0.0.1',
  ) {
    this.#socket.on('message', (data) => {
      const text = data.toString('utf8');
      if (text.trim() === '') return;
      const message = parse(text);
      if (this.#politeToByes && message.method === 'BYE' && message.status === 0) this.reply(message, 200, 'OK');
      this.inbox.push(message);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  async open(): Promise<this> {
    this.#socket.bind(0, this.address);
    await once(this.#socket, 'listening');
    return this;
  }
  get port(): number {
    return this.#socket.address().port;
  }
  close(): void {
    this.#socket.close();
  }
  /** From now on every BYE is answered 200 at once. */
  answerByes(): void {
    this.#politeToByes = true;
    for (const message of this.inbox) {
      if (message.method === 'BYE' && message.status === 0) this.reply(message, 200, 'OK');
    }
  }

  /** The first message not yet taken that fits; it is taken out. */
  async next(fits: (message: WireMessage) => boolean, what = 'message', limitMs = WAIT_MS): Promise<WireMessage> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const at = this.inbox.findIndex(fits);
      const [found] = at < 0 ? [] : this.inbox.splice(at, 1);
      if (found) return found;
      const left = deadline - Date.now();
      const seen = this.inbox.map((message) => message.start).join(' | ');
      if (left <= 0) throw new Error(`${what} did not come; unread: ${seen}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }
  response(method: string, status: number): Promise<WireMessage> {
    return this.next((m) => m.method === method && m.status === status, `${status} to ${method}`);
  }
  final(method: string, limitMs = WAIT_MS): Promise<WireMessage> {
    // An earlier request of the method may still have copies of its answer under way.
    const current = `${this.#sent.get(method)} ${method}`;
    const fits = (m: WireMessage): boolean => m.status >= 200 && headerOf(m, 'CSeq') === current;
    return this.next(fits, `final answer to ${method}`, limitMs);
  }
  request(method: string): Promise<WireMessage> {
    return this.next((m) => m.status === 0 && m.method === method, method);
  }

  send(text: string): void {
    this.#last = text;
    this.#socket.send(text, this.serverPort, '127.0.0.1');
  }

  /** Sends a request of this call; `inDialog` ones go to the remote target. */
  sendRequest(
    method: string,
    options: { headers?: readonly string[]; body?: string; uri?: string; cseq?: number; branch?: string } = {},
  ): string {
    const ack = method === 'ACK' || method === 'CANCEL';
    const cseq = options.cseq ?? (ack ? this.#cseq : ++this.#cseq);
    const branch = method === 'CANCEL' ? this.inviteBranch : (options.branch ?? `z9hG4bK${randomToken(8)}`);
    if (method === 'INVITE') this.inviteBranch = branch;
    this.#sent.set(method, cseq);
    const body = options.body ?? '';
    const uri = options.uri ?? (this.target || `sip:2000@127.0.0.1:${this.serverPort}`);
    this.send(
      [
        `${method} ${uri} SIP/2.0`,
        `Via: SIP/2.0/UDP ${this.address}:${this.port};branch=${branch};rport`,
        'Max-Forwards: 70',
        `From: "Phone" <sip:alice@pbx.example.com>;tag=${this.tag}`,
        `To: ${this.toHeader || `<${uri}>`}`,
        `Call-ID: ${this.callId}`,
        `CSeq: ${cseq} ${method}`,
        `Contact: <sip:alice@${this.address}:${this.port}>`,
        ...(options.headers ?? (body ? ['Content-Type: application/sdp'] : [])),
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
    return branch;
  }

  /** A request outside of an INVITE, repeated until it is answered (RFC 3261 §17.1.2.1). @returns the final answer. */
  async ask(method: string): Promise<WireMessage> {
    this.sendRequest(method);
    const text = this.#last;
    const again = setInterval(() => this.send(text), REPEAT_MS);
    try {
      return await this.final(method);
    } finally {
      clearInterval(again);
    }
  }

  /** Answers a request that came in. */
  reply(request: WireMessage, status: number, reason: string, headers: readonly string[] = [], body = ''): void {
    const copied = request.headers.filter(([name]) => /^(via|from|call-id|cseq|record-route)$/i.test(name));
    const to = headerOf(request, 'To');
    this.send(
      [
        `SIP/2.0 ${status} ${reason}`,
        ...copied.map(([name, value]) => `${name}: ${value}`),
        `To: ${to.includes(';tag=') ? to : `${to};tag=${this.tag}`}`,
        `Contact: <sip:bob@${this.address}:${this.port}>`,
        ...headers,
        ...(body ? ['Content-Type: application/sdp'] : []),
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
  }

  /** INVITE, 200, ACK; @returns the 200. */
  async call(offer: string, ack: { body?: string; headers?: readonly string[] } = {}): Promise<WireMessage> {
    this.sendRequest('INVITE', { body: offer, ...(ack.headers ? { headers: ack.headers } : {}) });
    const ok = await this.final('INVITE');
    if (ok.status !== 200) throw new Error(`refused: ${ok.start}`);
    this.adopt(ok);
    this.sendRequest('ACK', ack.body === undefined ? {} : { body: ack.body });
    return ok;
  }
  /** Takes To tag and remote target from an answer. */
  adopt(ok: WireMessage): void {
    this.toHeader = headerOf(ok, 'To');
    this.target = /<([^>]+)>/.exec(headerOf(ok, 'Contact'))?.[1] ?? '';
  }
}
