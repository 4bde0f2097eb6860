import { provider } from '../provider.ts';
import { ElevenlabsStt } from './elevenlabs-stt.ts';
import { ElevenlabsTts } from './elevenlabs-tts.ts';
import { reachElevenlabs } from './reach.ts';
import { elevenlabsSettings, elevenlabsVoice } from './settings.ts';

export const elevenlabsProvider = provider({
  name: 'elevenlabs',
  settings: elevenlabsSettings,
  voice: elevenlabsVoice,
  needs: { stt: ['transcriptionModel'], tts: ['speechModel', 'speechVoice'] },
  stt: (settings, deps) => new ElevenlabsStt(settings, deps),
  tts: (settings, deps) => new ElevenlabsTts(settings, deps),
  reach: reachElevenlabs,
});
