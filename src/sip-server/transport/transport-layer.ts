import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { SipTrace } from '../../core/sip-ladder.ts';
import { sourceAddressTo } from '../../core/source-address.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { makeResponse } from '../message/build-message.ts';
import { topVia } from '../message/header-values.ts';
import { formatHostPort, isNumericHost } from '../message/host-port.ts';
import { isReject, parseSipMessage } from '../message/parse-message.ts';
import { serializeSipMessage } from '../message/serialize-message.ts';
import { header, type SipMessage, type SipRequest } from '../message/sip-message.ts';
import { withPeerCertificate } from '../tls/peer-certificate.ts';
import type { Flow, SipTransport, TransportEvents, TransportLayer, TransportName, WireTap } from './flow.ts';
import type { MessageSocket, SocketPeer } from './message-socket.ts';
import { RateGuard } from './rate-guard.ts';
import type { StreamConnection } from './stream-connection.ts';
import { type StreamEndpoint, type TlsOptions, tcpEndpoint, tlsEndpoint } from './stream-endpoints.ts';
import type { FrameFault } from './stream-framer.ts';
import { StreamTransport } from './stream-transport.ts';
import { TRANSPORT_LIMITS, type TransportLimits } from './transport-limits.ts';
import { portOr, TRANSPORT_NAMES, TRANSPORTS } from './transports.ts';
import { UdpFlow, UdpTransport } from './udp-transport.ts';
import { answerPort, markSource } from './via-source.ts';
import { WebSocketTransport } from './websocket-transport.ts';

export interface TransportOptions {
  readonly host: string; // numeric; 0.0.0.0 or :: for every address
  readonly port: number; // 0: any, the same for all that share it
  readonly transports: readonly TransportName[];
  /** `port`: where it is not the SIP port + 1. */
  readonly tls?: TlsOptions & { readonly port?: number };
  readonly limits?: Partial<TransportLimits>;
  /** Sources never rate-limited, such as configured trunks. */
  readonly trusted?: (address: string) => boolean;
  /** Gets a copy of every message that is received, within the rate limits, and of every one that is sent. */
  readonly tap?: WireTap;
  /** Send one keep-alive to a new UDP destination to learn of closed ports. Default true. */
  readonly probeUdp?: boolean;
  /** Told of every message that comes and goes, in time and again. */
  readonly trace?: SipTrace;
}

/** What the layer lends a transport. */
interface TransportParts {
  readonly name: TransportName;
  readonly options: TransportOptions;
  readonly limits: TransportLimits;
  readonly barrier: FaultBarrier;
  receive(bytes: Buffer, flow: Flow): void;
  sent(bytes: Buffer, flow: Flow): void;
  broken(fault: FrameFault, head: Buffer | undefined, connection: StreamConnection): void;
  failed(flow: Flow, reason: string): void;
  handshakeFailed(source: string, code: string): void;
  localAddress(remote: string): string;
  connectionCount(): number;
}

/** What implements each row of the table. */
const MAKERS: Readonly<Record<TransportName, (parts: TransportParts) => SipTransport>> = {
  udp: (parts) =>
    new UdpTransport(
      { onDatagram: parts.receive, onSent: parts.sent, onUnreachable: parts.failed },
      parts.localAddress,
      parts.barrier,
      parts.options.probeUdp !== false,
    ),
  tcp: (parts) => connected(parts, tcpEndpoint),
  tls: (parts) => {
    if (!parts.options.tls) throw new RangeError('tls needs a certificate');
    return connected(parts, tlsEndpoint(parts.options.tls));
  },
  ws: handedIn,
  wss: handedIn,
};

function handedIn(parts: TransportParts): SipTransport {
  const events = { onMessage: parts.receive, onSent: parts.sent, onClosed: parts.failed };
  return new WebSocketTransport(parts.name, events, parts.barrier, parts.limits, parts.connectionCount);
}

function connected(parts: TransportParts, endpoint: StreamEndpoint): SipTransport {
  const events = {
    ...{ onBytes: parts.receive, onSent: parts.sent, onBroken: parts.broken, onClosed: parts.failed },
    onHandshakeFailed: parts.handshakeFailed,
  };
  return new StreamTransport(parts.name, endpoint, events, parts.barrier, parts.limits, parts.connectionCount);
}

const PORT_TRIES = 10;
const ROUTES_STALE_MS = 30_000;
const LOCAL_ADDRESSES_MAX = 1_000;
/** Answers to requests that could not be read, by the fault of the stream they came on. */
const FAULT_ANSWERS: Partial<Record<FrameFault, readonly [status: number, reason: string]>> = {
  'message-too-large': [513, 'Message Too Large'],
  'missing-content-length': [400, 'Missing Content-Length'],
  'bad-content-length': [400, 'Invalid Content-Length'],
};

