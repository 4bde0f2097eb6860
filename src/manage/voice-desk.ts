import { collect, speak } from '../api/speech-maker.ts';
import { wavFile } from '../audio/wav.ts';
import { languageOf, type SpeechPrivacy } from '../core/agent.ts';
import type { Voice } from '../core/voice.ts';
import type { TextNormalizer } from '../engines/text/contract.ts';
import type { TtsEngine } from '../engines/tts/contract.ts';

/** As callers on the telephone hear it at best: wide band. */
const SAMPLE_RATE_HZ = 16_000;

/** Who speaks, and whether what is said goes to a service for it. */
export interface SpeakingEngine {
  readonly name: string;
  readonly place: 'local' | 'remote';
}

export interface VoiceDeskDeps {
  readonly voices: { readonly list: readonly Voice[]; get(id: string): Voice | undefined };
  readonly normalizer: TextNormalizer;
  readonly speakingOf: (privacy: SpeechPrivacy) => TtsEngine;
  /** The first choice where speech may leave this machine, and where it may not; undefined where there is none. */
  readonly engines: { readonly [P in SpeechPrivacy]: SpeakingEngine | undefined };
  /** Of agents whose file says nothing. */
  readonly byDefault: SpeechPrivacy;
}

export interface PreviewRequest {
  readonly voice: Voice;
  readonly text: string;
  readonly speed: number;
  readonly pitchSemitones: number;
  readonly privacy: SpeechPrivacy;
}

/** The voices that agents may have, and how they sound. */
export class VoiceDesk {
  constructor(readonly deps: VoiceDeskDeps) {}

  /** A short text in a voice, as a WAV file. @throws ServiceError of the engine. */
  async say(request: PreviewRequest, signal: AbortSignal): Promise<Buffer> {
    const samples = await this.samples(request, SAMPLE_RATE_HZ, signal);
    return wavFile({ sampleRateHz: SAMPLE_RATE_HZ, channels: 1 }, samples);
  }

  /** The same as mono PCM. */
  async samples({ privacy, voice, ...how }: PreviewRequest, rateHz: number, signal: AbortSignal): Promise<Int16Array> {
    const { normalizer, speakingOf } = this.deps;
    const said = { ...how, voice, language: languageOf(voice.language), sampleRateHz: rateHz };
    return collect(speak({ tts: speakingOf(privacy), normalizer }, said, signal));
  }
}
