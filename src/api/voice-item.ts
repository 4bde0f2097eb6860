import type { Voice } from '../core/voice.ts';
import type { SpeechModel, VoiceItem } from './schemas.ts';

/** A voice as the public API shows it; `sample_request` is a body that `POST /v1/speech` takes unchanged. */
export function voiceItem(voice: Voice): VoiceItem {
  const { id, name, gender, age, language, dialect, country, styles, description, supportedModels } = voice;
  return {
    ...{ id, name, gender, age, language, dialect, country, styles: [...styles], description },
    supported_models: [...supportedModels],
    sample_request: { text: voice.sampleText, voice: id, model: supportedModels[0] as SpeechModel, format: 'mp3' },
  };
}
