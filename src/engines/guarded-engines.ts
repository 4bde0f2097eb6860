import { type Language, languageOf } from '../core/agent.ts';
import type { DocumentQuestion, DocumentReader } from './document/contract.ts';
import type { EngineGuard } from './guard.ts';
import type { RemoteProposer, RemoteReplyEngine } from './privacy/protected-reply.ts';
import { answering } from './reply/answering.ts';
import type { ReplyEngine } from './reply/contract.ts';
import type { TtsEngine, TtsRequest, TtsStream } from './tts/contract.ts';

const WORDS = /[\p{L}\p{N}]/u;
/** What a voice is tried with. */
const PROBE_TEXT = { ar: 'نعم', en: 'Yes' } as const satisfies Record<Language, string>;

/**
 * The same synthesiser behind a guard. A text without words says nothing of it, and words without a sound that it failed. Closing
 * it closes the engine.
 */
export function guardTts(engine: TtsEngine, guard: EngineGuard): TtsEngine {
  const speak = async function* (request: TtsRequest, signal: AbortSignal): TtsStream {
    let samples = 0;
    for await (const chunk of engine.synthesize(request, signal)) {
      samples += chunk.length;
      yield chunk;
    }
    if (samples === 0 && WORDS.test(request.text) && !signal.aborted) throw new Error('no sound for a text with words');
  };
  const probeWith = ({ voice, sampleRateHz }: TtsRequest): void => {
    if (guard.place !== 'remote' || !(engine.canSpeak?.(voice) ?? true)) return;
    const text = PROBE_TEXT[languageOf(voice.language)];
    guard.probe = async (signal) => {
      for await (const _ of speak({ text, voice, sampleRateHz, speed: 1, pitchSemitones: 0 }, signal)) void _;
    };
  };
  return {
    name: engine.name,
    available: () => guard.available(engine.available()),
    soundOf: (voice) => engine.soundOf(voice),
    canSpeak: (voice) => engine.canSpeak?.(voice) ?? true,
    warmUp: () => (guard.breaker.state === 'closed' ? engine.warmUp?.() : undefined),
    synthesize: (request, signal) => {
      probeWith(request);
      if (request.ahead) return guard.aside((inner) => speak(request, inner), signal);
      return guard.stream((inner) => speak(request, inner), signal, {
        used: request.used,
        whole: () => (WORDS.test(request.text) ? 'success' : 'unknown'),
      });
    },
    close: () => {
      guard.close();
      return engine.close();
    },
  };
}

/** The same reply engine behind a guard. `greeting` and `expects` are computed in the process and go straight through. */
export function guardReply(engine: ReplyEngine, guard: EngineGuard): ReplyEngine {
  return {
    ...answering(engine, (request, signal) =>
      guard.stream((inner) => engine.reply(request, inner), signal, { used: request.used }),
    ),
    available: () => guard.available(engine.available()),
  };
}

/**
 * A remote reply engine that also proposes, behind one guard; what its boundary withholds never reaches the guard and is
 * no failure.
 */
export function guardRemoteReply(
  engine: RemoteReplyEngine & RemoteProposer,
  guard: EngineGuard,
): RemoteReplyEngine & RemoteProposer {
  const { probe } = engine;
  if (probe) guard.probe = (signal) => probe.call(engine, signal);
  return {
    name: engine.name,
    remote: true,
    available: () => guard.available(engine.available()),
    reply: (request, signal) => guard.stream((inner) => engine.reply(request, inner), signal, { used: request.used }),
    propose: async (request, scene, signal) => {
      const proposal = await guard.call((inner) => engine.propose(request, scene, inner), signal, request.used);
      if (!proposal) throw signal.reason;
      return proposal;
    },
    close: () => {
      guard.close();
      return engine.close();
    },
  };
}

/** The same document reader behind a guard. */
export function guardDocuments(reader: DocumentReader, guard: EngineGuard): DocumentReader {
  return {
    ask: async (question: DocumentQuestion, signal) => {
      const answer = await guard.call((inner) => reader.ask(question, inner), signal);
      if (!answer) throw signal.reason;
      return answer;
    },
  };
}
