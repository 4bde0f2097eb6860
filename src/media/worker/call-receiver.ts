import { FRAME_MS, samplesOf } from '../../audio/pcm.ts';
import { uint32 } from '../../core/uint.ts';
import type { Codec, Decoder } from '../codec/codec.ts';
import { CODECS } from '../codec/codecs.ts';
import { COMFORT_NOISE_PAYLOAD_TYPE, ComfortNoise, parseComfortNoise } from '../codec/comfort-noise.ts';
import { type RateConverter, rateConverter } from '../codec/rate-converter.ts';
import type { NegotiatedMedia } from '../description.ts';
import { DTMF_DIGITS, parseDtmfEvent } from '../dtmf/dtmf-event.ts';
import { type DtmfKey, DtmfReceiver } from '../dtmf/dtmf-receiver.ts';
import { DtmfToneDetector } from '../dtmf/dtmf-tone-detector.ts';
import { hearsTones } from '../dtmf/key-way.ts';
import { JitterBuffer, type PopResult } from '../rtp/jitter-buffer.ts';
import type { JitterLimits } from '../rtp/jitter-estimate.ts';
import { type FormerStream, Latching } from '../rtp/latching.ts';
import type { RemoteEndpoint, Source } from '../rtp/remote-endpoint.ts';
import { parseRtpPacket, RTP_HEADER_BYTES, type RtpPacket } from '../rtp/rtp-packet.ts';
import { RtpReceiveStream } from '../rtp/rtp-stream.ts';
import { RtpTimeout } from '../rtp/rtp-timeout.ts';
import { rtpSsrc } from '../srtp/srtp-packet.ts';
import type { CallSecurity } from './call-security.ts';

/** How a key came: as an event of its own, or heard in the audio. */
export type KeyMeans = 'event' | 'tone';

export interface ReceiverHandlers {
  onKey(key: DtmfKey, means: KeyMeans): void;
  onLatched(source: Source): void;
}

export interface ReceiverOptions {
  readonly jitter: JitterLimits;
  readonly rtpTimeoutMs: number;
  readonly sampleRateHz: number; // of the frames
  /** Streams of earlier calls on the same port. */
  readonly former?: readonly FormerStream[];
  /** Opens what comes, where media is encrypted. */
  readonly security?: CallSecurity;
}

/** Everything between a datagram and a frame of 20 ms. No socket, no clock, no thread: times are passed in. */
export class CallReceiver {
  readonly latching: Latching;
  readonly stream = new RtpReceiveStream();
  #jitter: JitterBuffer;
  readonly timeout: RtpTimeout;
  readonly #security: CallSecurity | undefined; // of its own: `options` has another shape for every call, which makes each look at it slow
  /** Not RTP, not a payload type of the call, or not from whom it should be. */
  rejected = 0;
  readonly #keys = new DtmfReceiver();
  #tones: DtmfToneDetector | undefined;
  readonly #noise = new ComfortNoise();
  #noisy = false; // the sender is in comfort noise
  #media: NegotiatedMedia | undefined;
  /** Of the codecs that may arrive, by payload type. */
  readonly #decoders = new Map<number, Decoder>();
  // What is asked for every packet, of the agreed media and of the packet before it.
  #isHeard = false;
  #keyType: number | undefined;
  #noiseType = COMFORT_NOISE_PAYLOAD_TYPE;
  #lastType: number | undefined;
  #lastDecoder: Decoder | undefined;
  #codec: Codec = CODECS.PCMU;
  #coded = new Int16Array(0); // a frame at the rate of the codec, where it is not that of the call
  #converter: RateConverter | undefined;
  #started = false;
  #frameAtMs = 0;
  #keyUntilMs = 0;

  constructor(
    readonly options: ReceiverOptions,
    remote: RemoteEndpoint,
    readonly handlers: ReceiverHandlers,
  ) {
    this.#security = options.security;
    this.latching = new Latching(remote, options.former);
    this.#jitter = new JitterBuffer(options.jitter, this.#codec);
    this.timeout = new RtpTimeout(options.rtpTimeoutMs);
  }

  configure(media: NegotiatedMedia, nowMs: number): void {
    this.#media = media;
    this.#isHeard = media.direction === 'sendrecv' || media.direction === 'recvonly';
    this.#keyType = media.dtmfPayloadType;
    this.#noiseType = media.comfortNoisePayloadType ?? COMFORT_NOISE_PAYLOAD_TYPE;
    this.latching.configure(media.remote, media.signallingAddress);
    this.timeout.configure(media.direction, nowMs);
    if (!hearsTones(media)) this.#tones = undefined;
    else this.#tones ??= new DtmfToneDetector(this.options.sampleRateHz);
    this.#useCodec(CODECS[media.codec], media.payloadType);
  }

  get jitter(): JitterBuffer {
    return this.#jitter;
  }
  /** Samples of a frame. */
  get frameSamples(): number {
    return samplesOf(FRAME_MS, this.options.sampleRateHz);
  }

  /** One datagram of the RTP port that is not RTCP. Whatever it holds. */
  receive(datagram: Buffer, from: Source, nowMs: number): void {
    const clear = this.#security?.suite ? this.#open(datagram, from, nowMs) : datagram;
    const packet = clear && parseRtpPacket(clear);
    if (!packet || typeof packet === 'string' || !this.#media || !this.#isOurs(packet.payloadType)) {
      this.rejected += 1;
      return;
    }
    const verdict = this.latching.receive(from, packet, nowMs);
    if (verdict === 'wait') return;
    if (verdict === 'reject') {
      this.rejected += 1;
      return;
    }
    this.timeout.heard(nowMs);
    this.#take(packet, nowMs);
    if (verdict === 'latched') this.handlers.onLatched(from);
  }

