/** Turn-taking defaults of a gateway; an agent may override what its definition names. Times in milliseconds. */
export interface ConversationSettings {
  readonly greetingDelayMs: number; // from the answer to the greeting
  readonly vadStartMs: number; // voiced time that counts as speech
  readonly vadHangoverMs: number; // silence that ends a stretch
  readonly vadLevelDb: number; // over the noise floor
  readonly endpointingMinMs: number; // silence after a turn that is complete
  readonly endpointingMs: number; // after one that may be
  readonly endpointingMaxMs: number; // after one that plainly goes on
  readonly bargeInMs: number; // voice that interrupts without words
  readonly bargeInWords: number; // words that interrupt
  /** Listening noises that never interrupt, beside the usual ones. */
  readonly backchannels: readonly string[];
  readonly resumeAfterMs: number; // an interruption that was nothing: silence after which the cut sentence goes on
  readonly noInputMs: number;
  readonly maxNoInputs: number; // silences in a row after which the call ends, whatever the reply engine says
  readonly replyTimeoutMs: number; // to the first text
  readonly synthesisTimeoutMs: number; // to the first audio
  readonly maxFailures: number; // engine failures in a row that end the call
}
