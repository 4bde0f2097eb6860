import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { SttHints, SttOptions } from '../../stt/contract.ts';
import { keytermsOf } from '../keyterms.ts';

/** The service takes 10,000 characters of context. */
const TERMS = { count: 100, chars: 4_000, termChars: 100 };

/**
 * The first message of a session. The service finds no ends of sentences itself: a pause is told to it (`finalize`).
 *
 * @see Soniox API reference, "WebSocket API" (speech to text): configuration
 */
export function startRequest(
  model: string,
  { language, languages = [], sampleRateHz }: SttOptions,
  hints: SttHints | undefined,
): string {
  const terms = keytermsOf(hints, TERMS);
  return JSON.stringify({
    ...{ model, audio_format: sampleRateHz === TELEPHONE_RATE_HZ ? 'mulaw' : 'pcm_s16le' },
    ...{ sample_rate: sampleRateHz, num_channels: 1, enable_language_identification: true },
    language_hints: [...new Set([language, ...languages].map((tag) => tag.slice(0, 2)))],
    ...(terms.length > 0 && { context: { terms } }),
  });
}
