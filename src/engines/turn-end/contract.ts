/** What the caller has said of the turn so far, with the silence after it; the end where it is long. */
export interface TurnSound {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}

/** Whether a turn sounds as if it were over, by its melody and pace. Beside the words, never in their place. */
export interface TurnEndModel {
  readonly name: string;
  /** How likely `judge` has to find it complete for it to be. */
  readonly complete: number;
  /** Undefined, or why nobody can be judged now. */
  readonly why: string | undefined;
  /** A call rings: it may be needed soon. Never throws. */
  warmUp(): void;
  /**
   * @param sound - it is read before this returns.
   * @param signal - aborts when nobody waits for it any more: the promise rejects.
   * @returns how likely the turn is complete, 0..1.
   * @throws ServiceError `unavailable` where it cannot be judged now, at once where too many are.
   */
  judge(sound: TurnSound, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}
