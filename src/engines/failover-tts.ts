import { ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { anyAvailable, joinedName, mayTryNext } from './failover.ts';
import { type SpeechMark, type TtsEngine, type TtsRequest, type TtsStream, withMarks } from './tts/contract.ts';

/** Between a word that broke off and another voice. */
const PAUSE_SECONDS = 0.2;

/**
 * One synthesiser out of several, in order of preference. They belong to whoever made them; closing closes all.
 *
 * A voice that breaks off in the middle of a sentence is followed by the next one: from the word that broke off where marks tell
 * it, else from the beginning of the sentence, which callers understand and silence they do not.
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
      if (said.samples > 0) yield said.pause();
      const from = said.rest();
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
  #turnFrom = 0; // samples before the voice that speaks now
  readonly #marks: SpeechMark[] = [];
  constructor(private readonly request: TtsRequest) {}

  take(chunk: Int16Array, marks: readonly SpeechMark[], from: number): Int16Array {
    const beforeMs = this.#ms(this.#turnFrom);
    const placed = marks.map(({ charStart, charEnd, atMs }) => ({
      ...{ charStart: charStart + from, charEnd: charEnd + from, atMs: atMs + beforeMs },
    }));
    this.#marks.push(...placed);
    this.samples += chunk.length;
    return marks.length === 0 ? chunk : withMarks(chunk.subarray(), placed);
  }

  pause(): Int16Array {
    const silence = new Int16Array(Math.round(this.request.sampleRateHz * PAUSE_SECONDS));
    this.samples += silence.length;
    return silence;
  }

  /** Where the text begins that the next voice says: at the word in which the last one broke off. */
  rest(): number {
    const saidMs = this.#ms(this.samples);
    this.#turnFrom = this.samples;
    return this.#marks.findLast(({ atMs }) => atMs < saidMs)?.charStart ?? 0;
  }

  #ms(samples: number): number {
    return (samples * 1000) / this.request.sampleRateHz;
  }
}
