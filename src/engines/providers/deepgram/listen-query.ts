import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { SttHints, SttOptions } from '../../stt/contract.ts';
import { keytermsOf } from '../keyterms.ts';

/** A pause after which words are settled, so that little is left to do when the turn is over. */
const ENDPOINTING_MS = 300;
/** The service takes 500 tokens of keyterms; of Arabic a token is two letters or three. */
const KEYTERMS = { count: 60, chars: 1_000, termChars: 60 };

/** From where on Flux takes a turn for over, and may take it back. */
const EAGER_FROM = 0.5;

/** @see Deepgram API reference, "Turn-based Audio (Flux)": query parameters */
export function fluxQuery(model: string, { sampleRateHz }: SttOptions, hints: SttHints | undefined): URLSearchParams {
  const query = new URLSearchParams({
    ...{ model, sample_rate: String(sampleRateHz), eager_eot_threshold: String(EAGER_FROM), mip_opt_out: 'true' },
    encoding: sampleRateHz === TELEPHONE_RATE_HZ ? 'mulaw' : 'linear16',
  });
  for (const term of keytermsOf(hints, KEYTERMS)) query.append('keyterm', term);
  return query;
}

/** @see Deepgram API reference, "Live audio": query parameters */
export function listenQuery(model: string, options: SttOptions, hints: SttHints | undefined): URLSearchParams {
  const query = new URLSearchParams({
    ...{ model, language: options.language, channels: '1', sample_rate: String(options.sampleRateHz) },
    encoding: options.sampleRateHz === TELEPHONE_RATE_HZ ? 'mulaw' : 'linear16',
    ...{ interim_results: 'true', endpointing: String(ENDPOINTING_MS), punctuate: 'true', mip_opt_out: 'true' },
  });
  if (model.startsWith('nova-3')) for (const term of keytermsOf(hints, KEYTERMS)) query.append('keyterm', term);
  return query;
}
