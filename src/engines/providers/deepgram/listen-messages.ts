import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import type { SttWord } from '../../stt/contract.ts';
import type { HeardPiece } from '../stretch-joiner.ts';

const WORDS_MAX = 1_000;
export const TEXT_CHARS_MAX = 10_000;

/** `Results`: what was heard of a piece of the audio. */
export interface Results extends HeardPiece {
  /** It will not change any more. */
  readonly settled: boolean;
  /** It answers a `Finalize`. */
  readonly answers: boolean;
}

/**
 * A message of the service: what of it matters, `other` for what does not, `garbage` for what cannot be read.
 *
 * @see Deepgram API reference, "Live audio": responses
 */
export function readListenMessage(message: string): Results | 'other' | 'garbage' {
  const fields = parseObject(message);
  if (!fields) return 'garbage';
  if (fields['type'] !== 'Results') return 'other';
  const best = objectOf(arrayOf(objectOf(fields['channel'])?.['alternatives'])[0]);
  if (!best || typeof best['transcript'] !== 'string') return 'garbage';
  const startMs = msOf(fields['start']);
  const [language] = arrayOf(best['languages']);
  const confidence = best['confidence'];
  return {
    text: best['transcript'].trim().slice(0, TEXT_CHARS_MAX),
    confidence: typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence)) : 0.8,
    startMs,
    endMs: startMs + msOf(fields['duration']),
    words: wordsOf(best['words']),
    ...(typeof language === 'string' && /^[a-z]{2}\b/.test(language) && { language: language.slice(0, 2) }),
    settled: fields['is_final'] === true,
    answers: fields['from_finalize'] === true,
  };
}

export function wordsOf(list: unknown): readonly SttWord[] {
  const words: SttWord[] = [];
  for (const entry of arrayOf(list).slice(0, WORDS_MAX)) {
    const { word, punctuated_word: written, start, end } = objectOf(entry) ?? {};
    const text = typeof written === 'string' ? written : word;
    if (typeof text !== 'string' || text.trim() === '') continue;
    const startMs = Math.max(words.at(-1)?.endMs ?? 0, msOf(start));
    words.push({ text: text.trim(), startMs, endMs: Math.max(startMs, msOf(end)) });
  }
  return words;
}

export function msOf(seconds: unknown): number {
  return typeof seconds === 'number' && Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0;
}
