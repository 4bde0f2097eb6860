/**
 * Messages of realtime transcription and pieces of streamed speech as the stand-in of ElevenLabs has them. `test/long-clients` holds them
 * against the types of the vendor's own client.
 */
export interface ScribeChunk {
  readonly message_type: 'input_audio_chunk';
  readonly audio_base_64: string;
  readonly commit: boolean;
  readonly sample_rate: number;
  readonly previous_text?: string;
}

export interface ScribeWord {
  readonly text: string;
  readonly start: number; // seconds, as `end`
  readonly end: number;
  readonly type: 'word' | 'spacing';
  readonly logprob?: number;
}

export interface ScribeStarted {
  readonly message_type: 'session_started';
  readonly session_id: string;
  readonly config: {
    readonly sample_rate: number;
    readonly language_code: string | null;
    readonly commit_strategy: 'manual';
    readonly model_id: string;
    readonly keyterms: string[];
    readonly include_timestamps: boolean;
  };
}

export interface ScribeText {
  readonly message_type: 'partial_transcript' | 'committed_transcript';
  readonly text: string;
}

export interface ScribeWords {
  readonly message_type: 'committed_transcript_with_timestamps';
  readonly text: string;
  readonly words: ScribeWord[];
  readonly language_code: string | null;
}

export interface ScribeError {
  readonly message_type:
    | 'error'
    | 'auth_error'
    | 'quota_exceeded'
    | 'commit_throttled'
    | 'transcriber_error'
    | 'unaccepted_terms'
    | 'rate_limited'
    | 'input_error'
    | 'invalid_request'
    | 'queue_overflow'
    | 'resource_exhausted'
    | 'session_time_limit_exceeded'
    | 'chunk_size_exceeded'
    | 'insufficient_audio_activity';
  readonly error: string;
}

export type ScribeMessage = ScribeStarted | ScribeText | ScribeWords | ScribeError;

/** A piece of sound with the times of the letters that begin in it. */
export interface TimedSpeech {
  readonly audio_base64: string;
  readonly alignment: LetterTimes;
  readonly normalized_alignment: LetterTimes;
}

export interface LetterTimes {
  readonly characters: string[];
  readonly character_start_times_seconds: number[];
  readonly character_end_times_seconds: number[];
}
