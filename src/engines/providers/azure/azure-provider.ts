import { provider } from '../provider.ts';
import { AzureStt } from './azure-stt.ts';
import { AzureTts } from './azure-tts.ts';
import { reachAzure } from './reach.ts';
import { azureSettings, azureVoice, speakingUrl } from './settings.ts';

export const azureProvider = provider({
  name: 'azure',
  settings: azureSettings,
  voice: azureVoice,
  needs: { stt: [], tts: [] },
  stt: (settings, deps) => new AzureStt(settings, deps),
  tts: (settings, deps) => new AzureTts(settings, deps),
  speechUrl: speakingUrl,
  reach: reachAzure,
});
