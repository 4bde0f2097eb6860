import type { Clock } from '../../../core/clock.ts';
import { RemoteSocket, socketUrl } from '../remote-socket.ts';
import { listenQuery } from './listen-query.ts';
import { authorization, type DeepgramSettings, ERROR_HEADER } from './settings.ts';

/** Connects as for a call in each language, and as for a sentence, and says goodbye: the service judges key, models and languages. */
export async function reachDeepgram(
  settings: DeepgramSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { baseUrl, transcriptionModel, speechModel } = settings;
  const told: string[] = [];
  for (const language of ['ar-SA', 'en-US']) {
    const query = listenQuery(transcriptionModel, { language, sampleRateHz: 8000, interim: true }, undefined);
    await connect(settings, socketUrl(baseUrl, '/listen', query), '{"type":"CloseStream"}', clock, signal);
    told.push(`${transcriptionModel} hears ${language}`);
  }
  const query = new URLSearchParams({ model: speechModel, encoding: 'mulaw', sample_rate: '8000' });
  await connect(settings, socketUrl(baseUrl, '/speak', query), '{"type":"Close"}', clock, signal);
  return [...told, `${speechModel} speaks`];
}

/** @throws ChatFailure where the service does not take it. */
function connect(
  settings: DeepgramSettings,
  url: string,
  goodbye: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = authorization(settings);
    const socket = new RemoteSocket(
      { url, headers, errorHeader: ERROR_HEADER, clock },
      {
        opened: () => {
          socket.send(goodbye);
          socket.close();
          resolve();
        },
        text: () => {},
        bytes: () => {},
        ended: reject,
      },
    );
    signal.addEventListener(
      'abort',
      () => {
        socket.destroy();
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
