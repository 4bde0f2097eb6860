import { silentLogger } from '../../src/core/logger.ts';
import type { AppPort, SentReply, UpFrame } from '../../src/sip-server/control/app-port.ts';
import { parseCommand } from '../../src/sip-server/control/command.ts';
import { SipCore, type SipCoreLimits, type SipCoreOptions } from '../../src/sip-server/dialog/sip-core.ts';
import { FaultBarrier } from '../../src/sip-server/fault-barrier.ts';
import { isReject, parseSipMessage } from '../../src/sip-server/message/parse-message.ts';
import { header, type SipMessage } from '../../src/sip-server/message/sip-message.ts';
import { parseSipUri } from '../../src/sip-server/message/sip-uri.ts';
import { DEFAULT_POLICY } from '../../src/sip-server/message/validate-request.ts';
import type { Flow, TransportName } from '../../src/sip-server/transport/flow.ts';
import { FakeClock } from './fake-clock.ts';

/** Small enough to be reached by a test, but for unacknowledged calls: a rig's phones share one address. */
export const LIMITS: SipCoreLimits = {
  ...{ dialogsMax: 100, callsMax: 100, serverTransactionsMax: 100, retryAfterSeconds: 7 },
  unacknowledgedMax: 1_000,
};

export const OFFER =
  'v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\ns=-\r\nc=IN IP4 192.0.2.9\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n';

export function parsed(text: string): SipMessage {
  const message = parseSipMessage(Buffer.from(text), { ignoreContentLength: true });
  if (isReject(message)) throw new Error(`${message.reject}: ${text}`);
  return message;
}

/** `INVITE 5`, `200 INVITE`: what a message is, for lists in expectations. */
export function brief(message: SipMessage): string {
  const [number, method] = (header(message, 'CSeq') ?? '').split(' ');
  return message.kind === 'request' ? `${message.method} ${number}` : `${message.status} ${method}`;
}

/** The far end of one flow: what our side sent to it, and a way to send back. */
export class FakePeer implements Flow {
  readonly inbox: SipMessage[] = [];
  readonly localAddress = '192.0.2.1';
  readonly localPort = 5060;
  closed = false;
  sendError: string | undefined;

  constructor(
    private readonly rig: SipRig,
    readonly remoteAddress: string,
    readonly remotePort: number,
    readonly transport: TransportName,
  ) {}

  get reliable(): boolean {
    return this.transport !== 'udp';
  }
  send(bytes: Buffer, onError?: (reason: string) => void): void {
    if (this.sendError !== undefined) onError?.(this.sendError);
    else this.inbox.push(parsed(bytes.toString()));
  }
  /** What came since the last call. */
  take(): SipMessage[] {
    return this.inbox.splice(0);
  }
  takeBriefs(): string[] {
    return this.take().map(brief);
  }
  /** Lines joined by CRLF reach the server; a body follows after an empty line. */
  deliver(text: string): void {
    const message = parsed(text);
    this.rig.core.receive(message, this, Buffer.byteLength(text));
  }
}

/** An application that keeps what it is told. */
export class FakeApp implements AppPort {
  open = true;
  readonly ups: UpFrame[] = [];
  readonly replies = new Map<string, SentReply>();
  /** Replies and frames in order: `reply id`, `up INVITE 1`. */
  readonly order: string[] = [];
  #commands = 0;

  constructor(private readonly rig: SipRig) {}

  sendUp(frame: UpFrame): boolean {
    if (!this.open) return false;
    this.ups.push(frame);
    this.order.push(`up ${brief(parsed(frame.text))}`);
    return true;
  }
  reply(commandId: string, reply: SentReply): void {
    this.replies.set(commandId, reply);
    this.order.push(`reply ${reply.ok ? brief(parsed(reply.text)) : reply.reason}`);
  }
  /** Sends a frame as srf would; `head` is what follows the message id. @returns the command's id. */
  command(head: string, text: string): string {
    this.#commands += 1;
    const id = `command-${this.#commands}`;
    const command = parseCommand(`${id}|${head}\r\n${text}`);
    if (command.type === 'sip') this.rig.core.agent.onAppSip(this, command);
    else throw new Error(`not a sip command: ${JSON.stringify(command)}`);
    return id;
  }
  /** Answers a request that came up. */
  answer(frame: UpFrame, status: number, headers: readonly string[] = [], body = ''): SentReply | undefined {
    const cseq = header(parsed(frame.text), 'CSeq');
    const lines = [`SIP/2.0 ${status} Whatever`, `cseq: ${cseq}`, ...headers, '', body].join('\r\n');
    return this.replies.get(this.command(`sip|${frame.transactionId}|`, lines));
  }
  /** What came up since the last call. */
  take(): UpFrame[] {
    return this.ups.splice(0);
  }
  takeBriefs(): string[] {
    return this.take().map((frame) => brief(parsed(frame.text)));
  }
  /** The last frame that came up. */
  get last(): UpFrame {
    const frame = this.ups[this.ups.length - 1];
    if (!frame) throw new Error('nothing came up');
    return frame;
  }
}

