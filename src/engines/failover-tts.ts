import { ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { ofCall } from '../core/service-use.ts';
import { anyAvailable, joinedName, mayTryNext } from './failover.ts';
import { type SpeechMark, type TtsEngine, type TtsRequest, type TtsStream, withMarks } from './tts/contract.ts';
import { HeardSpeech, VoicePaces } from './voice-pace.ts';

/** Between a word that broke off and another voice. */
const PAUSE_SECONDS = 0.2;
/** Between words there is silence for longer than this. Some sounds begin with as much: of their word the rest is missing then. */
const QUIET_SECONDS = 0.025;
const WORDS = /[\p{L}\p{N}]/u;

/**
 * One synthesiser out of several, in order of preference. They belong to whoever made them; closing closes all.
 *
 * A voice that breaks off in the middle of a sentence is followed by the next one: where marks tell it from the word that broke off,
 * or from the one after it where that was over; else from the beginning of the clause, or of the sentence, as its pace and pauses tell
 * (`VoicePaces`): callers understand what they hear twice, and what is left out they do not.
 */
export function failoverTts(engines: readonly TtsEngine[], logger: Logger): TtsEngine {
  if (engines.length === 1) return engines[0]!;
  const paces = new VoicePaces();
  return {
    name: joinedName(engines),
    available: () => anyAvailable(engines, (index) => engines[index]!.available()),
    warmUp: () => engines.find((engine) => engine.available().ok)?.warmUp?.(),
    canSpeak: (voice) => engines.some((engine) => engine.canSpeak?.(voice) ?? true),
    soundOf: (voice) => JSON.stringify(engines.map((engine) => [engine.name, engine.soundOf(voice)])),
    synthesize: (request, signal) => speak(engines, request, signal, paces, logger),
    close: async () => void (await Promise.all(engines.map((engine) => engine.close()))),
  };
}

async function* speak(
  engines: readonly TtsEngine[],
  request: TtsRequest,
  signal: AbortSignal,
  paces: VoicePaces,
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
    const text = request.text.slice(said.from);
    try {
      if (said.samples > 0) {
        if (!WORDS.test(text)) return; // all of it was heard
        yield said.pause();
      }
      for await (const chunk of engine.synthesize({ ...request, text }, signal)) {
        yield said.take(chunk, chunk.marks ?? []);
      }
      if (said.isUnmarked && !signal.aborted) paces.learn(engine, request, text, said.heard);
      return;
    } catch (error) {
      if (!mayTryNext(error) || request.ahead) throw error;
      lastError = error;
      said.brokeOff((heard) => paces.clauseUnderWay(engine, request, text, heard));
      const fields = { ...ofCall(request.used), engine: engine.name, midway: said.samples > 0 };
      logger.warn(fields, 'a voice failed: the next one says the rest');
    }
  }
  throw lastError;
}

/** Samples and marks of a sentence that several voices say, as if it were one. */
class SaidSoFar {
  samples = 0;
  /** Where the text begins that is said by the voice that speaks now: after all that was over. */
  from = 0;
  heard: HeardSpeech; // of the voice that speaks now
  isUnmarked = true;
  #voiceFrom = 0; // samples before it
  #last: SpeechMark | undefined; // of the words that it has begun
  #coming: SpeechMark[] = [];
  constructor(private readonly request: TtsRequest) {
    this.heard = new HeardSpeech(request.sampleRateHz);
  }

  take(chunk: Int16Array, marks: readonly SpeechMark[]): Int16Array {
    const { from } = this;
    const beforeMs = this.#ms(this.#voiceFrom);
    const placed = marks.map(({ charStart, charEnd, atMs }) => ({
      ...{ charStart: charStart + from, charEnd: charEnd + from, atMs: atMs + beforeMs },
    }));
    this.samples += chunk.length;
    const saidMs = this.#ms(this.samples);
    this.#coming.push(...placed);
    const begun = this.#coming.findLastIndex(({ atMs }) => atMs < saidMs);
    if (begun >= 0) this.#last = this.#coming.splice(0, begun + 1).at(-1);
    this.isUnmarked &&= marks.length === 0;
    this.heard.take(chunk);
    return marks.length === 0 ? chunk : withMarks(chunk.subarray(), placed);
  }

  pause(): Int16Array {
    const silence = new Int16Array(Math.round(this.request.sampleRateHz * PAUSE_SECONDS));
    this.samples += silence.length;
    this.#voiceFrom = this.samples;
    return silence;
  }

  /** The next voice goes on. @param clauseUnderWay - of the text of the one that broke off, where no marks tell the word. */
  brokeOff(clauseUnderWay: (heard: HeardSpeech) => number): void {
    const isOver = this.heard.quiet >= this.request.sampleRateHz * QUIET_SECONDS;
    if (this.#last) this.from = isOver ? this.#afterWord(this.#last.charEnd) : this.#last.charStart;
    else if (this.isUnmarked) this.from += clauseUnderWay(this.heard);
    this.#last = undefined;
    this.#coming = [];
    this.isUnmarked = true;
    this.heard = new HeardSpeech(this.request.sampleRateHz);
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
