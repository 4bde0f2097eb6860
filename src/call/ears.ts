import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { SttHints, SttStream } from '../engines/stt/contract.ts';
import type { VadDetector } from '../engines/vad/contract.ts';

/** What hearing one side takes. */
export interface HearingParts {
  readonly vad: VadDetector;
  /** The best rate that the recogniser takes; the telephone's where it is left out. */
  readonly hearingRateHz?: number;
  /**
   * Opens a recogniser for the agent's language, or says there is none: then the keypad serves.
   *
   * @param sampleRateHz - of the frames it will be given.
   */
  readonly openStt: (hints: SttHints, signal: AbortSignal, sampleRateHz: number) => SttStream | undefined;
}

/** Recognisers, one after the other as they fail. */
export interface Ears {
  readonly hearingRateHz: number;
  /** How much of the end of what is said is kept for who judges its sound, in frames of 20 ms; none by default. */
  readonly keptFrames?: number;
  /** @param signal - aborts when nobody will hear what is recognised. */
  open(signal: AbortSignal, sampleRateHz: number): SttStream | undefined;
}

/** @param hints - asked for whenever one is opened. */
export function earsOf(parts: Omit<HearingParts, 'vad'>, hints: () => SttHints, keptFrames = 0): Ears {
  return {
    keptFrames,
    hearingRateHz: parts.hearingRateHz ?? TELEPHONE_RATE_HZ,
    open: (signal, sampleRateHz) => parts.openStt(hints(), signal, sampleRateHz),
  };
}
