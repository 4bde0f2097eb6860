/** Of the WAV that the gateway sends of a call that goes on: 16-bit samples in turns, after a header of so many bytes. */
const HEADER_BYTES = 44;
const RATE_AT = 24;
const CHANNELS_AT = 22;

export interface StereoPiece {
  readonly rateHz: number;
  /** Of equal length, -1..1. */
  readonly channels: readonly [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>];
}

/** Takes bytes as a network cuts them, and gives whole moments of both channels. */
export class WavStream {
  #rest = new Uint8Array(0);
  #rateHz: number | undefined;

  /** @returns undefined where no whole moment is there yet. @throws Error for what is no such WAV. */
  push(bytes: Uint8Array): StereoPiece | undefined {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const from = this.#rateHz === undefined ? HEADER_BYTES : 0;
    if (all.length < from) {
      this.#rest = all;
      return undefined;
    }
    const view = new DataView(all.buffer);
    this.#rateHz ??= rateOf(view);
    const moments = (all.length - from) >> 2;
    this.#rest = all.slice(from + moments * 4);
    if (moments === 0) return undefined;
    const channels = [new Float32Array(moments), new Float32Array(moments)] as const;
    for (let n = 0; n < moments; n += 1) {
      channels[0][n] = view.getInt16(from + n * 4, true) / 32_768;
      channels[1][n] = view.getInt16(from + n * 4 + 2, true) / 32_768;
    }
    return { rateHz: this.#rateHz, channels };
  }
}

function rateOf(header: DataView): number {
  const isWav = header.getUint32(0) === 0x52494646; // RIFF
  if (!isWav || header.getUint16(CHANNELS_AT, true) !== 2) throw new Error('no WAV of two channels');
  return header.getUint32(RATE_AT, true);
}
