import type { ModelFiles } from './model-files.ts';

/** What a model's process is started with. */
export interface ModelSetup {
  readonly use: 'ears' | 'voice' | 'turn-end' | 'vad';
  readonly model: ModelFiles;
  readonly threads: number;
  /** Its own, '' where it has several. */
  readonly language: string;
  readonly detector?: ModelFiles;
}

/** Samples of what Silero's detector takes at 8 kHz: 32 ms. */
export const VOICE_WINDOW = 256;

export interface HeardWord {
  readonly text: string;
  readonly startMs: number; // of the stretch
  readonly endMs: number;
}
export interface HeardText {
  readonly text: string;
  readonly confidence: number;
  readonly language?: string;
  readonly words?: readonly HeardWord[];
}

/** Ids are the gateway's: of a stretch of speech, a sentence to be spoken, a turn to be judged, or all streams that are followed. */
export type ToModel =
  | { readonly type: 'begin'; readonly id: number; readonly interim: boolean; readonly rateHz: number }
  | { readonly type: 'audio'; readonly id: number; readonly samples: Int16Array }
  | { readonly type: 'finish'; readonly id: number }
  | {
      readonly type: 'speak';
      readonly id: number;
      readonly text: string;
      readonly speaker: number;
      readonly speed: number;
      readonly rateHz: number;
    }
  /** How what was said so far sounds: as if it were all, or as if more came. */
  | { readonly type: 'judge'; readonly id: number; readonly samples: Int16Array; readonly rateHz: number }
  /** Whether there is a voice in windows of several streams: one window after the other. `over`: streams that are not gone on with. */
  | {
      readonly type: 'windows';
      readonly id: number;
      readonly streams: Uint32Array; // whose each window is
      readonly samples: Int16Array;
      readonly over: Uint32Array;
    }
  | { readonly type: 'drop'; readonly id: number };

export type FromModel =
  | { readonly type: 'ready'; readonly memoryMb: number; readonly speakers?: number }
  | { readonly type: 'unable'; readonly why: string }
  | { readonly type: 'taken'; readonly id: number; readonly samples: number }
  | { readonly type: 'interim'; readonly id: number; readonly text: string }
  | ({ readonly type: 'final'; readonly id: number } & HeardText)
  | { readonly type: 'samples'; readonly id: number; readonly samples: Int16Array }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'judged'; readonly id: number; readonly complete: number } // 0..1
  | { readonly type: 'voices'; readonly id: number; readonly streams: Uint32Array; readonly likely: Float32Array } // 0..1
  | { readonly type: 'failed'; readonly id: number; readonly why: string };

export type Say = (message: FromModel) => void;
/** What a process does with its messages: everything native happens there. */
export interface ModelWork {
  handle(message: ToModel): void;
}
