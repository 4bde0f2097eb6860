/** What the thread of the encoder is started with, is asked and answers. */
export interface EncoderThreadData {
  readonly folder: string;
}
export interface ToEncoder {
  readonly id: number;
  readonly texts: readonly string[];
}
export type FromEncoder =
  | { readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly id: number; readonly why: string };