/** Opens the sockets, then `SipTransportLayer` runs until `close()`. Rejects when a port cannot be had; nothing stays open. */
export async function openTransportLayer(
  options: TransportOptions,
  events: TransportEvents,
  barrier: FaultBarrier,
): Promise<SipTransportLayer> {
  const layer = new SipTransportLayer(options, events, barrier);
  try {
    await layer.listen();
    return layer;
  } catch (error) {
    await layer.close();
    throw error;
  }
}

/**
 * All sockets of the SIP server: bytes in, parsed messages out. Broken requests are answered here, statelessly, and reported
 * by `onDiscard`; so are messages over the rate limit, which are not even parsed.
 */
export class SipTransportLayer implements TransportLayer {
  readonly guard: RateGuard;
  readonly counters = { messages: 0, rateLimited: 0, rejected: 0, answered: 0 };
  readonly #limits: TransportLimits;
  readonly #secret = randomBytes(16);
  readonly #transports = new Map<TransportName, SipTransport>();
  readonly #listening: { transport: TransportName; address: string; port: number }[] = [];
  readonly #localAddresses = new Map<string, string>(); // remote -> ours
  #localAddressesFromMs = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly options: TransportOptions,
    private readonly events: TransportEvents,
    private readonly barrier: FaultBarrier,
  ) {
    if (!isNumericHost(options.host)) throw new RangeError('host must be an address');
    this.#limits = { ...TRANSPORT_LIMITS, ...options.limits };
    this.guard = new RateGuard(this.#limits.rate, options.trusted);
  }

  get listening(): TransportLayer['listening'] {
    return this.#listening;
  }
  get connectionCount(): number {
    let count = 0;
    for (const transport of this.#transports.values()) count += transport.connectionCount;
    return count;
  }

  /** Binds everything; with port 0 looks for a port that is free for all that share it. */
  async listen(): Promise<void> {
    const { host, port, transports, tls } = this.options;
    const wanted = TRANSPORT_NAMES.filter((name) => transports.includes(name));
    const sharing = wanted.filter((name) => TRANSPORTS[name].portOffset === 0);
    for (let attempt = 1; ; attempt += 1) {
      try {
        let shared = port;
        for (const name of sharing) shared = await this.#listen(name, host, shared);
        break;
      } catch (error) {
        await Promise.all(sharing.map((name) => this.#transports.get(name)?.close()));
        this.#listening.length = 0;
        if (port !== 0 || attempt === PORT_TRIES) throw error;
      }
    }
    const own: Partial<Record<TransportName, number | undefined>> = { tls: tls?.port };
    for (const name of wanted) {
      const { portOffset } = TRANSPORTS[name];
      if (portOffset === undefined) this.#make(name);
      else if (portOffset > 0) await this.#listen(name, host, own[name] ?? (port === 0 ? 0 : port + portOffset));
    }
  }

  open(
    transport: TransportName,
    address: string,
    port: number,
    signal: AbortSignal,
    serverName?: string,
  ): Promise<Flow> {
    if (this.#closing) return Promise.reject(new Error('closed'));
    if (isIP(address) === 0) return Promise.reject(new Error('bad-address'));
    const found = this.#transports.get(transport);
    return found?.open(address, port, signal, serverName) ?? Promise.reject(new Error('transport-not-available'));
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([...this.#transports.values()].map((transport) => transport.close())).then(
      () => undefined,
    );
    return this.#closing;
  }

  /** A WebSocket that whoever serves HTTP has opened; closed at once where its transport is not served. */
  acceptSocket(socket: MessageSocket, peer: SocketPeer): void {
    const transport = this.#transports.get(peer.transport);
    if (transport?.accept && !this.#closing) transport.accept(socket, peer);
    else socket.terminate();
  }

  #make(name: TransportName): SipTransport {
    const transport = MAKERS[name]({
      name,
      options: this.options,
      limits: this.#limits,
      barrier: this.barrier,
      receive: (bytes, flow) => this.#receive(bytes, flow),
      sent: (bytes, flow) => {
        this.#trace('out', bytes, flow);
        this.#copy('sent', bytes, flow);
      },
      broken: (fault, head, connection) => this.#broken(fault, head, connection),
      failed: (flow, reason) => {
        if (!this.#closing) this.events.onFlowError(flow, reason);
      },
      handshakeFailed: (source, code) => this.events.onHandshakeFailed?.(source, code),
      localAddress: (remote) => this.#localAddress(remote),
      connectionCount: () => this.connectionCount,
    });
    this.#transports.set(name, transport);
    return transport;
  }

  async #listen(name: TransportName, host: string, port: number): Promise<number> {
    const bound = await this.#make(name).listen(host, port);
    this.#listening.push({ transport: name, ...bound });
    return bound.port;
  }

  #receive(bytes: Buffer, flow: Flow): void {
    if (this.#closing) return;
    if (!this.guard.allow(flow.remoteAddress, this.barrier.clock.nowMs())) {
      this.counters.rateLimited += 1;
      return this.events.onDiscard('rate-limited', flow);
    }
    this.#copy('received', bytes, flow);
    const limits = { messageBytes: this.#limits.messageBytesMax, headerLineBytes: 8_192, headerCount: 256 };
    const message = parseSipMessage(bytes, { limits });
    if (isReject(message)) {
      if (message.answer) this.#answer(message.answer.request, message.answer.status, message.answer.reason, flow);
      return this.#discard(message.reject, flow);
    }
    this.counters.messages += 1;
    this.#trace('in', bytes, flow);
    const [marked, answers] = this.#marked(message, flow);
    this.events.onMessage(marked, answers, bytes.length);
  }

  #trace(direction: 'in' | 'out', bytes: Buffer, { transport, remoteAddress, remotePort }: Flow): void {
    this.options.trace?.({ direction, bytes, peer: `${transport}/${formatHostPort(remoteAddress, remotePort)}` });
  }

  #copy(direction: 'received' | 'sent', bytes: Buffer, flow: Flow): void {
    const { tap } = this.options;
    if (tap) this.barrier.run('step', () => tap.copy(direction, bytes, flow));
  }

  /** The request with its true source in the top Via, and the flow its answers leave by. */
  #marked<M extends SipMessage>(message: M, flow: Flow): readonly [SipMessage, Flow] {
    if (message.kind === 'response') return [message, flow];
    const marked = markSource(message, flow.remoteAddress, flow.remotePort);
    if (flow.peerNames?.length && !flow.opened) this.#noteAlias(marked, flow);
    const request = withPeerCertificate(marked, flow.peerNames ?? []);
    if (!(flow instanceof UdpFlow)) return [request, flow];
    return [request, flow.atPort(answerPort(message, flow))];
  }

  #noteAlias(request: SipRequest, flow: Flow): void {
    const via = topVia(request);
    if (via?.params.has('alias')) this.#transports.get(flow.transport)?.alias?.(flow, portOr(via.port, flow.transport));
  }

  #broken(fault: FrameFault, head: Buffer | undefined, connection: StreamConnection): void {
    const answer = FAULT_ANSWERS[fault];
    const message = head ? parseSipMessage(head, { ignoreContentLength: true }) : undefined;
    const request = message && (isReject(message) ? message.answer?.request : message);
    if (answer && request?.kind === 'request') this.#answer(request, answer[0], answer[1], connection);
    this.#discard(fault, connection);
  }

  #discard(reason: string, flow: Flow): void {
    this.counters.rejected += 1;
    this.events.onDiscard(reason, flow);
  }

  #answer(request: SipRequest, status: number, reason: string, flow: Flow): void {
    if (request.method === 'ACK' || header(request, 'Via') === undefined) return;
    const [marked, answers] = this.#marked(request, flow);
    if (marked.kind !== 'request') return;
    this.counters.answered += 1;
    const response = makeResponse(marked, status, reason, { toTag: this.#statelessTag(request) });
    answers.send(serializeSipMessage(response));
  }

  /** The same for every retransmission, without remembering anything (RFC 3261 §8.2.7). */
  #statelessTag(request: SipRequest): string {
    const key = `${header(request, 'Via')}\n${header(request, 'Call-ID')}\n${header(request, 'CSeq')}`;
    return createHmac('sha256', this.#secret).update(key).digest('hex').slice(0, 16);
  }

  /** For a socket bound to every address: the route is asked for once per remote, and again when it may have changed. */
  #localAddress(remote: string): string {
    const { host } = this.options;
    if (host !== '0.0.0.0' && host !== '::') return host;
    const nowMs = this.barrier.clock.nowMs();
    if (nowMs - this.#localAddressesFromMs > ROUTES_STALE_MS || this.#localAddresses.size >= LOCAL_ADDRESSES_MAX) {
      this.#localAddressesFromMs = nowMs;
      this.#localAddresses.clear();
    }
    const known = this.#localAddresses.get(remote);
    if (known !== undefined) return known;
    const found = sourceAddressTo(remote) ?? host;
    this.#localAddresses.set(remote, found);
    return found;
  }
}
