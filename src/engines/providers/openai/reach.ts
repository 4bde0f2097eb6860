import type { Clock } from '../../../core/clock.ts';
import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { readText } from '../../openai/response-body.ts';
import { HttpService } from '../http-service.ts';
import { reachSocket } from '../reach-socket.ts';
import { bearer, realtimeUrl } from './realtime-url.ts';
import type { OpenaiSettings } from './settings.ts';

const MODELS_BYTES = 4_194_304;

/** Asks for the models that the server has. Some list only a part of what they take: a name that is missing is told, and no more. */
export async function reachOpenai(
  settings: OpenaiSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const response = await new HttpService(settings, clock).get('/models', signal);
  const body = parseObject(await readText(response, MODELS_BYTES, signal));
  if (!body) throw new ChatFailure('garbage', 'the list of models is no JSON');
  const ids = new Set(arrayOf(body['data']).map((model) => objectOf(model)?.['id']));
  if (settings.transcription === 'realtime' && settings.transcriptionModel) {
    const { apiKey, baseUrl } = settings;
    await reachSocket({ url: realtimeUrl(baseUrl), headers: bearer(apiKey), clock }, signal);
  }
  const missing = [settings.transcriptionModel, settings.speechModel].filter((name) => name && !ids.has(name));
  return [
    `${ids.size} models`,
    ...missing.map((name) => `${name} is not among the models that it lists: it may be known all the same`),
  ];
}
