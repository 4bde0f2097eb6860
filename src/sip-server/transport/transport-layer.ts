import { createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { sourceAddressTo } from '../../core/source-address.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { makeResponse } from '../message/build-message.ts';
import { isNumericHost } from '../message/host-port.ts';
import { isReject, parseSipMessage } from '../message/parse-message.ts';
import { serializeSipMessage } from '../message/serialize-message.ts';
import { header, type SipMessage, type SipRequest } from '../message/sip-message.ts';
import type { Flow, TransportEvents, TransportLayer, TransportName } from './flow.ts';
import { RateGuard } from './rate-guard.ts';
import type { StreamConnection } from './stream-connection.ts';
import type { FrameFault } from './stream-framer.ts';
import { StreamTransport, type TlsOptions } from './stream-transport.ts';
import { TRANSPORT_LIMITS, type TransportLimits } from './transport-limits.ts';
import { UdpProbe } from './udp-probe.ts';
import { UdpFlow, UdpTransport } from './udp-transport.ts';
import { answerPort, markSource } from './via-source.ts';

export interface TransportOptions {
  readonly host: string; // numeric; 0.0.0.0 or :: for every address
  readonly port: number; // UDP and TCP; 0: any, the same for both
  readonly transports: readonly TransportName[];
  readonly tls?: TlsOptions & { readonly port?: number }; // port: SIP port + 1, or any when that is 0
  readonly limits?: Partial<TransportLimits>;
  /** Sources never rate-limited, such as configured trunks. */
  readonly trusted?: (address: string) => boolean;
  /** Send one keep-alive to a new UDP destination to learn of closed ports. Default true. */
  readonly probeUdp?: boolean;
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
  readonly #probe: UdpProbe;
  readonly #streams = new Map<'tcp' | 'tls', StreamTransport>();
  readonly #listening: { transport: TransportName; address: string; port: number }[] = [];
  #udp: UdpTransport | undefined;
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
    this.#probe = new UdpProbe(barrier, (address, port, reason) => {
      if (this.#udp && !this.#closing) this.events.onFlowError(this.#udp.flowTo(address, port), reason);
    });
  }

  get listening(): TransportLayer['listening'] {
    return this.#listening;
  }
  get connectionCount(): number {
    let count = 0;
    for (const stream of this.#streams.values()) count += stream.connectionCount;
    return count;
  }
  get udpCounters(): UdpTransport['counters'] | undefined {
    return this.#udp?.counters;
  }

  /** Binds everything; with port 0 looks for a port that is free for both UDP and TCP. */
  async listen(): Promise<void> {
    const { host, port, transports, tls } = this.options;
    const tcp = transports.includes('tcp') ? this.#stream('tcp') : undefined;
    for (let attempt = 1; ; attempt += 1) {
      const udp = transports.includes('udp') ? await this.#bindUdp(port) : undefined;
      try {
        const tcpPort = tcp ? await tcp.listen(host, udp?.port ?? port) : 0;
        if (udp) this.#listening.push({ transport: 'udp', address: udp.address, port: udp.port });
        if (tcp) this.#listening.push({ transport: 'tcp', address: host, port: tcpPort });
        this.#udp = udp;
        break;
      } catch (error) {
        await udp?.close();
        if (port !== 0 || attempt === PORT_TRIES) throw error;
      }
    }
    if (!transports.includes('tls')) return;
    const tlsPort = await this.#stream('tls').listen(host, tls?.port ?? (port === 0 ? 0 : port + 1));
    this.#listening.push({ transport: 'tls', address: host, port: tlsPort });
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
    if (transport !== 'udp') {
      const stream = this.#streams.get(transport);
      if (!stream) return Promise.reject(new Error('transport-not-available'));
      return stream.open(address, port, signal, serverName);
    }
    if (!this.#udp) return Promise.reject(new Error('transport-not-available'));
    if (this.options.probeUdp !== false) this.#probe.check(address, port);
    return Promise.resolve(this.#udp.flowTo(address, port));
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([
      this.#udp?.close(),
      ...[...this.#streams.values()].map((stream) => stream.close()),
    ]).then(() => undefined);
    this.#probe.close();
    return this.#closing;
  }

  async #bindUdp(port: number): Promise<UdpTransport> {
    const events = { onDatagram: (datagram: Buffer, flow: UdpFlow) => this.#receive(datagram, flow) };
    return UdpTransport.bind(this.options.host, port, events, (remote) => this.#localAddress(remote), this.barrier);
  }

  #stream(transport: 'tcp' | 'tls'): StreamTransport {
    const stream = new StreamTransport(
      transport,
      {
        onBytes: (message, connection) => this.#receive(message, connection),
        onBroken: (fault, head, connection) => this.#broken(fault, head, connection),
        onClosed: (connection, reason) => {
          if (!this.#closing) this.events.onFlowError(connection, reason);
        },
      },
      this.barrier,
      this.#limits,
      this.options.tls,
      () => this.connectionCount,
    );
    this.#streams.set(transport, stream);
    return stream;
  }

  #receive(bytes: Buffer, flow: Flow): void {
    if (this.#closing) return;
    if (!this.guard.allow(flow.remoteAddress, this.barrier.clock.nowMs())) {
      this.counters.rateLimited += 1;
      return this.events.onDiscard('rate-limited', flow);
    }
    const limits = { messageBytes: this.#limits.messageBytesMax, headerLineBytes: 8_192, headerCount: 256 };
    const message = parseSipMessage(bytes, { limits });
    if (isReject(message)) {
      if (message.answer) this.#answer(message.answer.request, message.answer.status, message.answer.reason, flow);
      return this.#discard(message.reject, flow);
    }
    this.counters.messages += 1;
    const [marked, answers] = this.#marked(message, flow);
    this.events.onMessage(marked, answers, bytes.length);
  }

  /** The request with its true source in the top Via, and the flow its answers leave by. */
  #marked<M extends SipMessage>(message: M, flow: Flow): readonly [SipMessage, Flow] {
    if (message.kind === 'response') return [message, flow];
    const request = markSource(message, flow.remoteAddress, flow.remotePort);
    if (!(flow instanceof UdpFlow)) return [request, flow];
    return [request, flow.atPort(answerPort(message, flow.remoteAddress, flow.remotePort))];
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
