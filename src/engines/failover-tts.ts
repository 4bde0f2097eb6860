import { ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { anyAvailable, joinedName, mayTryNext } from './failover.ts';
import { type SpeechMark, type TtsEngine, type TtsRequest, type TtsStream, withMarks } from './tts/contract.ts';

/** Between a word that broke off and another voice. */
const PAUSE_SECONDS = 0.2;
/** Between words there is silence for longer than this. Some sounds begin with as much: of their word the rest is missing then. */
const QUIET_SECONDS = 0.025;
/** About 0.6 % of what a sample can be: voices are silent between words, or nearly. */
const QUIET_SAMPLE_MAX = 200;
const WORDS = /[\p{L}\p{N}]/u;

/**
 * One synthesiser out of several, in order of preference. They belong to whoever made them; closing closes all.
 *
 * A voice that breaks off in the middle of a sentence is followed by the next one: where marks tell it from the word that broke off,
 * or from the one after it where that was over; else from the beginning of the sentence, which callers understand and silence they
 * do not.
 */
export function failoverTts(engines: readonly TtsEngine[], logger: Logger): TtsEngine {
  if (engines.length === 1) return engines[0]!;
  return {
    name: joinedName(engines),
    available: () => anyAvailable(engines, (index) => engines[index]!.available()),
    warmUp: () => engines.find((engine) => engine.available().ok)?.warmUp?.(),
    canSpeak: (voice) => engines.some((engine) => engine.canSpeak?.(voice) ?? true),
    soundOf: (voice) => JSON.stringify(engines.map((engine) => [engine.name, engine.soundOf(voice)])),
    synthesize: (request, signal) => speak(engines, request, signal, logger),
    close: async () => void (await Promise.all(engines.map((engine) => engine.close()))),
  };
}

async function* speak(
  engines: readonly TtsEngine[],
  request: TtsRequest,
  signal: AbortSignal,
  logger: Logger,
): TtsStream {
  const said = new SaidSoFar(request);
  let lastError: unknown = new ServiceError('unavailable');
  for (const engine of engines) {
    if (signal.aborted) return;
    if (!(engine.canSpeak?.(request.voice) ?? true)) continue;
    const own = engine.available();
    if (!own.ok) {
      lastError = new ServiceError('unavailable', '', { cause: new Error(own.why) });
      continue;
    }
    try {
      const from = said.rest();
      if (said.samples > 0) {
        if (!WORDS.test(request.text.slice(from))) return; // all of it was heard
        yield said.pause();
      }
      for await (const chunk of engine.synthesize({ ...request, text: request.text.slice(from) }, signal)) {
        yield said.take(chunk, chunk.marks ?? [], from);
      }
      return;
    } catch (error) {
      if (!mayTryNext(error) || request.ahead) throw error;
      lastError = error;
      logger.warn({ engine: engine.name, midway: said.samples > 0 }, 'a voice failed: the next one says the rest');
    }
  }
  throw lastError;
}

/** Samples and marks of a sentence that several voices say, as if it were one. */
class SaidSoFar {
  samples = 0;
  #voiceFrom = 0; // samples before the voice that speaks now
  #from = 0; // where its text begins
  #quiet = 0; // samples of silence that it ended with
  #last: SpeechMark | undefined; // of the words that it has begun
  #coming: SpeechMark[] = [];
  constructor(private readonly request: TtsRequest) {}

  take(chunk: Int16Array, marks: readonly SpeechMark[], from: number): Int16Array {
    const beforeMs = this.#ms(this.#voiceFrom);
    const placed = marks.map(({ charStart, charEnd, atMs }) => ({
      ...{ charStart: charStart + from, charEnd: charEnd + from, atMs: atMs + beforeMs },
    }));
    this.samples += chunk.length;
    const saidMs = this.#ms(this.samples);
    this.#coming.push(...placed);
    const begun = this.#coming.findLastIndex(({ atMs }) => atMs < saidMs);
    if (begun >= 0) this.#last = this.#coming.splice(0, begun + 1).at(-1);
    const sound = chunk.findLastIndex((sample) => Math.abs(sample) > QUIET_SAMPLE_MAX);
    this.#quiet = sound < 0 ? this.#quiet + chunk.length : chunk.length - 1 - sound;
    return marks.length === 0 ? chunk : withMarks(chunk.subarray(), placed);
  }

  pause(): Int16Array {
    const silence = new Int16Array(Math.round(this.request.sampleRateHz * PAUSE_SECONDS));
    this.samples += silence.length;
    this.#voiceFrom = this.samples;
    return silence;
  }

  /** Where the text begins that the next voice says: after the last word that was over, however many voices have said it. */
  rest(): number {
    const isOver = this.#quiet >= this.request.sampleRateHz * QUIET_SECONDS;
    if (this.#last) this.#from = isOver ? this.#afterWord(this.#last.charEnd) : this.#last.charStart;
    this.#last = undefined;
    this.#coming = [];
    this.#quiet = 0;
    return this.#from;
  }

  /** Past what ends a word: the next voice begins with one. */
  #afterWord(at: number): number {
    const { text } = this.request;
    const next = text.slice(at).search(WORDS);
    return next < 0 ? text.length : at + next;
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.request.sampleRateHz;
  }
}
