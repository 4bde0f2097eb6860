import { provider } from '../provider.ts';
import { DeepgramStt } from './deepgram-stt.ts';
import { DeepgramTts } from './deepgram-tts.ts';
import { FluxStt } from './flux-stt.ts';
import { reachDeepgram } from './reach.ts';
import { deepgramSettings, deepgramVoice, isFlux } from './settings.ts';

export const deepgramProvider = provider({
  name: 'deepgram',
  settings: deepgramSettings,
  voice: deepgramVoice,
  needs: { stt: ['transcriptionModel'], tts: ['speechModel'] },
  stt: (settings, deps) => (isFlux(settings) ? new FluxStt(settings, deps) : new DeepgramStt(settings, deps)),
  tts: (settings, deps) => new DeepgramTts(settings, deps),
  reach: reachDeepgram,
});
