import type { DocumentQuestion, DocumentReader } from './document/contract.ts';
import type { EngineGuard } from './guard.ts';
import type { RemoteProposer, RemoteReplyEngine } from './privacy/protected-reply.ts';
import { answering } from './reply/answering.ts';
import type { ReplyEngine } from './reply/contract.ts';
import type { TtsEngine } from './tts/contract.ts';

/** The same synthesiser behind a guard. Closing it closes the engine. */
export function guardTts(engine: TtsEngine, guard: EngineGuard): TtsEngine {
  return {
    name: engine.name,
    available: () => guard.available(engine.available()),
    soundOf: (voice) => engine.soundOf(voice),
    canSpeak: (voice) => engine.canSpeak?.(voice) ?? true,
    warmUp: () => engine.warmUp?.(),
    synthesize: (request, signal) => guard.stream((inner) => engine.synthesize(request, inner), signal),
    close: () => engine.close(),
  };
}

/** The same reply engine behind a guard. `greeting` and `expects` are computed in the process and go straight through. */
export function guardReply(engine: ReplyEngine, guard: EngineGuard): ReplyEngine {
  return {
    ...answering(engine, (request, signal) => guard.stream((inner) => engine.reply(request, inner), signal)),
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
  return {
    name: engine.name,
    remote: true,
    available: () => guard.available(engine.available()),
    reply: (request, signal) => guard.stream((inner) => engine.reply(request, inner), signal),
    propose: async (request, scene, signal) => {
      const proposal = await guard.call((inner) => engine.propose(request, scene, inner), signal);
      if (!proposal) throw signal.reason;
      return proposal;
    },
    close: () => engine.close(),
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
