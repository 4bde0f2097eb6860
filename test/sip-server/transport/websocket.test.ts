import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { makeResponse } from '../../../src/sip-server/message/build-message.ts';
import { serializeSipMessage } from '../../../src/sip-server/message/serialize-message.ts';
import { header } from '../../../src/sip-server/message/sip-message.ts';
import type { TransportName } from '../../../src/sip-server/transport/flow.ts';
import type { TransportLimits } from '../../../src/sip-server/transport/transport-limits.ts';
import { optionsText, RecordingLayer } from '../../support/transport-peer.ts';
import { until } from '../../support/until.ts';

/** A layer, and an HTTP server that hands its sockets over as the gateway's does. */
class Rig {
  readonly sockets: WebSocket[] = [];
  private constructor(
    readonly peer: RecordingLayer,
    private readonly http: Server,
  ) {}

  static async open(limits: Partial<TransportLimits> = {}, transports: readonly TransportName[] = ['udp', 'ws']) {
    const peer = await RecordingLayer.open({ transports, limits });
    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    const rig = new Rig(peer, http);
    const upgrades = new WebSocketServer({ server: http, handleProtocols: () => 'sip' });
    upgrades.on('connection', (socket, { socket: { remotePort, localPort } }) =>
      peer.layer.acceptSocket(socket, {
        ...{ transport: 'ws', remoteAddress: '::ffff:127.0.0.1', remotePort: remotePort!, localAddress: '127.0.0.1' },
        localPort: localPort!,
      }),
    );
    return rig;
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }
  async phone(autoPong = true): Promise<WebSocket & { got: (string | Buffer)[]; closedWith: number | undefined }> {
    const socket = Object.assign(new WebSocket(`ws://127.0.0.1:${this.port}/sip`, 'sip', { autoPong }), {
      got: [] as (string | Buffer)[],
      closedWith: undefined as number | undefined,
    });
    socket.on('message', (data: Buffer, isBinary) => socket.got.push(isBinary ? data : data.toString()));
    socket.on('close', (code) => {
      socket.closedWith = code;
    });
    socket.on('error', () => undefined);
    this.sockets.push(socket);
    await once(socket, 'open');
    return socket;
  }
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await this.peer.layer.close();
    this.http.closeAllConnections();
    this.http.close();
  }
}

let rig: Rig;
const open = async (...args: Parameters<typeof Rig.open>): Promise<Rig> => {
  rig = await Rig.open(...args);
  return rig;
};
afterEach(() => rig.close());
const VIA = 'WS df7jal23ls0d.invalid;branch=z9hG4bK56sdasks';
const withoutLength = (text: string): string => text.replace(/Content-Length: \d+\r\n/, '');

describe('SIP over WebSocket (RFC 7118)', () => {
  it('takes one message in each, text or binary, and answers by the same socket', async () => {
    await open();
    const phone = await rig.phone();
    phone.send(withoutLength(optionsText(VIA)));
    const { message, flow } = await rig.peer.message(0);
    expect(header(message, 'Via')).toBe('SIP/2.0/WS df7jal23ls0d.invalid;branch=z9hG4bK56sdasks;received=127.0.0.1');
    expect(flow).toMatchObject({ transport: 'ws', reliable: true, closed: false, localPort: rig.port });
    if (message.kind === 'request') flow.send(serializeSipMessage(makeResponse(message, 200, 'OK', { toTag: 't' })));
    await until(() => phone.got.length === 1);
    expect(phone.got[0]).toMatch(/^SIP\/2.0 200 OK\r\nVia: SIP\/2.0\/WS df7jal23ls0d\.invalid/);
    phone.send(Buffer.from(optionsText(VIA, '', 'v=0')));
    expect((await rig.peer.message(1)).message.body.toString()).toBe('v=0');
    flow.send(Buffer.from([0x53, 0xff]));
    await until(() => phone.got.length === 2);
    expect(phone.got[1]).toEqual(Buffer.from([0x53, 0xff])); // no UTF-8: a binary message
  });

  it('is reached by its flow while it lasts, and by nothing else', async () => {
    await open();
    const phone = await rig.phone();
    phone.send(optionsText(VIA));
    const { flow } = await rig.peer.message(0);
    const again = () => rig.peer.layer.open('ws', '127.0.0.1', flow.remotePort, new AbortController().signal);
    expect(await again()).toBe(flow);
    phone.terminate();
    await until(() => flow.closed && rig.peer.flowErrors.length === 1);
    expect(rig.peer.layer.connectionCount).toBe(0);
    await expect(again()).rejects.toThrow('no-such-flow');
    const failed = new Promise((resolve) => flow.send(Buffer.from('x'), resolve));
    expect(await failed).toBe('closed');
  });

  it('answers what is broken, and goes on', async () => {
    await open();
    const phone = await rig.phone();
    phone.send('hello');
    phone.send(optionsText(VIA, 'Content-Length: 9', 'abc'));
    await until(() => phone.got.length === 1);
    expect(phone.got[0]).toMatch(/^SIP\/2.0 400 Body Shorter/);
    phone.send(optionsText(VIA));
    await rig.peer.message(0);
    expect(rig.peer.discards).toEqual(['no-header-end', 'short-body'].map(() => expect.any(String)));
  });

  it('answers a ping of line ends by one', async () => {
    await open();
    const phone = await rig.phone();
    phone.send('\r\n');
    phone.send('\r\n\r\n');
    await until(() => phone.got.length > 0);
    expect(phone.got).toEqual(['\r\n']);
    expect(rig.peer.discards).toEqual([]);
  });
});

