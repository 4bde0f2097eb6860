import {
  ALAW_DECODE,
  ALAW_ENCODE,
  ALAW_SILENCE,
  encodeG711,
  MULAW_DECODE,
  MULAW_ENCODE,
  MULAW_SILENCE,
} from '../../audio/g711.ts';
import { TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import type { AudioCodec } from '../description.ts';
import { type Codec, type Decoder, type Encoder, RTP_CLOCK_HZ } from './codec.ts';

/** G.711 has no memory and a byte for each sample: its coders are tables. */
class G711Codec implements Codec {
  readonly sampleRateHz = TELEPHONE_RATE_HZ;
  readonly clockRateHz = RTP_CLOCK_HZ;
  constructor(
    readonly name: AudioCodec,
    readonly payloadType: number,
    readonly decodeTable: Int16Array,
    readonly encodeTable: Uint8Array,
    readonly silenceByte: number,
  ) {}

  ticksOf(payloadBytes: number): number {
    return payloadBytes;
  }
  decoder(): Decoder {
    return new G711Decoder(this, this.decodeTable);
  }
  encoder(): Encoder {
    return new G711Encoder(this.encodeTable, this.silenceByte);
  }
}

class G711Decoder implements Decoder {
  constructor(
    readonly codec: Codec,
    readonly table: Int16Array,
  ) {}

  decode(payload: Uint8Array, bytes: number, into: Int16Array, at: number): number {
    const { table } = this;
    for (let i = 0; i < bytes; i += 1) into[at + i] = table[payload[i] as number] as number;
    return bytes;
  }
  reset(): void {}
}

class G711Encoder implements Encoder {
  constructor(
    readonly table: Uint8Array,
    readonly silenceByte: number,
  ) {}

  encode(samples: Int16Array, into: Uint8Array, at: number): number {
    return encodeG711(this.table, samples, into, at);
  }
  silence(samples: number, into: Uint8Array, at: number): number {
    into.fill(this.silenceByte, at, at + samples);
    return samples;
  }
}

export const PCMU: Codec = new G711Codec('PCMU', 0, MULAW_DECODE, MULAW_ENCODE, MULAW_SILENCE);
export const PCMA: Codec = new G711Codec('PCMA', 8, ALAW_DECODE, ALAW_ENCODE, ALAW_SILENCE);
