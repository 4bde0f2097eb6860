import { encodeMulaw } from '../../src/audio/g711.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import type { MediaSocket, SocketRefusal } from '../../src/media/io/media-io.ts';
import { allocateCallAudio } from '../../src/media/plane/call-audio.ts';
import type { FromMediaWorker } from '../../src/media/plane/media-protocol.ts';
import { parseRtpPacket, type RtpPacket, writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { allocateUnprovenTable, UnprovenBudget } from '../../src/media/rtp/unproven-budget.ts';
import { openSrtp } from '../../src/media/srtp/choose-srtp.ts';
import type { CallKeys } from '../../src/media/worker/call-security.ts';
import { type CallMessage, CallSlot } from '../../src/media/worker/call-slot.ts';
import { TickWheel } from '../../src/media/worker/tick-wheel.ts';
import { WorkerCall } from '../../src/media/worker/worker-call.ts';
import { tone } from './tones.ts';

export const POISONED = 42;
export const PEER = '198.51.100.7';
export const PEER_PORT = 4_000;

/** A port whose datagrams the test brings; keeps what the call sends. */
export class FakeSocket implements MediaSocket {
  /** What its peer says; undefined: nothing. */
  hz: number | undefined = 440;
  amplitude = 0.25;
  readonly heard: RtpPacket[] = [];
  /** The same as it came. */
  readonly wire: Buffer[] = [];
  closed = false;
  readonly errors = 0;
  /** A datagram that came at `atMs`, now if left out. */
  deliver: (datagram: Buffer, address: string, port: number, atMs?: number) => void = () => {};
  constructor(readonly localPort: number) {}
  get sent(): number {
    return this.heard.length;
  }
  send(datagram: Buffer, bytes: number): void {
    this.wire.push(Buffer.from(datagram.subarray(0, bytes)));
    const heard = parseRtpPacket(this.wire.at(-1)!);
    if (typeof heard !== 'string') this.heard.push(heard);
  }
  connect(): void {}
  close(): void {
    this.closed = true;
  }
}

/** A media thread without the thread: its wheel, its slots and a clock that the test moves. */
export class SlotRig {
  readonly wheel = new TickWheel();
  readonly unproven = new UnprovenBudget(allocateUnprovenTable(1));
  readonly posted: FromMediaWorker[] = [];
  readonly sockets = new Map<number, FakeSocket>();
  readonly slots: CallSlot[] = [];
  nowMs = 0;
  comfortNoiseDb: number | undefined;
  poison: (socket: FakeSocket) => MediaSocket | SocketRefusal = (socket) => socket;

  async open(id: number, changes: Partial<Extract<CallMessage, { type: 'open' }>> = {}): Promise<CallSlot> {
    const slot = new CallSlot(id, {
      wheel: this.wheel,
      post: (message) => this.posted.push(message),
      io: {
        open: (port, onDatagram, opened) => {
          const socket = new FakeSocket(port);
          socket.deliver = (datagram, address, from, atMs = this.nowMs) => onDatagram(datagram, address, from, atMs);
          this.sockets.set(port, socket);
          opened(id === POISONED ? this.poison(socket) : socket);
        },
      },
      makeCall: (socket, { audio, former }, onEvent, openRtcp) =>
        new WorkerCall(socket, audio, {
          settings: {
            rtpTimeoutMs: 30_000,
            jitter: { minMs: 20, maxMs: 200 },
            comfortNoiseDb: this.comfortNoiseDb,
            cname: 'x',
          },
          unproven: this.unproven,
          srtp: openSrtp({ name: 'openssl' }),
          former,
          now: () => this.nowMs,
          utcMs: () => this.nowMs,
          onEvent,
          openRtcp,
        }),
      onJoined: () => {},
      onClosed: () => {},
    });
    this.slots.push(slot);
    slot.open({
      type: 'open',
      call: id,
      port: portOf(id),
      audio: allocateCallAudio(1_000),
      former: [],
      ...changes,
    });
    return slot;
  }

  /** One packet of every peer, then 20 ms of the wheel. */
  round(n: number): void {
    for (const [port, { hz, amplitude, deliver }] of this.sockets) {
      if (port % 2 === 0 && hz !== undefined) deliver(packet(n, hz, amplitude), PEER, PEER_PORT);
    }
    this.nowMs += 20;
    this.wheel.run(() => this.nowMs);
  }

  of<T extends FromMediaWorker['type']>(type: T): Extract<FromMediaWorker, { type: T }>[] {
    return this.posted.filter((message): message is Extract<FromMediaWorker, { type: T }> => message.type === type);
  }
  get failed(): number[] {
    return this.of('event').flatMap(({ call, event }) => (event.type === 'failed' ? [call] : []));
  }
}

export const portOf = (id: number): number => 10_000 + 2 * id;

function packet(n: number, hz: number, amplitude: number): Buffer {
  const payload = encodeMulaw(tone(hz, 160, { from: n * 160, amplitude }));
  const datagram = Buffer.alloc(12 + payload.length);
  writeRtpHeader(datagram, 0, false, n, n * 160, 7);
  datagram.set(payload, 12);
  return datagram;
}

export const MEDIA: NegotiatedMedia = {
  remote: { address: PEER, port: PEER_PORT },
  signallingAddress: PEER,
  codec: 'PCMU',
  payloadType: 0,
  ptimeMs: 20,
  dtmfPayloadType: 101,
  direction: 'sendrecv',
  rtcpMux: true,
  remoteRtcpPort: PEER_PORT,
};
export const configure = (call: number, media = MEDIA, keys?: CallKeys): CallMessage & { type: 'configure' } => ({
  type: 'configure',
  call,
  media,
  ...(keys && { keys }),
});
