import type { AudioCodec } from '../description.ts';

/** Payloads of one direction of one call to samples. May have a memory: payloads come in the order they were sent. */
export interface Decoder {
  readonly codec: Codec;
  /** Decodes the first `bytes` of `payload` into `into` from `at` on, which has room. @returns samples written. */
  decode(payload: Uint8Array, bytes: number, into: Int16Array, at: number): number;
  /** The stream begins anew. */
  reset(): void;
}

export interface Encoder {
  /** Of a codec without a memory, `sample & 0xffff` -> code; others have none. */
  readonly table?: Uint8Array;
  /** Encodes `samples` into `into` from `at` on, which has room. @returns bytes written. */
  encode(samples: Int16Array, into: Uint8Array, at: number): number;
  /** Like `encode` of so many zeros. */
  silence(samples: number, into: Uint8Array, at: number): number;
}

/** What one audio codec is to a call. Coders are made for each call and direction. */
export interface Codec {
  readonly name: AudioCodec;
  /** Its static number (RFC 3551 table 4); SDP may map another. */
  readonly payloadType: number;
  /** Of the audio. A whole multiple of the clock rate. */
  readonly sampleRateHz: number;
  /** Of its RTP timestamps. */
  readonly clockRateHz: number;
  /** How long a payload is, in ticks of the RTP clock. */
  ticksOf(payloadBytes: number): number;
  decoder(): Decoder;
  encoder(): Encoder;
}

/**
 * The RTP clock of every codec here, of telephone-event and of comfort noise. G.722 has it in spite of its 16,000 samples a
 * second: a mistake of the first RFC that everybody keeps (RFC 3551 §4.5.2).
 */
export const RTP_CLOCK_HZ = 8000;
export const TICKS_PER_MS = RTP_CLOCK_HZ / 1000;
