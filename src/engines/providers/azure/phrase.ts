import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import type { SttWord } from '../../stt/contract.ts';
import type { HeardPiece } from '../stretch-joiner.ts';

const WORDS_MAX = 1_000;
const TEXT_CHARS_MAX = 10_000;
const TICKS_PER_MS = 10_000; // of 100 ns

/** What a phrase that is none says of the request. */
const FAILURES: Readonly<Record<string, ChatFailure>> = {
  TooManyRequests: new ChatFailure('busy', 'too many requests', 1_000),
  Forbidden: new ChatFailure('refused-key', 'forbidden'),
  BadRequest: new ChatFailure('refused', 'a bad request'),
  Error: new ChatFailure('broken', 'an error in the stream'),
};

/**
 * `speech.phrase`: words that will not change any more. Silence, noise and the end of dictation are phrases without words.
 *
 * @param fromMs - where the turn begins in what the service was sent: its own times begin there.
 * @returns undefined for what cannot be read.
 */
export function readPhrase(body: string, fromMs: number): HeardPiece | ChatFailure | undefined {
  const fields = parseObject(body);
  const status = fields?.['RecognitionStatus'];
  if (!fields || typeof status !== 'string') return undefined;
  const failure = Object.hasOwn(FAILURES, status) ? FAILURES[status] : undefined;
  if (failure) return failure;
  const startMs = fromMs + msOf(fields['Offset']);
  const endMs = startMs + msOf(fields['Duration']);
  if (status !== 'Success') return { text: '', confidence: 0, startMs, endMs, words: [] };
  const best = objectOf(arrayOf(fields['NBest'])[0]) ?? {};
  const text = [best['Display'], best['DisplayText'], fields['DisplayText']].find((one) => typeof one === 'string');
  if (text === undefined) return undefined;
  const confidence = best['Confidence'];
  const language = objectOf(fields['PrimaryLanguage'])?.['Language'];
  return {
    ...{ text: (text as string).trim().slice(0, TEXT_CHARS_MAX), startMs, endMs },
    confidence: typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence)) : 0.8,
    words: wordsOf(best['Words'], fromMs),
    ...(typeof language === 'string' && /^[a-z]{2}\b/.test(language) && { language: language.slice(0, 2) }),
  };
}

/** `speech.hypothesis`: words that may still change. @returns undefined for what cannot be read. */
export function readHypothesis(body: string): string | undefined {
  const text = parseObject(body)?.['Text'];
  return typeof text === 'string' ? text.trim().slice(0, TEXT_CHARS_MAX) : undefined;
}

function wordsOf(list: unknown, fromMs: number): readonly SttWord[] {
  const words: SttWord[] = [];
  for (const entry of arrayOf(list).slice(0, WORDS_MAX)) {
    const { Word: text, Offset, Duration } = objectOf(entry) ?? {};
    if (typeof text !== 'string' || text.trim() === '') continue;
    const startMs = Math.max(words.at(-1)?.endMs ?? 0, fromMs + msOf(Offset));
    words.push({ text: text.trim(), startMs, endMs: startMs + msOf(Duration) });
  }
  return words;
}

function msOf(ticks: unknown): number {
  return typeof ticks === 'number' && Number.isFinite(ticks) ? Math.max(0, ticks / TICKS_PER_MS) : 0;
}
