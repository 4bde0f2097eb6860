import { provider } from '../provider.ts';
import { DeepgramStt } from './deepgram-stt.ts';
import { DeepgramTts } from './deepgram-tts.ts';
import { reachDeepgram } from './reach.ts';
import { deepgramSettings, deepgramVoice } from './settings.ts';

export const deepgramProvider = provider({
  name: 'deepgram',
  settings: deepgramSettings,
  voice: deepgramVoice,
  needs: { stt: ['transcriptionModel'], tts: ['speechModel'] },
  stt: (settings, deps) => new DeepgramStt(settings, deps),
  tts: (settings, deps) => new DeepgramTts(settings, deps),
  reach: reachDeepgram,
});
