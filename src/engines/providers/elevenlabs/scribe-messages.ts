import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure, type ChatFailureKind } from '../../openai/chat-failure.ts';
import type { SttWord } from '../../stt/contract.ts';

const WORDS_MAX = 1_000;
const TEXT_CHARS_MAX = 10_000;
/** Where the service tells none. */
const CONFIDENCE = 0.8;
const BUSY_MS = 1_000;

export type ScribeMessage =
  | { readonly type: 'started' }
  | { readonly type: 'partial'; readonly text: string }
  | { readonly type: 'committed'; readonly text: string } // with words, the same comes once more
  | { readonly type: 'words'; readonly text: string; readonly heard: HeardWords }
  | { readonly type: 'nothing' } // in so little audio
  | { readonly type: 'failed'; readonly failure: ChatFailure }
  | { readonly type: 'other' };

export interface HeardWords {
  readonly words: readonly SttWord[]; // in the time of all audio of the connection
  readonly confidence: number; // 0..1
  readonly language?: string; // two letters
}

/** Messages that are errors, as what is over by them. Beside these two that only say that there was too little to hear. */
const FAILURES: Readonly<Record<string, ChatFailureKind>> = {
  ...{ auth_error: 'refused-key', quota_exceeded: 'refused-key', unaccepted_terms: 'refused-key' },
  ...{ rate_limited: 'busy', queue_overflow: 'busy', resource_exhausted: 'busy' },
  ...{ input_error: 'refused', invalid_request: 'refused', chunk_size_exceeded: 'refused' },
  ...{ session_time_limit_exceeded: 'cut', transcriber_error: 'broken', error: 'broken' },
};
const TOO_LITTLE: ReadonlySet<unknown> = new Set(['commit_throttled', 'insufficient_audio_activity']);
/** ISO 639-3, as the service writes it at times. */
const LANGUAGES: Readonly<Record<string, string>> = { ara: 'ar', eng: 'en' };

/**
 * A message of the service; undefined for what cannot be read.
 *
 * @see ElevenLabs API reference, "Realtime" (speech to text): messages
 */
export function readScribeMessage(message: string): ScribeMessage | undefined {
  const fields = parseObject(message);
  const type = fields?.['message_type'];
  if (!fields || typeof type !== 'string') return undefined;
  if (type === 'session_started') return { type: 'started' };
  if (TOO_LITTLE.has(type)) return { type: 'nothing' };
  const kind = Object.hasOwn(FAILURES, type) ? FAILURES[type] : undefined;
  if (kind) return { type: 'failed', failure: new ChatFailure(kind, type, kind === 'busy' ? BUSY_MS : undefined) };
  const said = { partial_transcript: 'partial', committed_transcript: 'committed' } as const;
  const isWords = type === 'committed_transcript_with_timestamps';
  if (!isWords && !Object.hasOwn(said, type)) return { type: 'other' };
  const text = textOf(fields);
  if (text === undefined) return undefined;
  if (isWords) return { type: 'words', text, heard: heardWords(fields) };
  return { type: said[type as keyof typeof said], text };
}

/** The text as it is, or its pieces with the spaces that stand between them. */
function textOf({ text, words }: Readonly<Record<string, unknown>>): string | undefined {
  const pieces = arrayOf(words).slice(0, 2 * WORDS_MAX);
  const whole = typeof text === 'string' ? text : pieces.map((piece) => objectOf(piece)?.['text'] ?? '').join('');
  return typeof text === 'string' || pieces.length > 0 ? whole.trim().slice(0, TEXT_CHARS_MAX) : undefined;
}

function heardWords({ words: list, language_code: code }: Readonly<Record<string, unknown>>): HeardWords {
  const words: SttWord[] = [];
  const logprobs: number[] = [];
  for (const entry of arrayOf(list).slice(0, 2 * WORDS_MAX)) {
    const { text, start, end, logprob } = objectOf(entry) ?? {};
    if (typeof text !== 'string' || text.trim() === '') continue; // spaces stand between words
    const startMs = Math.max(words.at(-1)?.endMs ?? 0, msOf(start));
    words.push({ text: text.trim(), startMs, endMs: Math.max(startMs, msOf(end)) });
    if (typeof logprob === 'number' && logprob <= 0) logprobs.push(logprob);
  }
  const mean = logprobs.reduce((sum, one) => sum + one, 0) / logprobs.length;
  const language = typeof code === 'string' ? (LANGUAGES[code] ?? code) : '';
  return {
    words: words.slice(0, WORDS_MAX),
    confidence: logprobs.length > 0 ? Math.exp(mean) : CONFIDENCE,
    ...(/^[a-z]{2}$/.test(language) && { language }),
  };
}

function msOf(seconds: unknown): number {
  return typeof seconds === 'number' && Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0;
}
