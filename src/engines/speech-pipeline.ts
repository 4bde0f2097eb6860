import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { Agent, Language } from '../core/agent.ts';
import { agentVoice, type VoiceDirectory } from '../core/agent-voice.ts';
import { ServiceError } from '../core/errors.ts';
import type { TellUse } from '../core/service-use.ts';
import type { Normalized, TextNormalizer } from './text/contract.ts';
import { originalPlaces } from './text/spoken-positions.ts';
import { type SpeechMark, type TtsEngine, type TtsRequest, type TtsStream, withMarks } from './tts/contract.ts';

/** The only model that honours a pitch. */
const PITCHED_MODEL = 'nabra-1';

export interface SpeechPipelineParts {
  readonly normalizer: TextNormalizer;
  readonly ttsFor: (agent: Agent) => TtsEngine;
  readonly voices: VoiceDirectory;
}

/** A sentence as an agent says it. Failures are those of the synthesiser; aborting ends it without an error. */
export type AgentSpeech = (text: string, language: Language, signal: AbortSignal) => TtsStream;

/** From what an agent is to say to its sound on a telephone: the text as it is spoken, in the agent's voice for its language. */
export class SpeechPipeline {
  constructor(private readonly parts: SpeechPipelineParts) {}

  /** What nobody waits for: see `TtsRequest.ahead`. */
  aheadOf(agent: Agent): AgentSpeech {
    return this.#speechOf(agent, { ahead: true });
  }

  /** @param used - told what services were sent for it. */
  speechOf(agent: Agent, used?: TellUse): AgentSpeech {
    return this.#speechOf(agent, used ? { used } : {});
  }

  #speechOf(agent: Agent, how: Pick<TtsRequest, 'used' | 'ahead'>): AgentSpeech {
    const { normalizer, ttsFor, voices } = this.parts;
    const tts = ttsFor(agent);
    const { speed = 1, pitch = 0, model } = agent.definition;
    const pitchSemitones = model === PITCHED_MODEL ? pitch : 0;
    return (text, language, signal) => {
      const voice = agentVoice(agent, language, voices);
      if (!voice) throw new ServiceError('synthesis_failed', '', { cause: new Error('the catalogue has no voice') });
      const spoken = normalizer.normalize(text, language);
      const sound = { voice, sampleRateHz: TELEPHONE_RATE_HZ, speed, pitchSemitones };
      const request = { text: spoken.normalized, ...sound, ...how };
      return markedAsWritten(tts.synthesize(request, signal), spoken);
    };
  }
}

/** The same speech; its marks are places of the text as it was written. */
async function* markedAsWritten(speech: TtsStream, spoken: Normalized): TtsStream {
  let places: ReturnType<typeof originalPlaces> | undefined;
  for await (const chunk of speech) {
    if (!chunk.marks) {
      yield chunk;
      continue;
    }
    places ??= originalPlaces(spoken);
    const marks: SpeechMark[] = [];
    for (const { charStart, charEnd, atMs } of chunk.marks) {
      marks.push({ charStart: places(charStart), charEnd: places(charEnd), atMs });
    }
    yield withMarks(chunk.subarray(), marks);
  }
}
