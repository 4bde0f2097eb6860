import { ALAW_ENCODE, ALAW_SILENCE, encodeG711, MULAW_ENCODE, MULAW_SILENCE } from '../../audio/g711.ts';
import { uint32 } from '../../core/uint.ts';
import type { AudioCodec } from '../description.ts';
import { DTMF_PAYLOAD_BYTES, writeDtmfEvent } from '../dtmf/dtmf-event.ts';
import { DtmfSender } from '../dtmf/dtmf-sender.ts';
import { dtmfTone } from '../dtmf/dtmf-tone.ts';
import { RTP_HEADER_BYTES } from './rtp-packet.ts';
import type { RtpSendStream } from './rtp-stream.ts';

export const PTIMES_MS: readonly number[] = [10, 20, 30, 40, 60];
const MAX_SLOT_SAMPLES = 480;
const DEFAULT_PTIME_MS = 20;

export interface PlayoutFormat {
  readonly codec: AudioCodec;
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
  readonly datagram = Buffer.allocUnsafeSlow(RTP_HEADER_BYTES + MAX_SLOT_SAMPLES);
  readonly dtmf = new DtmfSender();
  readonly #frame = new Int16Array(MAX_SLOT_SAMPLES);
  #slot = this.#frame.subarray(0, DEFAULT_PTIME_MS * 8);
  #format: PlayoutFormat;
  #talking = false;

  constructor(
    readonly stream: RtpSendStream,
    format: PlayoutFormat,
  ) {
    this.#format = format;
    this.configure(format);
  }

  get ptimeMs(): number {
    return this.#slot.length / 8;
  }
  get slotSamples(): number {
    return this.#slot.length;
  }

  configure(format: PlayoutFormat): void {
    this.#format = format;
    const ptimeMs = PTIMES_MS.includes(format.ptimeMs) ? format.ptimeMs : DEFAULT_PTIME_MS;
    this.#slot = this.#frame.subarray(0, ptimeMs * 8);
  }

  /** Fills `datagram` with the packet of this slot and moves the media time on. Without `source`: silence. */
  next(source: SampleSource | undefined): PlayoutSlot {
    const slot = this.dtmf.busy ? this.#keySlot() : this.#audioSlot(source);
    this.stream.advance(this.#slot.length);
    return slot;
  }

  /** A slot in which nothing may be sent: the media time moves on all the same. */
  skip(samples = this.#slot.length): void {
    this.stream.advance(samples);
    this.#talking = false;
  }

  #audioSlot(source: SampleSource | undefined): PlayoutSlot {
    const taken = source?.read(this.#slot) ?? 0;
    if (taken < this.#slot.length) this.#slot.fill(0, taken);
    return this.#audioPacket(taken > 0);
  }

  #audioPacket(talking: boolean): PlayoutSlot {
    const { codec, payloadType } = this.#format;
    const samples = this.#slot;
    const marker = talking && !this.#talking;
    this.#talking = talking;
    this.stream.writeHeader(this.datagram, payloadType, marker, samples.length, this.stream.timestamp);
    if (talking) {
      encodeG711(codec === 'PCMU' ? MULAW_ENCODE : ALAW_ENCODE, samples, this.datagram, RTP_HEADER_BYTES);
    } else {
      this.datagram.fill(codec === 'PCMU' ? MULAW_SILENCE : ALAW_SILENCE, RTP_HEADER_BYTES);
    }
    return { bytes: RTP_HEADER_BYTES + samples.length, talking, samples };
  }

  #keySlot(): PlayoutSlot {
    const samples = this.#slot;
    const { dtmfPayloadType } = this.#format;
    if (dtmfPayloadType === undefined) {
      const key = this.dtmf.nextTone(samples.length);
      if (key) dtmfTone(samples, key.event, key.offset);
      else samples.fill(0);
      return this.#audioPacket(key !== undefined);
    }
    samples.fill(0);
    const key = this.dtmf.next(samples.length);
    if (!key) return this.#audioPacket(false);
    this.#talking = false;
    const timestamp = uint32(this.stream.timestamp - key.offset); // every packet of an event carries its start
    this.stream.writeHeader(this.datagram, dtmfPayloadType, key.marker, DTMF_PAYLOAD_BYTES, timestamp);
    writeDtmfEvent(this.datagram, RTP_HEADER_BYTES, key.packet);
    return { bytes: RTP_HEADER_BYTES + DTMF_PAYLOAD_BYTES, talking: false, samples };
  }
}
