import { type SpeechMark, type TtsEngine, type TtsRequest, type TtsStream, withMarks } from './contract.ts';
import type { SpeechCache } from './speech-cache.ts';

/** Chunks of a remembered sentence are as long as those of a synthesiser at work. */
const CHUNK_SECONDS = 0.1;
/** Sentences asked for once are remembered by name only; the second time they are written. */
const ONCE_MAX = 20_000;
/** A sentence longer than this is not kept while it is made. */
const SAMPLES_MAX = 4 * 1024 * 1024;

/**
 * The same synthesiser, which is one engine and no choice of several, with a memory for what is said again and again:
 * greetings, questions, confirmations. A sentence said once, which may be about somebody, is never written to disk, but for what
 * the gateway has spoken ahead.
 *
 * @param count - told of every sentence that somebody waits for.
 */
export function cachedTts(
  engine: TtsEngine,
  cache: SpeechCache,
  count: (result: 'hit' | 'miss') => void = () => {},
): TtsEngine {
  const once = new Set<string>(); // keys, the oldest first
  const isRepeated = (key: string): boolean => {
    if (once.delete(key)) return true;
    once.add(key);
    if (once.size > ONCE_MAX) once.delete(once.keys().next().value!);
    return false;
  };
  return {
    name: engine.name,
    available: () => engine.available(),
    soundOf: (voice) => engine.soundOf(voice),
    canSpeak: (voice) => engine.canSpeak?.(voice) ?? true,
    warmUp: () => engine.warmUp?.(),
    synthesize: (request, signal) =>
      synthesize(engine, cache, request, signal, isRepeated, request.ahead ? () => {} : count),
    close: () => engine.close(),
  };
}

/** Everything that shapes the sound, and nothing else: also who really speaks, and with which voice, model and settings. */
export function soundKey(engine: Pick<TtsEngine, 'name' | 'soundOf'>, request: TtsRequest): string {
  const { text, voice, sampleRateHz, speed, pitchSemitones } = request;
  return JSON.stringify([engine.name, engine.soundOf(voice), text, sampleRateHz, speed, pitchSemitones]);
}

async function* synthesize(
  engine: TtsEngine,
  cache: SpeechCache,
  request: TtsRequest,
  signal: AbortSignal,
  isRepeated: (key: string) => boolean,
  count: (result: 'hit' | 'miss') => void,
): TtsStream {
  const key = soundKey(engine, request);
  const known = await cache.get(key);
  count(known ? 'hit' : 'miss');
  if (known) {
    const size = Math.round(request.sampleRateHz * CHUNK_SECONDS);
    for (let at = 0; at < known.length && !signal.aborted; at += size) {
      yield withMarks(known.subarray(at, at + size), at === 0 ? (known.marks ?? []) : []);
    }
    return;
  }
  const chunks: Int16Array[] | undefined = request.ahead || isRepeated(key) ? [] : undefined;
  const marks: SpeechMark[] = [];
  let length = 0;
  for await (const chunk of engine.synthesize(request, signal)) {
    length += chunk.length;
    if (length <= SAMPLES_MAX) chunks?.push(chunk.slice());
    if (chunks && chunk.marks) marks.push(...chunk.marks);
    yield chunk;
  }
  if (!chunks || signal.aborted || length === 0 || length > SAMPLES_MAX) return;
  const whole = new Int16Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  const kept = cache.put(key, withMarks(whole, marks));
  if (request.ahead) await kept; // else the next agent with these words has them said again
}
