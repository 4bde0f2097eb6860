import type { Clock } from '../../../core/clock.ts';
import { reachSocket } from '../reach-socket.ts';
import { newId } from './messages.ts';
import { type AzureSettings, hearingUrl, requestHeaders, speakingUrl } from './settings.ts';
import { LISTEN_PATH, listenQuery } from './speech-context.ts';

/** Connects as for a call in each language, and as for a sentence: the service judges the key. */
export async function reachAzure(
  settings: AzureSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const connect = (url: string): Promise<void> =>
    reachSocket({ url, headers: requestHeaders(settings, newId()), clock }, signal);
  const told: string[] = [];
  for (const language of ['ar-SA', 'en-US']) {
    await connect(hearingUrl(settings, LISTEN_PATH, listenQuery({ language, sampleRateHz: 8000, interim: true })));
    told.push(`hears ${language}`);
  }
  const url = speakingUrl(settings);
  await connect(url);
  return [...told, `speaks at ${new URL(url).host}`];
}
