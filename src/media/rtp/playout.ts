import { samplesOf } from '../../audio/pcm.ts';
import { uint32 } from '../../core/uint.ts';
import type { Codec, Encoder } from '../codec/codec.ts';
import type { LineNoise } from '../codec/comfort-noise.ts';
import { type RateConverter, rateConverter } from '../codec/rate-converter.ts';
import { DTMF_PAYLOAD_BYTES, writeDtmfEvent } from '../dtmf/dtmf-event.ts';
import { DtmfSender } from '../dtmf/dtmf-sender.ts';
import { dtmfTone } from '../dtmf/dtmf-tone.ts';
import { SRTP_TRAILER_BYTES_MAX } from '../srtp/srtp-suite.ts';
import { RTP_HEADER_BYTES } from './rtp-packet.ts';
import type { RtpSendStream } from './rtp-stream.ts';

export const PTIMES_MS: readonly number[] = [10, 20, 30, 40, 60];
const DEFAULT_PTIME_MS = 20;
/** Room for the longest packet of any codec: G.711 and G.722 have 8 bytes a millisecond. */
const MAX_PAYLOAD_BYTES = 480;

export interface PlayoutFormat {
  readonly codec: Codec;
  readonly payloadType: number;
  readonly ptimeMs: number; // what is not in PTIMES_MS becomes 20
  readonly dtmfPayloadType: number | undefined;
}

/** Where agent audio comes from: the playout ring. */
export interface SampleSource {
  read(into: Int16Array, count?: number): number;
}

/** One packet slot, as `next` made it. */
export interface PlayoutSlot {
  readonly bytes: number; // of `datagram`
  readonly talking: boolean; // holds agent audio
  readonly samples: Int16Array; // what is heard in this slot, for the recording
}

/**
 * Builds the packet of each packet slot into one preallocated datagram. When there is nothing to say it sends silence:
 * NATs on the way stay open and the peer's clock recovery has something to hold on to. The marker bit is set where speech
 * starts after silence (RFC 3551 §4.1).
 */
export class Playout {
  /** With room for what SRTP puts behind the packet. */
  readonly datagram = Buffer.allocUnsafeSlow(RTP_HEADER_BYTES + MAX_PAYLOAD_BYTES + SRTP_TRAILER_BYTES_MAX);
  readonly dtmf = new DtmfSender();
  #format: PlayoutFormat;
  #ptimeMs = DEFAULT_PTIME_MS;
  #ticks = 0; // of one packet
  #slot = new Int16Array(0); // one packet of the call's audio
  #silence = this.#slot; // the same, of zeros that nobody changes
  #noisy = new Int16Array(0); // the same with the noise of the line
  #coded = this.#slot; // the same at the rate of the codec
  #encoder: Encoder;
  #converter: RateConverter | undefined;
  #talking = false;
  #keyStart: number | undefined; // timestamp of all packets of the key that is being sent

  /** @param sampleRateHz - of the agent's audio. */
  constructor(
    readonly stream: RtpSendStream,
    format: PlayoutFormat,
    readonly sampleRateHz: number,
  ) {
    this.#format = format;
    this.#encoder = format.codec.encoder();
    this.#converter = rateConverter(sampleRateHz, format.codec.sampleRateHz);
    this.#resize(format);
  }

  get ptimeMs(): number {
    return this.#ptimeMs;
  }

  configure(format: PlayoutFormat): void {
    const { codec } = format;
    if (codec !== this.#format.codec) {
      this.#encoder = codec.encoder();
      this.#converter = rateConverter(this.sampleRateHz, codec.sampleRateHz);
    }
    this.#format = format;
    this.#resize(format);
  }

  #resize({ codec, ptimeMs }: PlayoutFormat): void {
    this.#ptimeMs = PTIMES_MS.includes(ptimeMs) ? ptimeMs : DEFAULT_PTIME_MS;
    this.#ticks = samplesOf(this.#ptimeMs, codec.clockRateHz);
    this.#slot = new Int16Array(samplesOf(this.#ptimeMs, this.sampleRateHz));
    this.#silence = new Int16Array(this.#slot.length);
    this.#noisy = new Int16Array(this.#slot.length);
    this.#coded = this.#converter ? new Int16Array(samplesOf(this.#ptimeMs, codec.sampleRateHz)) : this.#slot;
    this.stream.clockRateHz = codec.clockRateHz;
  }

  /**
   * Fills `datagram` with the packet of this slot and moves the media time on. Without `source`: silence.
   *
   * @param noise - is under what is sent, and in no recording.
   */
  next(source: SampleSource | undefined, noise?: LineNoise): PlayoutSlot {
    const slot = this.dtmf.busy ? this.#keySlot() : this.#audioSlot(source, noise);
    this.stream.advance(this.#ticks);
    return slot;
  }

  /** Slots in which nothing may be sent: the media time moves on all the same. */
  skip(slots = 1): void {
    this.stream.advance(slots * this.#ticks);
    this.#talking = false;
  }

  #audioSlot(source: SampleSource | undefined, noise: LineNoise | undefined): PlayoutSlot {
    const taken = source?.read(this.#slot) ?? 0;
    if (taken === 0) return this.#audioPacket(this.#silence, false, noise);
    if (taken < this.#slot.length) this.#slot.fill(0, taken);
    return this.#audioPacket(this.#slot, true, noise);
  }

  #audioPacket(samples: Int16Array, talking: boolean, noise?: LineNoise): PlayoutSlot {
    const marker = talking && !this.#talking;
    this.#talking = talking;
    const bytes = this.#encode(samples, talking, noise);
    this.stream.writeHeader(this.datagram, this.#format.payloadType, marker, bytes, this.stream.timestamp);
    return { bytes: RTP_HEADER_BYTES + bytes, talking, samples };
  }

  /** @returns bytes of the payload. A converter has a memory: it is given silence, too. */
  #encode(said: Int16Array, talking: boolean, noise: LineNoise | undefined): number {
    const { datagram } = this;
    const converter = this.#converter;
    const encoder = this.#encoder;
    if (!converter && !talking) {
      if (!noise) return encoder.silence(said.length, datagram, RTP_HEADER_BYTES);
      if (encoder.table) return noise.alone(encoder.table, said.length, datagram, RTP_HEADER_BYTES);
    }
    noise?.under(said, this.#noisy);
    const samples = noise ? this.#noisy : said;
    converter?.convert(samples, this.#coded);
    return encoder.encode(converter ? this.#coded : samples, datagram, RTP_HEADER_BYTES);
  }

  #keySlot(): PlayoutSlot {
    const samples = this.#slot;
    const { dtmfPayloadType, codec } = this.#format;
    if (dtmfPayloadType === undefined) {
      this.#keyStart = undefined;
      const key = this.dtmf.nextTone(this.#ticks);
      if (key) dtmfTone(samples, key.event, (key.offset * this.sampleRateHz) / codec.clockRateHz, this.sampleRateHz);
      return this.#audioPacket(key ? samples : this.#silence, key !== undefined);
    }
    const key = this.dtmf.next(this.#ticks);
    if (!key) return this.#audioPacket(this.#silence, false);
    this.#talking = false;
    if (key.marker || this.#keyStart === undefined) this.#keyStart = uint32(this.stream.timestamp - key.offset);
    this.stream.writeHeader(this.datagram, dtmfPayloadType, key.marker, DTMF_PAYLOAD_BYTES, this.#keyStart);
    writeDtmfEvent(this.datagram, RTP_HEADER_BYTES, key.packet);
    return { bytes: RTP_HEADER_BYTES + DTMF_PAYLOAD_BYTES, talking: false, samples: this.#silence };
  }
}
