/** The WASM build of libfvad (WebRTC voice activity detection), as far as it is used here. Pointers are byte offsets. */
declare module '@echogarden/fvad-wasm' {
  export interface FvadModule {
    /** @returns an instance, or 0 when the WASM memory is used up. */
    _fvad_new(): number;
    _fvad_free(instance: number): void;
    _fvad_reset(instance: number): void;
    /** 0 (keeps speech) .. 3 (rejects noise); @returns 0, or -1 when out of range. */
    _fvad_set_mode(instance: number, mode: number): number;
    /** 8000, 16000, 32000 or 48000; @returns 0, or -1. */
    _fvad_set_sample_rate(instance: number, rateHz: number): number;
    /** A frame of 10, 20 or 30 ms; @returns 1 voice, 0 none, -1 wrong length. */
    _fvad_process(instance: number, samples: number, count: number): number;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    readonly HEAP16: Int16Array;
  }
  export default function createFvad(): Promise<FvadModule>;
}
