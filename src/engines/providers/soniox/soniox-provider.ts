import { provider } from '../provider.ts';
import { reachSoniox } from './reach.ts';
import { sonioxSettings } from './settings.ts';
import { SonioxStt } from './soniox-stt.ts';

export const sonioxProvider = provider({
  name: 'soniox',
  settings: sonioxSettings,
  needs: { stt: ['transcriptionModel'] },
  stt: (settings, deps) => new SonioxStt(settings, deps),
  reach: reachSoniox,
});
