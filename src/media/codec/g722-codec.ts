import { G722_SAMPLES_PER_BYTE, G722Decoder, G722Encoder } from '../../audio/g722.ts';
import { WIDEBAND_RATE_HZ } from '../../audio/pcm.ts';
import { type Codec, type Decoder, type Encoder, RTP_CLOCK_HZ } from './codec.ts';

/** G.722 at 64 kbit/s: 7 kHz of voice in the bytes of G.711. */
export const G722: Codec = {
  name: 'G722',
  payloadType: 9,
  sampleRateHz: WIDEBAND_RATE_HZ,
  clockRateHz: RTP_CLOCK_HZ,
  ticksOf: (payloadBytes) => (payloadBytes * G722_SAMPLES_PER_BYTE * RTP_CLOCK_HZ) / WIDEBAND_RATE_HZ,
  decoder: () => new G722PacketDecoder(),
  encoder: () => new G722PacketEncoder(),
};

class G722PacketDecoder implements Decoder {
  readonly codec = G722;
  readonly #decoder = new G722Decoder();

  decode(payload: Uint8Array, bytes: number, into: Int16Array, at: number): number {
    return this.#decoder.decode(payload, bytes, into, at);
  }
  reset(): void {
    this.#decoder.reset();
  }
}

class G722PacketEncoder implements Encoder {
  readonly #encoder = new G722Encoder();
  #zeros = new Int16Array(0);

  encode(samples: Int16Array, into: Uint8Array, at: number): number {
    return this.#encoder.encode(samples, into, at);
  }
  /** Its predictor has a memory: silence is coded like everything else. */
  silence(samples: number, into: Uint8Array, at: number): number {
    if (this.#zeros.length !== samples) this.#zeros = new Int16Array(samples);
    return this.#encoder.encode(this.#zeros, into, at);
  }
}