describe('a WebSocket ends', () => {
  it('when its message is too long', async () => {
    await open({ messageBytesMax: 1_000 });
    const phone = await rig.phone();
    phone.send('x'.repeat(1_001));
    await until(() => phone.closedWith !== undefined);
    expect(phone.closedWith).toBe(1009);
    expect(rig.peer.flowErrors[0]?.reason).toBe('message-too-large');
  });

  it('when its peer answers no ping, and not when it does', async () => {
    await open({ socketPingMs: 400 });
    const [dead, living] = [await rig.phone(false), await rig.phone()];
    await until(() => dead.closedWith !== undefined);
    expect(rig.peer.flowErrors.map(({ reason }) => reason)).toEqual(['no-pong']);
    expect(living.readyState).toBe(WebSocket.OPEN);
  });

  it('when its peer does not read', async () => {
    await open({ queuedBytesMax: 100_000 });
    const phone = await rig.phone();
    phone.send(optionsText(VIA));
    const { flow } = await rig.peer.message(0);
    phone.pause();
    const reasons: string[] = [];
    for (let i = 0; i < 500 && !flow.closed; i += 1) flow.send(Buffer.alloc(60_000, 'x'), (why) => reasons.push(why));
    expect(reasons).toContain('send-queue-full');
    await until(() => rig.peer.flowErrors[0]?.reason === 'send-queue-full');
  });

  it('when it pings and does not read', async () => {
    await open({ queuedBytesMax: 1_000 });
    const socket = Object.assign(new EventEmitter(), {
      ...{ bufferedAmount: 0, sent: 0, ping: () => undefined, close: () => undefined },
      send: (data: Buffer) => {
        socket.sent += 1;
        socket.bufferedAmount += data.length;
      },
      terminate: () => socket.emit('close'),
    });
    const peer = { transport: 'ws', remoteAddress: '192.0.2.1', remotePort: 1, localAddress: '192.0.2.2' } as const;
    rig.peer.layer.acceptSocket(socket, { ...peer, localPort: 2 });
    for (let i = 0; i < 1_000; i += 1) socket.emit('message', Buffer.from('\r\n\r\n'));
    expect(socket.sent).toBe(500);
    expect(rig.peer.flowErrors.map(({ reason }) => reason)).toEqual(['send-queue-full']);
  });

  it('when there are too many, of one source or in all', async () => {
    await open({ connectionsPerSourceMax: 2 });
    const [first] = [await rig.phone(), await rig.phone()];
    const third = await rig.phone();
    await until(() => third.closedWith !== undefined);
    expect(third.closedWith).toBe(1013);
    first?.close();
    await until(() => rig.peer.layer.connectionCount === 1);
    const fourth = await rig.phone();
    fourth.send(optionsText(VIA));
    await rig.peer.message(0);
  });

  it('with the gateway', async () => {
    await open();
    const phone = await rig.phone();
    await until(() => rig.peer.layer.connectionCount === 1);
    await rig.peer.layer.close();
    await until(() => phone.closedWith !== undefined);
    expect(phone.closedWith).toBe(1001);
  });

  it('at once where SIP is not spoken by it', async () => {
    await open({}, ['udp', 'wss']);
    const phone = await rig.phone();
    await until(() => phone.closedWith !== undefined);
    expect(rig.peer.layer.connectionCount).toBe(0);
  });
});
