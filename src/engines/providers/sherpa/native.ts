/** The part of `sherpa-onnx-node` that is used. Samples are -1..1. */
export interface SherpaLibrary {
  readonly OnlineRecognizer: new (config: object) => OnlineRecognizer;
  readonly OfflineRecognizer: new (config: object) => OfflineRecognizer;
  readonly OfflineTts: new (config: object) => OfflineTts;
  readonly Vad: new (config: object, bufferSeconds: number) => Vad;
}
export interface Waveform {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}
export interface OnlineStream {
  acceptWaveform(wave: Waveform): void;
  inputFinished(): void;
}
export interface OnlineRecognizer {
  createStream(): OnlineStream;
  isReady(stream: OnlineStream): boolean;
  /** Of streams that are all ready. */
  decodeStreams(streams: readonly OnlineStream[]): void;
  getResult(stream: OnlineStream): NativeResult;
}
export interface OfflineRecognizer {
  createStream(): { acceptWaveform(wave: Waveform): void };
  decode(stream: unknown): void;
  getResult(stream: unknown): NativeResult;
}
/** Tokens begin at `timestamps`, in seconds of the stretch; probabilities are logarithms, where a model tells them. */
export interface NativeResult {
  readonly text: string;
  readonly tokens?: readonly string[];
  readonly timestamps?: readonly number[];
  readonly ys_probs?: readonly number[];
  readonly ys_log_probs?: readonly number[];
  readonly lang?: string;
}
export interface OfflineTts {
  readonly sampleRate: number;
  readonly numSpeakers: number;
  /** `onProgress` returns 0 to stop before the next part. */
  generateAsync(order: {
    readonly text: string;
    readonly sid: number;
    readonly speed: number;
    readonly enableExternalBuffer: boolean;
    readonly onProgress?: (part: { readonly samples: Float32Array }) => number;
  }): Promise<Waveform>;
}
export interface Vad {
  acceptWaveform(samples: Float32Array): void;
  isDetected(): boolean;
  isEmpty(): boolean;
  flush(): void;
  reset(): void;
  clear(): void;
}
