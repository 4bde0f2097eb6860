declare module '@evan/opus/wasm/index.mjs' {
  export class Encoder {
    constructor(options: {
      channels: 1 | 2;
      sample_rate: number;
      application: 'voip' | 'audio' | 'restricted_lowdelay';
    });
    /** Reads a setting of libopus; with `value` sets it. */
    ctl(command: number, value?: number): number;
    /** @param frame - 16-bit samples of one frame. @returns a copy. */
    encode(frame: ArrayBufferView): Uint8Array;
    /** Frees the encoder's memory. */
    drop(): void;
  }
}
