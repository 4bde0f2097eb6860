import { provider } from '../provider.ts';
import { reachWyoming } from './reach.ts';
import { speechUrlOf, wyomingSettings, wyomingVoice } from './settings.ts';
import { WyomingStt } from './wyoming-stt.ts';
import { WyomingTts } from './wyoming-tts.ts';

export const wyomingProvider = provider({
  name: 'wyoming',
  settings: wyomingSettings,
  voice: wyomingVoice,
  needs: { stt: [], tts: [] },
  stt: (settings, deps) => new WyomingStt(settings, deps),
  tts: (settings, deps) => new WyomingTts(settings, deps),
  speechUrl: speechUrlOf,
  reach: reachWyoming,
});