  /**
   * True while the frame that was given last is part of a key: no speech, whatever it sounds like. A telephone that sends an event
   * may send its tone, too, which waits in the jitter buffer.
   */
  get isKey(): boolean {
    return this.#tones?.sounding === true || this.isEvent;
  }
  /** The same of keys that come as events. */
  get isEvent(): boolean {
    return this.#frameAtMs < this.#keyUntilMs;
  }

  /**
   * Whoever cannot be the peer is not worth a decryption, and must not use up the place of a packet whose copy it sends. Everything else
   * that is believed is told by authentic packets only.
   */
  #open(datagram: Buffer, from: Source, nowMs: number): Buffer | undefined {
    if (datagram.length < RTP_HEADER_BYTES || !this.latching.mayBelieve(from, rtpSsrc(datagram), nowMs))
      return undefined;
    return this.#security?.openRtp(datagram, nowMs);
  }

  /** Fills `into` (`frameSamples`) with the caller's next 20 ms. */
  frame(into: Int16Array, nowMs: number): PopResult {
    this.#frameAtMs = nowMs;
    const coded = this.#converter ? this.#coded : into;
    const result = this.#jitter.pop(coded, this.#ticksAt(nowMs));
    this.#converter?.convert(coded, into);
    if (result === 'silence' && this.#noisy) this.#noise.fill(into);
    this.#tones?.push(into, this.#jitter.invented, this.#onTone);
    const key = this.#keys.expire(nowMs);
    if (key) this.handlers.onKey(key, 'event');
    return result;
  }

  readonly #onTone = (key: DtmfKey): void => this.handlers.onKey(key, 'tone');

  #take(packet: RtpPacket, nowMs: number): void {
    const arrival = this.stream.update(packet.sequence, packet.ssrc);
    if (arrival === 'duplicate' || arrival === 'stray') return;
    if (arrival === 'restart' && this.#started) this.#restart();
    this.#started = true;
    if (packet.payloadType === this.#keyType) {
      this.#takeEvent(packet, nowMs);
    } else if (packet.payloadType === this.#noiseType) {
      const level = parseComfortNoise(packet.payload);
      if (level !== undefined) this.#noise.setLevel(level);
      this.#noisy = level !== undefined;
      this.#jitter.pause();
    } else if (this.#isHeard) {
      this.#noisy = false;
      this.stream.measureJitter(packet.timestamp, nowMs);
      const decoder = this.#decoderOf(packet.payloadType);
      if (!decoder) return;
      this.#jitter.push(packet.timestamp, packet.payload, decoder, arrival === 'next', this.#ticksAt(nowMs));
    }
  }

  #takeEvent(packet: RtpPacket, nowMs: number): void {
    const event = parseDtmfEvent(packet.payload);
    if (!event) {
      this.rejected += 1;
      return;
    }
    if (event.event < DTMF_DIGITS.length) {
      this.#keyUntilMs = nowMs + this.#jitter.targetMs + 2 * FRAME_MS;
    }
    for (const key of this.#keys.push(event, packet.timestamp, packet.marker, nowMs)) this.handlers.onKey(key, 'event');
  }

  /**
   * All codecs of the agreed one's rates are taken under their static numbers, whatever was agreed: peers mix up the two laws
   * of G.711, and it costs nothing. Another rate (a re-INVITE to a wideband codec) is another buffer.
   */
  #useCodec(codec: Codec, payloadType: number): void {
    const { options } = this;
    const sameRates = codec.sampleRateHz === this.#codec.sampleRateHz && codec.clockRateHz === this.#codec.clockRateHz;
    if (!sameRates) this.#jitter = new JitterBuffer(options.jitter, codec, this.#jitter.counters);
    if (!sameRates || this.#decoders.size === 0) {
      this.#converter = rateConverter(codec.sampleRateHz, options.sampleRateHz);
      this.#coded = new Int16Array(this.#jitter.frameSamples);
    }
    if (this.#decoders.get(payloadType)?.codec === codec) return;
    this.#codec = codec;
    this.#lastType = undefined;
    this.stream.clockRateHz = codec.clockRateHz;
    this.#decoders.clear();
    for (const other of Object.values(CODECS)) {
      if (other.sampleRateHz === codec.sampleRateHz) this.#decoders.set(other.payloadType, other.decoder());
    }
    this.#decoders.set(payloadType, codec.decoder());
  }

  #restart(): void {
    const key = this.#keys.restart();
    if (key) this.handlers.onKey(key, 'event');
    this.#jitter.reset();
    for (const decoder of this.#decoders.values()) decoder.reset();
  }

  #isOurs(payloadType: number): boolean {
    return (
      payloadType === this.#keyType || payloadType === this.#noiseType || this.#decoderOf(payloadType) !== undefined
    );
  }

  #decoderOf(payloadType: number): Decoder | undefined {
    if (payloadType !== this.#lastType) {
      this.#lastType = payloadType;
      this.#lastDecoder = this.#decoders.get(payloadType);
    }
    return this.#lastDecoder;
  }

  /** Local time on the codec's clock. */
  #ticksAt(nowMs: number): number {
    return uint32(Math.round(samplesOf(nowMs, this.#codec.clockRateHz)));
  }
}
