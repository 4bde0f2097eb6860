import type { Clock } from '../../../core/clock.ts';
import { arrayOf, objectOf, parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { readText } from '../../openai/response-body.ts';
import { HttpService } from '../http-service.ts';
import { reachSocket } from '../reach-socket.ts';
import { socketUrl } from '../remote-socket.ts';
import { authorization, LISTEN_PATH, type SonioxSettings } from './settings.ts';

const MODELS_BYTES = 4_194_304;
const LANGUAGES = ['ar', 'en'] as const;

/**
 * Asks for the models, which needs the key, and connects as for a call. The service judges a key that comes with a connection only
 * when a session begins, and that costs something.
 */
export async function reachSoniox(
  settings: SonioxSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { transcriptionModel: wanted, baseUrl } = settings;
  const service = new HttpService({ ...settings, baseUrl: apiUrl(baseUrl) }, clock);
  const body = parseObject(await readText(await service.get('/v1/models', signal), MODELS_BYTES, signal));
  if (!body) throw new ChatFailure('garbage', 'the list of models is no JSON');
  const models = arrayOf(body['models']).map(objectOf);
  const model = models.find((listed) => listed?.['id'] === wanted);
  if (!model) throw new ChatFailure('no-model', 'the model is not among those that it lists');
  const known = new Set(arrayOf(model['languages']).map((language) => objectOf(language)?.['code']));
  const deaf = LANGUAGES.find((code) => !known.has(code));
  if (deaf !== undefined) throw new ChatFailure('no-model', `the model does not hear ${deaf}`);
  const url = socketUrl(baseUrl, LISTEN_PATH);
  await reachSocket({ url, headers: authorization(settings), clock }, signal);
  return [`${wanted} hears Arabic and English`];
}

/** The other address of a region: `https://api.eu.soniox.com` beside `https://stt-rt.eu.soniox.com`. */
function apiUrl(baseUrl: string): string {
  return baseUrl.replace(/\/\/stt-rt\./i, '//api.');
}
