/** Turn-taking defaults of a gateway; an agent may override what its definition names. Times in milliseconds. */
export interface ConversationSettings {
  readonly vadStartMs: number; // voiced time that counts as speech
  readonly vadHangoverMs: number; // silence that ends a stretch
  readonly vadLevelDb: number; // over the noise floor
  readonly endpointingMinMs: number; // silence after a turn that reads complete
  readonly endpointingMaxMs: number; // silence after one that does not
  readonly bargeInMs: number; // speech that interrupts
  readonly bargeInWords: number; // words that interrupt, if recognised earlier
  /** Listening noises that never interrupt, per language. */
  readonly backchannels: readonly string[];
  readonly resumeAfterMs: number; // an interruption that was nothing: silence after which the cut sentence goes on
  readonly noInputMs: number;
  readonly maxNoInputs: number; // silences in a row after which the call ends, whatever the reply engine says
  readonly replyTimeoutMs: number; // to the first text
  readonly synthesisTimeoutMs: number; // to the first audio
  readonly maxFailures: number; // engine failures in a row that end the call
}
