import type { Clock } from '../../../core/clock.ts';
import { reachSocket } from '../reach-socket.ts';
import { socketUrl } from '../remote-socket.ts';
import { fluxQuery, listenQuery } from './listen-query.ts';
import { authorization, type DeepgramSettings, ERROR_HEADER, fluxUrl, isFlux } from './settings.ts';

/** Connects as for a call in each language, and as for a sentence, and says goodbye: the service judges key, models and languages. */
export async function reachDeepgram(
  settings: DeepgramSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { baseUrl, transcriptionModel, speechModel } = settings;
  const request = { headers: authorization(settings), errorHeader: ERROR_HEADER, clock };
  const told: string[] = [];
  const flux = isFlux(settings);
  for (const language of flux ? ['en-US'] : ['ar-SA', 'en-US']) {
    const query = (flux ? fluxQuery : listenQuery)(
      transcriptionModel,
      { language, sampleRateHz: 8000, interim: true },
      undefined,
    );
    const url = socketUrl(flux ? fluxUrl(settings) : baseUrl, '/listen', query);
    await reachSocket({ ...request, url }, signal, '{"type":"CloseStream"}');
    told.push(`${transcriptionModel} hears ${language}`);
  }
  const query = new URLSearchParams({ model: speechModel, encoding: 'mulaw', sample_rate: '8000' });
  await reachSocket({ ...request, url: socketUrl(baseUrl, '/speak', query) }, signal, '{"type":"Close"}');
  return [...told, `${speechModel} speaks`];
}