/** The core of the embedded server with a clock of its own, without sockets. */
export class SipRig {
  readonly clock = new FakeClock();
  readonly barrier = new FaultBarrier(this.clock, silentLogger);
  readonly apps: FakeApp[] = [];
  readonly core: SipCore;
  readonly #peers = new Map<string, FakePeer>();
  #next = 0;

  constructor(overrides: Partial<SipCoreOptions> = {}) {
    this.core = new SipCore({
      barrier: this.barrier,
      logger: silentLogger,
      settings: { serverName: '', sessionTimers: { sessionSeconds: 0, minSeconds: 90 } },
      limits: LIMITS,
      policy: { ...DEFAULT_POLICY, methods: [...DEFAULT_POLICY.methods, 'REGISTER', 'SUBSCRIBE'] },
      opener: {
        open: (transport, address, port) => {
          const peer = this.#peers.get(`${transport} ${address} ${port}`);
          return peer && !peer.closed ? Promise.resolve(peer) : Promise.reject(new Error('refused'));
        },
      },
      resolver: {
        resolve: (uri) => {
          const target = parseSipUri(uri);
          if (!target) return Promise.resolve([]);
          const transport = target.params.get('transport') === 'tcp' ? 'tcp' : 'udp';
          const hosts = target.host === 'two.example' ? ['198.51.100.1', '198.51.100.2'] : [target.host];
          return Promise.resolve(
            hosts.map((address) => ({ transport, address, port: target.port ?? 5060, serverName: undefined }) as const),
          );
        },
      },
      listening: () => [
        { transport: 'udp', address: '192.0.2.1', port: 5060 },
        { transport: 'tcp', address: '192.0.2.1', port: 5060 },
      ],
      externalAddress: undefined,
      pickApp: () => this.apps[this.#next++ % Math.max(1, this.apps.length)],
      ...overrides,
    });
    this.app();
  }

  /** Another application; the first is there from the start. */
  app(): FakeApp {
    const app = new FakeApp(this);
    this.apps.push(app);
    return app;
  }
  peer(address = '198.51.100.1', port = 5060, transport: TransportName = 'udp'): FakePeer {
    const key = `${transport} ${address} ${port}`;
    const peer = this.#peers.get(key) ?? new FakePeer(this, address, port, transport);
    this.#peers.set(key, peer);
    return peer;
  }
  /** Lets promises settle; time stands still. */
  async settle(): Promise<void> {
    for (let i = 0; i < 20; i += 1) await Promise.resolve();
  }
}

export interface RequestParts {
  readonly cseq?: number;
  readonly branch?: string;
  readonly toTag?: string | undefined;
  readonly fromTag?: string;
  readonly callId?: string;
  readonly via?: string;
  readonly contact?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly type?: string;
  readonly uri?: string;
}

let branches = 0;
/** A request from 198.51.100.1:5060, as a phone would send it. */
export function phoneRequest(method: string, parts: RequestParts = {}): string {
  branches += 1;
  const via = parts.via ?? `SIP/2.0/UDP 198.51.100.1:5060;branch=${parts.branch ?? `z9hG4bK-${branches}`}`;
  const body = parts.body ?? '';
  const contact = parts.contact ?? '<sip:phone@198.51.100.1:5060>';
  return [
    `${method} ${parts.uri ?? 'sip:1000@192.0.2.1'} SIP/2.0`,
    `Via: ${via}`,
    'Max-Forwards: 70',
    `From: <sip:phone@198.51.100.1>;tag=${parts.fromTag ?? 'phone'}`,
    `To: <sip:1000@192.0.2.1>${parts.toTag === undefined ? '' : `;tag=${parts.toTag}`}`,
    `Call-ID: ${parts.callId ?? 'call-1'}`,
    `CSeq: ${parts.cseq ?? 1} ${method === 'ACK' ? 'ACK' : method}`,
    ...(contact === '' ? [] : [`Contact: ${contact}`]),
    ...(parts.headers ?? []),
    ...(body === '' ? [] : [`Content-Type: ${parts.type ?? 'application/sdp'}`]),
    '',
    body,
  ].join('\r\n');
}

/** An answer to a request of ours, with what a phone puts in. */
export function phoneAnswer(
  request: SipMessage,
  status: number,
  parts: { tag?: string; headers?: readonly string[]; body?: string; contact?: string } = {},
): string {
  const to = header(request, 'To') ?? '';
  const tagged = to.includes('tag=') || parts.tag === '' || status === 100 ? to : `${to};tag=${parts.tag ?? 'callee'}`;
  const contact = parts.contact ?? '<sip:callee@198.51.100.1:5060>';
  return [
    `SIP/2.0 ${status} Whatever`,
    `Via: ${header(request, 'Via')}`,
    `From: ${header(request, 'From')}`,
    `To: ${tagged}`,
    `Call-ID: ${header(request, 'Call-ID')}`,
    `CSeq: ${header(request, 'CSeq')}`,
    ...(contact === '' || status >= 300 ? [] : [`Contact: ${contact}`]),
    ...(parts.headers ?? []),
    ...(parts.body ? ['Content-Type: application/sdp'] : []),
    '',
    parts.body ?? '',
  ].join('\r\n');
}
