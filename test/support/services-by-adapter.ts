import type { SttService } from '../conformance/stt-service.ts';
import type { TtsService } from '../conformance/tts-service.ts';
import { realtimeService } from './realtime-ears.ts';
import { sherpaEars, sherpaVoices } from './sherpa-services.ts';
import { sonioxService } from './soniox-ears.ts';
import { azureService, deepgramService, elevenlabsService, fluxService, openaiService } from './stt-services.ts';
import { azureVoice, deepgramVoice, elevenlabsVoice, openaiVoice } from './tts-services.ts';
import { wyomingService, wyomingVoiceService } from './wyoming-services.ts';

/** The ears of each adapter, in every way in which they hear. */
export const EARS: Readonly<Record<string, readonly SttService[]>> = {
  openai: [openaiService(false), openaiService(true)],
  'openai realtime': [realtimeService(false), realtimeService(true)],
  deepgram: [deepgramService],
  'deepgram flux': [fluxService],
  elevenlabs: [elevenlabsService],
  azure: [azureService],
  soniox: [sonioxService],
  sherpa: [sherpaEars],
  wyoming: [wyomingService(false), wyomingService(true)],
};

/** Their voices; Soniox has none here, and those of OpenAI and Deepgram are the same however they hear. */
export const VOICES: Readonly<Record<string, readonly TtsService[]>> = {
  openai: [openaiVoice],
  'openai realtime': [],
  deepgram: [deepgramVoice],
  'deepgram flux': [],
  elevenlabs: [elevenlabsVoice],
  azure: [azureVoice],
  soniox: [],
  sherpa: [sherpaVoices],
  wyoming: [wyomingVoiceService],
};
