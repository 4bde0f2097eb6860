import { localProvider } from '../provider.ts';
import { type SherpaSettings, sherpaSettings, sherpaVoice } from './settings.ts';
import { SherpaStt } from './sherpa-stt.ts';
import { SherpaTts } from './sherpa-tts.ts';
import { SherpaTurnEnd } from './sherpa-turn-end.ts';
import { SherpaVad } from './sherpa-vad.ts';

export const sherpaProvider = localProvider({
  name: 'sherpa',
  settings: sherpaSettings,
  voice: sherpaVoice,
  lacks: (settings: SherpaSettings | undefined, use) => {
    if (use.capability === 'turn-end') return settings?.turnEnd ? undefined : 'turnEnd with a model';
    if (use.capability === 'vad') return settings?.vad ? undefined : 'vad with a model';
    if (use.capability === 'tts') return settings?.voices.length ? undefined : 'voices with a model';
    const has = settings?.ears.some(({ languages }) => languages.includes(use.language));
    return has ? undefined : `ears with a model and languages: [${use.language}]`;
  },
  stt: (settings: SherpaSettings, deps) => new SherpaStt(settings, deps),
  tts: (settings: SherpaSettings, deps) => new SherpaTts(settings, deps),
  turnEnd: (settings: SherpaSettings, deps) => new SherpaTurnEnd(settings.turnEnd!, settings, deps),
  vad: (settings: SherpaSettings, deps) => new SherpaVad(settings.vad!, settings, deps),
});
