import type { SoundMean } from './cepstral-mean.ts';
import type { SttHints } from './contract.ts';
import type { SpeechModel } from './model-folder.ts';

/** Handed to a recognition worker when it starts. */
export interface WorkerSetup {
  readonly model: SpeechModel;
  readonly fillerWeight: number;
  readonly minFit: number;
  /** Decoders that hear speech as it is spoken; of more stretches at once some wait for one, or for their end. */
  readonly liveDecodersMax: number;
  /** Without a stretch of speech for so long, all decoders are given back; one that was not needed for so long, by itself. */
  readonly idleMs: number;
  /** This worker takes free speech, and nothing else; it is a process of its own, there while it is needed. */
  readonly free: boolean;
}
export type Say = (message: FromWorker, transfer?: ArrayBuffer[]) => void;
export type RecogniserMessage = Exclude<ToWorker, { readonly type: 'close' }>;

/** A stretch of speech is begun, fed and finished or dropped; `id` names it. */
export type ToWorker =
  | {
      readonly type: 'begin';
      readonly id: number;
      readonly hints: SttHints;
      readonly interim: boolean;
      /** The stretch itself comes back with a final of less confidence, and with one of nothing; absent: never. */
      readonly keepBelow?: number | undefined;
      /** Of `sentences`: what the speaker is likely to say, in free speech. */
      readonly list?: number | undefined;
      /** How the same caller sounded before. */
      readonly sound?: SoundMean | undefined;
    }
  | { readonly type: 'audio'; readonly id: number; readonly samples: Int16Array }
  | { readonly type: 'finish'; readonly id: number }
  | { readonly type: 'drop'; readonly id: number }
  /** Sentences that stretches of free speech name by their number. */
  | { readonly type: 'sentences'; readonly list: number; readonly lines: readonly string[] }
  /** Makes ready what stretches with these hints, or of this list, need. */
  | { readonly type: 'prepare'; readonly hints: SttHints; readonly list?: number | undefined }
  /** The thread ends by itself: a thread terminated inside a native call takes the whole process with it. */
  | { readonly type: 'close' };

export type FromWorker =
  | { readonly type: 'ready' }
  /** Nobody has spoken for a while: all that can be given back is. */
  | { readonly type: 'idle' }
  /** The library or a model does not load: the thread ends, and another tries it later. */
  | { readonly type: 'unable'; readonly why: string }
  /** `samples` more were worked through: so many may be sent again. */
  | { readonly type: 'taken'; readonly id: number; readonly samples: number }
  | { readonly type: 'interim'; readonly id: number; readonly text: string }
  /** `samples`: the stretch itself, where the sender asked to keep it. */
  | {
      readonly type: 'final';
      readonly id: number;
      readonly text: string;
      readonly confidence: number;
      readonly samples?: Int16Array;
      readonly sound?: SoundMean;
    }
  | { readonly type: 'failed'; readonly id: number; readonly why: string }
  /** What was said of a list is heard as any other speech. */
  | { readonly type: 'no-sentences'; readonly why: string }
  /** No further decoder for interims can be made; those there are go on. */
  | { readonly type: 'fewer-interims'; readonly why: string }
  /** Words of the agent's phrases that cannot be spoken; said once per grammar. */
  | { readonly type: 'unspeakable'; readonly words: readonly string[] };
