import { azureProvider } from './azure/azure-provider.ts';
import { deepgramProvider } from './deepgram/deepgram-provider.ts';
import { elevenlabsProvider } from './elevenlabs/elevenlabs-provider.ts';
import { openaiProvider } from './openai/openai-provider.ts';
import type { LocalProvider, Provider } from './provider.ts';
import { sherpaProvider } from './sherpa/sherpa-provider.ts';
import { sonioxProvider } from './soniox/soniox-provider.ts';
import { wyomingProvider } from './wyoming/wyoming-provider.ts';

/** Every service that the gateway can hear and speak with. One more is a row here and a folder beside this file. */
export const PROVIDERS: readonly Provider[] = [
  openaiProvider,
  deepgramProvider,
  elevenlabsProvider,
  azureProvider,
  sonioxProvider,
  wyomingProvider,
];

/** What hears and speaks with models on this machine. */
export const LOCAL_PROVIDERS: readonly LocalProvider[] = [sherpaProvider];
