import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { Agent, Language } from '../core/agent.ts';
import { agentVoice, type VoiceDirectory } from '../core/agent-voice.ts';
import { ServiceError } from '../core/errors.ts';
import type { TextNormalizer } from './text/contract.ts';
import type { TtsEngine, TtsStream } from './tts/contract.ts';

/** The only model that honours a pitch. */
const PITCHED_MODEL = 'nabra-1';

export interface SpeechPipelineParts {
  readonly normalizer: TextNormalizer;
  readonly tts: TtsEngine;
  readonly voices: VoiceDirectory;
}

/** A sentence as an agent says it. Failures are those of the synthesiser; aborting ends it without an error. */
export type AgentSpeech = (text: string, language: Language, signal: AbortSignal) => TtsStream;

/** From what an agent is to say to its sound on a telephone: the text as it is spoken, in the agent's voice for its language. */
export class SpeechPipeline {
  constructor(private readonly parts: SpeechPipelineParts) {}

  speechOf(agent: Agent): AgentSpeech {
    const { normalizer, tts, voices } = this.parts;
    const { speed = 1, pitch = 0, model } = agent.definition;
    const pitchSemitones = model === PITCHED_MODEL ? pitch : 0;
    return (text, language, signal) => {
      const voice = agentVoice(agent, language, voices);
      if (!voice) throw new ServiceError('synthesis_failed', '', { cause: new Error('the catalogue has no voice') });
      const { normalized } = normalizer.normalize(text, language);
      return tts.synthesize(
        { text: normalized, voice, sampleRateHz: TELEPHONE_RATE_HZ, speed, pitchSemitones },
        signal,
      );
    };
  }
}
