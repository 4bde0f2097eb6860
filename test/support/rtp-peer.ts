import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { samplesOf } from '../../src/audio/pcm.ts';
import { uint16, uint32 } from '../../src/core/uint.ts';
import { CODECS } from '../../src/media/codec/codecs.ts';
import type { AudioCodec, NegotiatedMedia } from '../../src/media/description.ts';
import { looksLikeRtcp, parseRtpPacket, type RtpPacket, writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { tone } from './tones.ts';

/** A phone's media: a real UDP socket that sends and keeps what it hears. */
export class RtpPeer {
  readonly heard: RtpPacket[] = [];
  /** When each came, on `performance.now()`. */
  readonly arrivedMs: number[] = [];
  readonly rtcp: Buffer[] = [];
  ssrc = 0x1234_5678;
  sequence = 65_530; // wraps soon
  timestamp = 0xffff_fe00;
  sent = 0;
  /** What it speaks, and hears. */
  codec: AudioCodec = 'PCMU';
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    readonly socket: Socket,
    readonly address: string,
  ) {
    socket.on('error', () => {}); // nobody listens at the other end yet, or any more
    socket.on('message', (datagram) => {
      if (looksLikeRtcp(datagram)) {
        this.rtcp.push(Buffer.from(datagram));
        return;
      }
      const packet = parseRtpPacket(Buffer.from(datagram));
      if (typeof packet === 'string') return;
      this.heard.push(packet);
      this.arrivedMs.push(performance.now());
    });
  }

  static async open(address = '127.0.0.1'): Promise<RtpPeer> {
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    return new RtpPeer(socket, address);
  }

  get port(): number {
    return this.socket.address().port;
  }

  /** What SDP would have agreed with this peer. */
  media(changes: Partial<NegotiatedMedia> = {}): NegotiatedMedia {
    return {
      remote: { address: this.address, port: this.port },
      signallingAddress: this.address,
      codec: this.codec,
      payloadType: CODECS[this.codec].payloadType,
      ptimeMs: 20,
      dtmfPayloadType: 101,
      direction: 'sendrecv',
      rtcpMux: true,
      remoteRtcpPort: this.port,
      ...changes,
    };
  }

  /** One packet; sequence and timestamp move on by themselves. */
  send(
    port: number,
    payload: Uint8Array,
    options: { payloadType?: number; marker?: boolean; timestamp?: number } = {},
  ): void {
    const datagram = Buffer.alloc(12 + payload.length);
    const { payloadType = 0, marker = false, timestamp = this.timestamp } = options;
    writeRtpHeader(datagram, payloadType, marker, this.sequence, timestamp, this.ssrc);
    datagram.set(payload, 12);
    this.sequence = uint16(this.sequence + 1);
    if (options.timestamp === undefined) this.timestamp = uint32(this.timestamp + payload.length);
    this.sent += 1;
    this.socket.send(datagram, port, '127.0.0.1');
  }

  /** Silence for `ms`, then as much at `level`, at the pace of a phone. @returns when the first loud packet left. */
  async sayAfter(port: number, ms: number, level: number): Promise<number> {
    const encoder = CODECS[this.codec].encoder();
    const startMs = performance.now();
    let loudMs = 0;
    for (let atMs = 0; atMs < 2 * ms; atMs += 20) {
      await new Promise((resolve) => setTimeout(resolve, startMs + atMs - performance.now()));
      const payload = new Uint8Array(160);
      encoder.encode(new Int16Array(160).fill(atMs < ms ? 0 : level), payload, 0);
      if (atMs === ms) loudMs = performance.now();
      this.send(port, payload, { timestamp: uint32(Math.round(startMs + atMs) * 8) }); // the pauses between two calls count
    }
    return loudMs;
  }

  /** Sends a continuous tone, 20 ms a packet, until `quiet`. A busy machine makes it jitter, and leaves nothing out. */
  speak(port: number, hz = 440): void {
    this.quiet();
    const startedAt = performance.now();
    const codec = CODECS[this.codec];
    const { sampleRateHz, payloadType } = codec;
    const encoder = codec.encoder();
    const frame = samplesOf(20, sampleRateHz);
    let packets = 0;
    this.#timer = setInterval(() => {
      for (; packets * 20 <= performance.now() - startedAt; packets += 1) {
        const payload = new Uint8Array(160);
        encoder.encode(tone(hz, frame, { from: packets * frame, rateHz: sampleRateHz }), payload, 0);
        this.send(port, payload, { payloadType });
      }
    }, 20);
  }

  quiet(): void {
    clearInterval(this.#timer);
  }

  /** The audio heard so far, in order of arrival, at the rate of the codec. */
  samples(from = 0): Int16Array {
    const codec = CODECS[this.codec];
    const { payloadType, sampleRateHz } = codec;
    const audio = this.heard.slice(from).filter((packet) => packet.payloadType === payloadType);
    const decoder = codec.decoder();
    return Int16Array.from(
      audio.flatMap(({ payload }) => {
        const decoded = new Int16Array(samplesOf(payload.length / 8, sampleRateHz));
        decoder.decode(payload, payload.length, decoded, 0);
        return [...decoded];
      }),
    );
  }

  close(): void {
    this.quiet();
    this.socket.close();
  }
}
