import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { bodyOf, readText } from '../../openai/response-body.ts';
import { SseLines } from '../../openai/sse-lines.ts';
import type { SttWord } from '../../stt/contract.ts';

/** What a service understood of one file. Times of words are those of the file. */
export interface Transcript {
  readonly text: string;
  readonly confidence: number; // 0..1
  readonly language?: string; // ar, en
  readonly words?: readonly SttWord[];
  readonly tokens?: number; // that it charges
}

type Fields = Readonly<Record<string, unknown>>;

const BODY_BYTES_MAX = 1_048_576;
const LINE_CHARS_MAX = 262_144;
const MALFORMED_MAX = 20;
const TEXT_CHARS_MAX = 20_000;
const WORDS_MAX = 5_000;
/** Of a service that does not say how sure it is: as sure as what is heard well. */
const CONFIDENCE_UNTOLD = 0.8;
/** A segment that is more likely no speech is none: models invent words for noise. */
const NO_SPEECH = 0.6;
/** Services name languages in English. */
const LANGUAGES: Readonly<Record<string, string>> = { arabic: 'ar', ar: 'ar', english: 'en', en: 'en' };

/** Reads an answer in whatever form it comes. @throws ChatFailure. */
export async function readTranscript(response: Response, signal: AbortSignal): Promise<Transcript> {
  const type = response.headers.get('content-type') ?? '';
  if (/event-stream/i.test(type)) return readEvents(response, signal);
  const body = await readText(response, BODY_BYTES_MAX, signal);
  const fields = parseObject(body);
  if (fields) return transcriptOf(fields);
  if (!/json|html/i.test(type) && /^text\//i.test(type)) return transcriptOf({ text: body.trim() });
  throw new ChatFailure('garbage', 'a transcript that is no JSON');
}

/**
 * The events of a streamed transcript: `transcript.text.delta` and `.done`, and the chunks of a chat that vLLM sends in their
 * place.
 */
async function readEvents(response: Response, signal: AbortSignal): Promise<Transcript> {
  const events = new TranscriptEvents();
  const lines = new SseLines(LINE_CHARS_MAX);
  for await (const chunk of bodyOf(response, BODY_BYTES_MAX, signal)) events.take(lines.push(chunk));
  events.take(lines.end());
  return events.transcript();
}

class TranscriptEvents {
  #text = '';
  #done: Fields | undefined;
  #finished = false; // a chunk said so, or the stream its last word
  #malformed = 0;

  take(payloads: ReturnType<SseLines['push']>): void {
    if (payloads === 'line-too-long') throw new ChatFailure('too-large', 'a line without an end');
    for (const payload of payloads) {
      if (payload.trim() === '[DONE]') this.#finished = true;
      else this.#event(parseObject(payload));
    }
  }

  transcript(): Transcript {
    if (this.#done) return transcriptOf({ ...this.#done, text: this.#done['text'] ?? this.#text });
    if (!this.#finished) throw new ChatFailure('cut', 'the stream ended without its end');
    return transcriptOf({ text: this.#text.trim() });
  }

  #event(event: Fields | undefined): void {
    if (!event) {
      this.#malformed += 1;
      if (this.#malformed > MALFORMED_MAX) throw new ChatFailure('garbage', 'too many lines are no JSON');
      return;
    }
    if (event['error'] !== undefined && event['error'] !== null)
      throw new ChatFailure('broken', 'an error in the stream');
    if (event['type'] === 'transcript.text.done') this.#done = event;
    const choice = objectOf(arrayOf(event['choices'])[0]);
    const piece = event['type'] === 'transcript.text.delta' ? event['delta'] : objectOf(choice?.['delta'])?.['content'];
    if (typeof piece === 'string') this.#text = (this.#text + piece).slice(0, TEXT_CHARS_MAX);
    if (typeof choice?.['finish_reason'] === 'string') this.#finished = true;
  }
}

function transcriptOf(body: Fields): Transcript {
  if (typeof body['text'] !== 'string') throw new ChatFailure('broken', 'an answer without a transcript');
  const segments = arrayOf(body['segments']).map(objectOf);
  const heard = segments.filter((segment) => numberOf(segment?.['no_speech_prob'], 0) <= NO_SPEECH);
  const said = segments.length > 0 && heard.length < segments.length ? textsOf(heard) : body['text'];
  const text = said.trim().slice(0, TEXT_CHARS_MAX);
  const language = LANGUAGES[String(body['language'] ?? '').toLowerCase()];
  const words = wordsOf(body['words']);
  const tokens = objectOf(body['usage'])?.['total_tokens'];
  return {
    text,
    confidence: text === '' ? 0 : confidenceOf(heard, arrayOf(body['logprobs'])),
    ...(language !== undefined && { language }),
    ...(text !== '' && words.length > 0 && { words }),
    ...(typeof tokens === 'number' && tokens >= 0 && { tokens }),
  };
}

function textsOf(segments: readonly (Fields | undefined)[]): string {
  return segments.map((segment) => String(segment?.['text'] ?? '').trim()).join(' ');
}

/** The mean probability of segments or tokens, as far as the service tells them. */
function confidenceOf(segments: readonly (Fields | undefined)[], tokens: readonly unknown[]): number {
  const logs = [
    ...segments.map((segment) => segment?.['avg_logprob']),
    ...tokens.map((token) => objectOf(token)?.['logprob']),
  ].filter((log): log is number => typeof log === 'number' && Number.isFinite(log));
  if (logs.length === 0) return CONFIDENCE_UNTOLD;
  const mean = logs.reduce((sum, log) => sum + Math.exp(Math.min(0, log)), 0) / logs.length;
  return Math.min(1, Math.max(0, mean));
}

function wordsOf(list: unknown): readonly SttWord[] {
  const words: SttWord[] = [];
  let lastMs = 0;
  for (const entry of arrayOf(list).slice(0, WORDS_MAX)) {
    const { word, start, end } = objectOf(entry) ?? {};
    if (typeof word !== 'string' || word.trim() === '') continue;
    const startMs = Math.max(lastMs, numberOf(start, 0) * 1000);
    lastMs = Math.max(startMs, numberOf(end, 0) * 1000);
    words.push({ text: word.trim(), startMs, endMs: lastMs });
  }
  return words;
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
