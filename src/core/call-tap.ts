/** What both sides of a call say, for somebody who listens: caller left, agent right, 16-bit samples in turns. */
export interface CallTap {
  readonly sampleRateHz: number;
  /** Fills `into` with what came since the last reading, as far as it has room. @returns samples, both sides counted. */
  read(into: Int16Array): number;
  /** The call is over: what is read now is the last of it. */
  readonly isOver: boolean;
  /** Idempotent. */
  close(): void;
}
