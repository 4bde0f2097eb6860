import type { PcmFrame } from '../../audio/pcm.ts';
import type { TellUse } from '../../core/service-use.ts';

/** What the caller is likely to say next; an engine uses what it can. Changes within a call with every agent turn. */
export interface SttHints {
  /** Sentences and phrases the agent understands now. */
  readonly phrases: readonly string[];
  /** Kinds of answer the agent waits for. */
  readonly expect: readonly SttExpectation[];
  /** How many digits a number has that is waited for, where all such have the same. */
  readonly digits?: number;
  /**
   * What callers of the agent say in whole sentences, whatever was asked; one list for all its states. An engine may learn from it
   * which words follow which.
   */
  readonly sentences?: readonly string[];
  /** The caller asked to go on in it: heard in it from now on, where there is a choice. `ar`, `en`. */
  readonly language?: string;
}
export type SttExpectation = 'digits' | 'number' | 'date' | 'time' | 'name' | 'phone' | 'yesno' | 'free';

export interface SttOptions {
  readonly language: string; // ar-SA, en-US
  /** All that may be spoken, `language` among them: for engines that tell languages apart by themselves. */
  readonly languages?: readonly string[];
  readonly sampleRateHz: number;
  readonly interim: boolean;
  readonly hints?: SttHints;
  /** Whose speech it is: an engine with more to do than it can shares itself out among accounts. */
  readonly account?: string;
  /** Nobody waits for it on a line: a final may take up to `PATIENT_FINAL_MS` before it is given up. */
  readonly patient?: boolean;
  /** Told what a service was sent for this stream. */
  readonly used?: TellUse;
}

/** A file, or the last words of a live transcription, on a machine that does much else: late is better than not at all. */
export const PATIENT_FINAL_MS = 45_000;

/** One word of a final, in the time of the stream as the final itself. */
export interface SttWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export type SttEvent =
  | { readonly type: 'interim'; readonly text: string } // may be revised
  | {
      readonly type: 'final';
      readonly text: string; // '' when speech was heard and nothing recognised
      readonly confidence: number; // 0..1
      readonly language?: string; // that was spoken, where the engine knows
      readonly startMs: number; // of the stretch, in the audio written
      readonly endMs: number;
      readonly words?: readonly SttWord[]; // where the engine tells them
    };

/**
 * Which audio an engine is to be given.
 *
 * - `whole-stretches`: speech. A stretch whose final was asked for and that goes on is written again from its beginning, and
 *   recognised as one: right for grammars and files.
 * - `new-speech`: speech, every frame once. The text after a flush is what came after it: right for services that bill
 *   what they hear.
 * - `everything`: every frame once, silence too: right for services that tell time by the audio they get.
 */
export type SttFeed = 'whole-stretches' | 'new-speech' | 'everything';

/**
 * Order: (interim* final)*; after end(), the last final if speech is pending, then the iterator finishes.
 * Exactly one final answers each `flush()` that had audio since the previous final.
 */
export interface SttStream extends AsyncIterable<SttEvent> {
  /** Of the engine that hears now; `whole-stretches` where it says nothing. */
  readonly feed?: SttFeed;
  /** Whether the engine that hears now tells all of `SttOptions.languages` apart; where it says nothing, as the engine's capabilities do. */
  readonly tellsApart?: boolean;
  /** Copies the samples. Never blocks; above the engine's `queuedMsMax` the oldest audio is dropped and counted. */
  write(frame: PcmFrame): void;
  /** The speaker paused: settle what was written into a final now. */
  flush(): void;
  /** New expectations from now on (takes effect at the next stretch of speech). */
  hint(hints: SttHints): void;
  end(): void;
}

export interface SttEngine {
  readonly name: string;
  /** Engines that send audio to a service are another type, and come in by `speech-privacy.ts` alone. */
  readonly remote?: false;
  readonly capabilities: {
    readonly interim: boolean;
    readonly sampleRatesHz: readonly number[];
    readonly languages: readonly string[];
    /** It hears all of `SttOptions.languages` in one stream. Without it: `language` alone. */
    readonly tellsApart?: boolean;
  };
  /** Whether this engine can serve `language` now, and if not what to do about it. */
  available(language: string): { readonly ok: true } | { readonly ok: false; readonly why: string };
  /** A stream will be opened soon, while the call still rings: what takes time is done now. Never throws, is never waited for. */
  warmUp?(options: Pick<SttOptions, 'language' | 'languages'>): void;
  /** Failure: the iterator throws ServiceError `unavailable` or `transcription_failed`. Aborting `signal` ends it without an error. */
  open(options: SttOptions, signal: AbortSignal): SttStream;
  close(): Promise<void>;
}

/** Ears that send what callers say to a service. `remote` keeps them out of every place where an `SttEngine` is wanted. */
export interface RemoteStt extends Omit<SttEngine, 'remote'> {
  readonly remote: true;
}
