import type { TellUse } from '../../core/service-use.ts';
import type { Voice } from '../../core/voice.ts';

export interface TtsRequest {
  readonly text: string; // one sentence or short paragraph, already normalised
  readonly voice: Voice;
  readonly sampleRateHz: number; // wanted rate of the chunks
  readonly speed: number; // 0.5..2, 1 is the voice's own
  readonly pitchSemitones: number; // -12..12; 0 where the model ignores pitch
  /** Told what a service was sent for this sentence. Shapes no sound. */
  readonly used?: TellUse;
  /**
   * Nobody waits for it: it is spoken while nobody else uses the engine, by the first one alone, given up with `unavailable` as soon
   * as somebody does, and remembered at once. Shapes no sound.
   */
  readonly ahead?: boolean;
}

/** Where a piece of the text sounds: `text.slice(charStart, charEnd)` begins `atMs` after the first sample of the sentence. */
export interface SpeechMark {
  readonly charStart: number;
  readonly charEnd: number;
  readonly atMs: number;
}

/** Samples, and the marks of words that an engine knows by then: in order, no later than with the samples that they are about. */
export type TtsChunk = Int16Array & { readonly marks?: readonly SpeechMark[] };

/** The samples with marks, which travel with them; none where there are none. */
export function withMarks(samples: Int16Array, marks: readonly SpeechMark[]): TtsChunk {
  return marks.length === 0 ? samples : Object.assign(samples, { marks });
}

/**
 * Chunks of signed 16-bit mono PCM at the asked rate, in order, as they are produced; any length, never empty.
 * Ends when the sentence is complete. Failure: throws ServiceError `synthesis_failed` or `unavailable`; a text with words
 * that became no sound at all has failed. Aborting `signal` (barge-in) stops the work at once and ends the iteration
 * without an error.
 */
export type TtsStream = AsyncIterable<TtsChunk>;

export interface TtsEngine {
  readonly name: string;
  /** Engines that send texts to a service are another type, and come in by `speech-privacy.ts` alone. */
  readonly remote?: false;
  available(): { readonly ok: true } | { readonly ok: false; readonly why: string };
  /**
   * Everything of this engine that shapes how a voice sounds, beside the request: its own id of the voice, model, settings,
   * revision. What was spoken is remembered under it.
   */
  soundOf(voice: Voice): string;
  /** Whether it knows the language of this voice; where it does not, another engine speaks. Without it: all. */
  canSpeak?(voice: Voice): boolean;
  /** A sentence will be asked for soon: what takes time is done now. Never throws, is never waited for. */
  warmUp?(): void;
  synthesize(request: TtsRequest, signal: AbortSignal): TtsStream;
  close(): Promise<void>;
}

/**
 * Voices of a service, which gets what agents say as callers hear it, with names and numbers. `remote` keeps them out of every
 * place where a `TtsEngine` is wanted.
 */
export interface RemoteTts extends Omit<TtsEngine, 'remote'> {
  readonly remote: true;
}
