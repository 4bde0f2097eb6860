import type { Voice } from '../../core/voice.ts';

export interface TtsRequest {
  readonly text: string; // one sentence or short paragraph, already normalised
  readonly voice: Voice;
  readonly sampleRateHz: number; // wanted rate of the chunks
  readonly speed: number; // 0.5..2, 1 is the voice's own
  readonly pitchSemitones: number; // -12..12; 0 where the model ignores pitch
}

/**
 * Chunks of signed 16-bit mono PCM at the asked rate, in order, as they are produced; any length, never empty.
 * Ends when the sentence is complete. Failure: throws ServiceError `synthesis_failed` or `unavailable`.
 * Aborting `signal` (barge-in) stops the work at once and ends the iteration without an error.
 */
export type TtsStream = AsyncIterable<Int16Array>;

export interface TtsEngine {
  readonly name: string;
  available(): { readonly ok: true } | { readonly ok: false; readonly why: string };
  synthesize(request: TtsRequest, signal: AbortSignal): TtsStream;
  close(): Promise<void>;
}
