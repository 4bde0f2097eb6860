import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { FaultBarrier } from '../../src/sip-server/fault-barrier.ts';
import type { SipMessage } from '../../src/sip-server/message/sip-message.ts';
import type { Flow } from '../../src/sip-server/transport/flow.ts';
import {
  openTransportLayer,
  type SipTransportLayer,
  type TransportOptions,
} from '../../src/sip-server/transport/transport-layer.ts';
import { until } from './until.ts';

export interface Arrived {
  readonly message: SipMessage;
  readonly flow: Flow;
  readonly bytes: number;
}

/** A transport layer on loopback that keeps what it hands up. */
export class RecordingLayer {
  readonly messages: Arrived[] = [];
  readonly discards: string[] = [];
  readonly failedHandshakes: string[] = [];
  readonly flowErrors: { readonly reason: string; readonly flow: Flow }[] = [];
  /** What a message that comes up does besides being kept. */
  onMessage: (message: SipMessage) => void = () => undefined;
  readonly barrier = new FaultBarrier(systemClock, silentLogger);
  layer!: SipTransportLayer;

  static async open(options: Partial<TransportOptions> = {}): Promise<RecordingLayer> {
    const peer = new RecordingLayer();
    const events = {
      onMessage: (message: SipMessage, flow: Flow, bytes: number) => {
        peer.messages.push({ message, flow, bytes });
        peer.onMessage(message);
      },
      onFlowError: (flow: Flow, reason: string) => void peer.flowErrors.push({ reason, flow }),
      onHandshakeFailed: (_source: string, code: string) => void peer.failedHandshakes.push(code),
      onDiscard: (reason: string) => void peer.discards.push(reason),
    };
    const defaults = { host: '127.0.0.1', port: 0, transports: ['udp', 'tcp'] } as const;
    peer.layer = await openTransportLayer({ ...defaults, ...options }, events, peer.barrier);
    return peer;
  }

  port(transport: string): number {
    return this.layer.listening.find((entry) => entry.transport === transport)?.port ?? 0;
  }

  async message(index: number): Promise<Arrived> {
    return until(() => this.messages[index]);
  }
}

/** A bare UDP phone. */
export class UdpPhone {
  readonly received: string[] = [];
  readonly from: number[] = [];
  private constructor(readonly socket: UdpSocket) {
    socket.on('message', (datagram, from) => {
      this.received.push(datagram.toString());
      this.from.push(from.port);
    });
  }
  static async open(): Promise<UdpPhone> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new UdpPhone(socket);
  }
  get port(): number {
    return this.socket.address().port;
  }
  send(text: string | Buffer, port: number): void {
    this.socket.send(text, port, '127.0.0.1');
  }
  close(): void {
    this.socket.close();
  }
}

/** A bare TCP phone. */
export class TcpPhone {
  text = '';
  closed = false;
  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
    });
  }
  static async open(port: number): Promise<TcpPhone> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new TcpPhone(socket);
  }
  close(): void {
    this.socket.destroy();
  }
}

/** An OPTIONS as phones send it; `via` is what stands after `SIP/2.0/`. */
export function optionsText(via: string, extra = '', body = ''): string {
  const lines = [
    'OPTIONS sip:nidaa@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/${via}`,
    'Max-Forwards: 70',
    'From: <sip:phone@127.0.0.1>;tag=1',
    'To: <sip:nidaa@127.0.0.1>',
    'Call-ID: transport-test@127.0.0.1',
    'CSeq: 1 OPTIONS',
    ...(extra === '' ? [`Content-Length: ${Buffer.byteLength(body)}`] : [extra]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
