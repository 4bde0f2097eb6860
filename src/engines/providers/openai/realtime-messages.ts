import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure, failureOf } from '../../openai/chat-failure.ts';
import type { SttHints, SttOptions } from '../../stt/contract.ts';
import { promptOf } from './transcription-prompt.ts';

/** The only rate of samples that the service takes; mu-law goes as it is. */
export const REALTIME_PCM_HZ = 24_000;
/** Models that are told nothing of what may be said. */
const UNPROMPTED = /^gpt-(?:realtime|live)/;
const TEXT_CHARS_MAX = 10_000;
/** Of a service that does not say how sure it is. */
const CONFIDENCE_UNTOLD = 0.8;

/** What the service tells of an item: one stretch of audio, from one commit to the next. */
export type RealtimeEvent =
  | { readonly type: 'committed'; readonly item: string }
  | { readonly type: 'delta'; readonly item: string; readonly text: string }
  | { readonly type: 'completed'; readonly item: string; readonly text: string; readonly confidence: number }
  /** There was nothing to commit: nothing was heard. */
  | { readonly type: 'nothing' }
  | { readonly type: 'other' };

/**
 * The session: manual turns, since pauses are found here. Sent once more when other words may be said.
 *
 * @see OpenAI API reference, "Realtime": `session.update` of a transcription session
 */
export function sessionUpdate(
  model: string,
  { language, languages = [language], sampleRateHz }: SttOptions,
  hints: SttHints | undefined,
): string {
  const prompt = UNPROMPTED.test(model) ? '' : promptOf(hints);
  const format =
    sampleRateHz === TELEPHONE_RATE_HZ ? { type: 'audio/pcmu' } : { type: 'audio/pcm', rate: REALTIME_PCM_HZ };
  const transcription = {
    model,
    ...(languages.length < 2 && { language: language.slice(0, 2) }), // else it tells by itself
    ...(prompt !== '' && { prompt }),
  };
  return JSON.stringify({
    type: 'session.update',
    session: {
      type: 'transcription',
      audio: { input: { format, transcription, turn_detection: null } },
      include: ['item.input_audio_transcription.logprobs'],
    },
  });
}

/** A message of the service; undefined for what cannot be read. Of its words for an error only the code is taken. */
export function readRealtime(message: string, now: Date): RealtimeEvent | ChatFailure | undefined {
  const fields = parseObject(message);
  const type = fields?.['type'];
  if (!fields || typeof type !== 'string') return undefined;
  if (type === 'error') return failed(objectOf(fields['error']), now);
  const item = fields['item_id'];
  if (typeof item !== 'string' || item === '' || item.length > 200) return { type: 'other' };
  if (type === 'input_audio_buffer.committed') return { type: 'committed', item };
  const about = /^conversation\.item\.input_audio_transcription\.(\w+)$/.exec(type)?.[1];
  if (about === 'delta' && typeof fields['delta'] === 'string') {
    return { type: 'delta', item, text: fields['delta'].slice(0, TEXT_CHARS_MAX) };
  }
  if (about === 'failed') {
    const failure = failed(objectOf(fields['error']), now);
    return failure instanceof ChatFailure ? failure : new ChatFailure('broken', 'a stretch was not transcribed');
  }
  if (about !== 'completed' || typeof fields['transcript'] !== 'string') return { type: 'other' };
  const text = fields['transcript'].trim().slice(0, TEXT_CHARS_MAX);
  return { type: 'completed', item, text, confidence: text === '' ? 0 : confidenceOf(arrayOf(fields['logprobs'])) };
}

/** Its codes that stand for a status of HTTP; `server_error` and all else that is not the request's fault is 500. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  insufficient_quota: 402,
  model_not_found: 404,
  rate_limit_exceeded: 429,
};

function failed(error: Readonly<Record<string, unknown>> | undefined, now: Date): ChatFailure | RealtimeEvent {
  const word = [error?.['code'], error?.['type']].find((one) => typeof one === 'string' && /^[\w.-]{1,64}$/.test(one));
  const code = typeof word === 'string' ? word : 'no code';
  if (code === 'input_audio_buffer_commit_empty') return { type: 'nothing' };
  if (code === 'session_expired') return new ChatFailure('cut', code);
  const status = STATUS_OF_CODE[code] ?? (error?.['type'] === 'invalid_request_error' ? 400 : 500);
  return failureOf(status, code, null, now);
}

/** The mean probability of the tokens, as far as the service tells them. */
function confidenceOf(tokens: readonly unknown[]): number {
  const logs = tokens
    .map((token) => objectOf(token)?.['logprob'])
    .filter((log): log is number => typeof log === 'number' && Number.isFinite(log));
  if (logs.length === 0) return CONFIDENCE_UNTOLD;
  return logs.reduce((sum, log) => sum + Math.exp(Math.min(0, log)), 0) / logs.length;
}
