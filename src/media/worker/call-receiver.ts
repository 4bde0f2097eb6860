import { ALAW_DECODE, MULAW_DECODE } from '../../audio/g711.ts';
import { uint32 } from '../../core/uint.ts';
import { COMFORT_NOISE_PAYLOAD_TYPE, ComfortNoise, parseComfortNoise } from '../codec/comfort-noise.ts';
import type { NegotiatedMedia } from '../description.ts';
import { parseDtmfEvent } from '../dtmf/dtmf-event.ts';
import { type DtmfKey, DtmfReceiver } from '../dtmf/dtmf-receiver.ts';
import { DtmfToneDetector } from '../dtmf/dtmf-tone.ts';
import { JitterBuffer, type JitterLimits, type PopResult } from '../rtp/jitter-buffer.ts';
import { type FormerStream, Latching } from '../rtp/latching.ts';
import type { RemoteEndpoint, Source } from '../rtp/remote-endpoint.ts';
import { parseRtpPacket, type RtpPacket } from '../rtp/rtp-packet.ts';
import { RtpReceiveStream } from '../rtp/rtp-stream.ts';
import { RtpTimeout } from '../rtp/rtp-timeout.ts';

const PCMU_PAYLOAD_TYPE = 0;
const PCMA_PAYLOAD_TYPE = 8;

export interface ReceiverHandlers {
  onKey(key: DtmfKey): void;
  onLatched(source: Source): void;
}

export interface ReceiverOptions {
  readonly jitter: JitterLimits;
  readonly rtpTimeoutMs: number;
  /** Streams of earlier calls on the same port. */
  readonly former?: readonly FormerStream[];
}

/** Everything between a datagram and a frame of 20 ms. No socket, no clock, no thread: times are passed in. */
export class CallReceiver {
  readonly latching: Latching;
  readonly stream = new RtpReceiveStream();
  readonly jitter: JitterBuffer;
  readonly timeout: RtpTimeout;
  /** Not RTP, not a payload type of the call, or not from whom it should be. */
  rejected = 0;
  readonly #keys = new DtmfReceiver();
  #tones: DtmfToneDetector | undefined;
  readonly #noise = new ComfortNoise();
  #noisy = false; // the sender is in comfort noise
  #media: NegotiatedMedia | undefined;
  #started = false;

  constructor(
    options: ReceiverOptions,
    remote: RemoteEndpoint,
    readonly handlers: ReceiverHandlers,
  ) {
    this.latching = new Latching(remote, options.former);
    this.jitter = new JitterBuffer(options.jitter);
    this.timeout = new RtpTimeout(options.rtpTimeoutMs);
  }

  configure(media: NegotiatedMedia, nowMs: number): void {
    this.#media = media;
    this.latching.configure(media.remote, media.signallingAddress);
    this.timeout.configure(media.direction, nowMs);
    if (media.dtmfPayloadType !== undefined) this.#tones = undefined;
    else this.#tones ??= new DtmfToneDetector();
  }

  /** One datagram of the RTP port that is not RTCP. Whatever it holds. */
  receive(datagram: Buffer, address: string, port: number, nowMs: number): void {
    const packet = parseRtpPacket(datagram);
    if (typeof packet === 'string' || !this.#media || !this.#isOurs(packet.payloadType, this.#media)) {
      this.rejected += 1;
      return;
    }
    const verdict = this.latching.receive({ address, port }, packet, nowMs);
    if (verdict === 'wait') return;
    if (verdict === 'reject') {
      this.rejected += 1;
      return;
    }
    this.timeout.heard(nowMs);
    this.#take(packet, this.#media, nowMs);
    if (verdict === 'latched') this.handlers.onLatched({ address, port });
  }

  /** Fills `into` (160 samples) with the caller's next 20 ms. */
  frame(into: Int16Array, nowMs: number): PopResult {
    const result = this.jitter.pop(into, sampleTime(nowMs));
    if (result === 'silence' && this.#noisy) this.#noise.fill(into);
    this.#tones?.push(into, this.handlers.onKey);
    const key = this.#keys.expire(nowMs);
    if (key) this.handlers.onKey(key);
    return result;
  }

  #take(packet: RtpPacket, media: NegotiatedMedia, nowMs: number): void {
    const arrival = this.stream.update(packet.sequence, packet.ssrc);
    if (arrival === 'duplicate' || arrival === 'stray') return;
    if (arrival === 'restart' && this.#started) this.jitter.reset();
    this.#started = true;
    if (packet.payloadType === media.dtmfPayloadType) {
      this.#takeEvent(packet, nowMs);
    } else if (this.#isComfortNoise(packet.payloadType, media)) {
      const level = parseComfortNoise(packet.payload);
      if (level !== undefined) this.#noise.setLevel(level);
      this.#noisy = level !== undefined;
      this.jitter.pause();
    } else if (media.direction === 'sendrecv' || media.direction === 'recvonly') {
      this.#noisy = false;
      this.stream.measureJitter(packet.timestamp, nowMs);
      const decode = this.#isAlaw(packet.payloadType, media) ? ALAW_DECODE : MULAW_DECODE;
      this.jitter.push(packet.timestamp, packet.payload, decode, arrival === 'next', sampleTime(nowMs));
    }
  }

  #takeEvent(packet: RtpPacket, nowMs: number): void {
    const event = parseDtmfEvent(packet.payload);
    if (!event) {
      this.rejected += 1;
      return;
    }
    for (const key of this.#keys.push(event, packet.timestamp, packet.marker, nowMs)) this.handlers.onKey(key);
  }

  /** Both G.711 laws under their static numbers are taken whatever was agreed: peers mix them up and it costs nothing. */
  #isOurs(payloadType: number, media: NegotiatedMedia): boolean {
    return (
      payloadType === media.payloadType ||
      payloadType === media.dtmfPayloadType ||
      payloadType === PCMU_PAYLOAD_TYPE ||
      payloadType === PCMA_PAYLOAD_TYPE ||
      this.#isComfortNoise(payloadType, media)
    );
  }

  #isComfortNoise(payloadType: number, media: NegotiatedMedia): boolean {
    return payloadType === (media.comfortNoisePayloadType ?? COMFORT_NOISE_PAYLOAD_TYPE);
  }

  #isAlaw(payloadType: number, media: NegotiatedMedia): boolean {
    return payloadType === media.payloadType ? media.codec === 'PCMA' : payloadType === PCMA_PAYLOAD_TYPE;
  }
}

/** Local time on the codec's clock. */
const sampleTime = (nowMs: number): number => uint32(Math.round(nowMs * 8));
