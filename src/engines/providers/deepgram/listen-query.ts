import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { SttHints, SttOptions } from '../../stt/contract.ts';

/** A pause after which words are settled, so that little is left to do when the turn is over. */
const ENDPOINTING_MS = 300;
/** The service takes 500 tokens of keyterms; of Arabic a token is two letters or three. */
const KEYTERM_CHARS = 1_000;
const KEYTERMS_MAX = 60;
const KEYTERM_CHARS_MAX = 60;

/** @see Deepgram API reference, "Live audio": query parameters */
export function listenQuery(model: string, options: SttOptions, hints: SttHints | undefined): URLSearchParams {
  const query = new URLSearchParams({
    ...{ model, language: options.language, channels: '1', sample_rate: String(options.sampleRateHz) },
    encoding: options.sampleRateHz === TELEPHONE_RATE_HZ ? 'mulaw' : 'linear16',
    ...{ interim_results: 'true', endpointing: String(ENDPOINTING_MS), punctuate: 'true', mip_opt_out: 'true' },
  });
  if (model.startsWith('nova-3')) for (const term of keytermsOf(hints)) query.append('keyterm', term);
  return query;
}

/** What callers may say, as far as the service takes it: the first phrases are those that are expected now. */
export function keytermsOf(hints: SttHints | undefined): readonly string[] {
  const terms = new Set<string>();
  let chars = 0;
  for (const phrase of hints?.phrases ?? []) {
    const term = phrase.replace(/\s+/g, ' ').trim();
    if (term === '' || term.length > KEYTERM_CHARS_MAX || terms.has(term)) continue;
    chars += term.length;
    if (terms.size === KEYTERMS_MAX || chars > KEYTERM_CHARS) break;
    terms.add(term);
  }
  return [...terms];
}
