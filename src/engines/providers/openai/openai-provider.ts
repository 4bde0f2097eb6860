import { provider } from '../provider.ts';
import { reachOpenai } from './reach.ts';
import { OpenaiRealtimeStt } from './realtime-stt.ts';
import { openaiSettings, openaiVoice } from './settings.ts';
import { OpenaiTts } from './speech.ts';
import { OpenaiStt } from './transcription.ts';

export const openaiProvider = provider({
  name: 'openai',
  settings: openaiSettings,
  voice: openaiVoice,
  needs: {
    reply: ['chatModel'],
    document: ['chatModel'],
    stt: ['transcriptionModel'],
    tts: ['speechModel', 'speechVoice'],
  },
  stt: (settings, deps) =>
    settings.transcription === 'realtime' ? new OpenaiRealtimeStt(settings, deps) : new OpenaiStt(settings, deps),
  tts: (settings, deps) => new OpenaiTts(settings, deps),
  reach: reachOpenai,
});
