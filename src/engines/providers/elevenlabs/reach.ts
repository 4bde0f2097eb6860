import type { Clock } from '../../../core/clock.ts';
import { readText } from '../../openai/response-body.ts';
import { socketUrl } from '../remote-socket.ts';
import { httpOf } from './api.ts';
import { ScribeHearing } from './scribe-hearing.ts';
import { scribeQuery } from './scribe-query.ts';
import { type ElevenlabsSettings, keyHeader } from './settings.ts';

const ANSWER_BYTES = 262_144;

/** Begins a session as for a call in each language, and asks for the voice: the service judges key, models and voice. */
export async function reachElevenlabs(
  settings: ElevenlabsSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { transcriptionModel, speechVoice, speechModel } = settings;
  const told: string[] = [];
  for (const language of ['ar-SA', 'en-US']) {
    await begin(settings, language, clock, signal);
    told.push(`${transcriptionModel} hears ${language}`);
  }
  if (speechVoice === undefined) return [...told, 'speechVoice is not set: nothing is spoken'];
  const response = await httpOf(settings, clock).get(`/voices/${speechVoice}`, signal);
  await readText(response, ANSWER_BYTES, signal);
  return [...told, `${speechVoice} is a voice; ${speechModel} is tried by --live only`];
}

/** @throws ChatFailure where the service does not take it. */
function begin(settings: ElevenlabsSettings, language: string, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = scribeQuery(settings, { language, sampleRateHz: 8000, interim: true }, undefined);
    const url = socketUrl(settings.baseUrl, '/speech-to-text/realtime', query);
    const headers = settings.apiKey === undefined ? {} : keyHeader(settings.apiKey);
    const hearing = new ScribeHearing({ url, headers, clock }, 8000, {
      opened: () => {
        hearing.close();
        resolve();
      },
      ...{ interim: () => {}, answered: () => {}, ended: reject },
    });
    const onAbort = (): void => {
      hearing.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
