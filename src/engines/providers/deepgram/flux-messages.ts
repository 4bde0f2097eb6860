import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import type { HeardPiece } from '../stretch-joiner.ts';
import { type FluxEventName, isFluxEvent } from './flux-state.ts';
import { msOf, TEXT_CHARS_MAX, wordsOf } from './listen-messages.ts';

/** Of a turn without words that say how sure they are. */
const CONFIDENCE_UNTOLD = 0.8;

/** `TurnInfo`: the whole turn so far. */
export interface TurnInfo extends HeardPiece {
  readonly event: FluxEventName;
  /** We have ended it, by `ForceEndTurn`. */
  readonly forced: boolean;
}

/**
 * A message of the service: what of it matters, `other` for what does not, `garbage` for what cannot be read.
 *
 * @see Deepgram API reference, "Turn-based Audio (Flux)": `TurnInfo`, `Error`
 */
export function readFluxMessage(message: string): TurnInfo | ChatFailure | 'other' | 'garbage' {
  const fields = parseObject(message);
  if (!fields) return 'garbage';
  if (fields['type'] === 'Error') return new ChatFailure('broken', 'an error in the stream');
  if (fields['type'] !== 'TurnInfo') return 'other';
  const { event, transcript, trigger } = fields;
  if (!isFluxEvent(event) || typeof transcript !== 'string') return 'garbage';
  const [language] = arrayOf(fields['languages']);
  const sure = arrayOf(fields['words']).flatMap((word) => objectOf(word)?.['confidence'] ?? []);
  const numbers = sure.filter((one) => typeof one === 'number' && one >= 0 && one <= 1) as number[];
  return {
    event,
    text: transcript.trim().slice(0, TEXT_CHARS_MAX),
    confidence: numbers.length === 0 ? CONFIDENCE_UNTOLD : numbers.reduce((sum, one) => sum + one, 0) / numbers.length,
    startMs: msOf(fields['audio_window_start']),
    endMs: msOf(fields['audio_window_end']),
    words: wordsOf(fields['words']).filter(({ endMs }) => endMs > 0), // older servers tell no times
    ...(typeof language === 'string' && /^[a-z]{2}\b/.test(language) && { language: language.slice(0, 2) }),
    forced: trigger === 'manual',
  };
}
