import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { SttHints, SttOptions } from '../../stt/contract.ts';
import { keytermsOf } from '../keyterms.ts';
import type { ElevenlabsSettings } from './settings.ts';

/** Fifty terms of twenty letters. */
const KEYTERMS = { count: 50, chars: 1_000, termChars: 20 };

/** @see ElevenLabs API reference, "Realtime" (speech to text): query parameters */
export function scribeQuery(
  { transcriptionModel, zeroRetention }: ElevenlabsSettings,
  { language, languages = [], sampleRateHz }: SttOptions,
  hints: SttHints | undefined,
): URLSearchParams {
  const codes = new Set([language, ...languages].map((tag) => tag.slice(0, 2)));
  const [first = '', ...others] = codes;
  const query = new URLSearchParams({
    ...{ model_id: transcriptionModel, language_code: first },
    audio_format: sampleRateHz === TELEPHONE_RATE_HZ ? 'ulaw_8000' : `pcm_${sampleRateHz}`,
    ...{ commit_strategy: 'manual', include_timestamps: 'true' },
  });
  for (const code of others) query.append('secondary_languages', code);
  if (others.length > 0) query.set('include_language_detection', 'true');
  for (const term of keytermsOf(hints, KEYTERMS)) query.append('keyterms', term);
  if (zeroRetention) query.set('enable_logging', 'false');
  return query;
}
