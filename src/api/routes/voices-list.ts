import type { FastifyInstance } from 'fastify';
import type { Voice } from '../../core/voice.ts';
import type { ServiceDeps } from '../deps.ts';
import { operation } from '../operation.ts';
import { jsonSamples } from '../samples.ts';
import { type VoiceList, type VoicesQuery, VoicesQuerySchema, VoicesSchema } from '../schemas.ts';
import { voiceItem } from '../voice-item.ts';

/** `GET /v1/voices`: the catalogue, filtered. Free. */
export function voicesListRoute(app: FastifyInstance, { voices }: Pick<ServiceDeps, 'voices'>): void {
  const options = operation({
    id: 'listVoices',
    tag: 'Voices',
    summary: 'List voices',
    query: VoicesQuerySchema,
    answer: VoicesSchema,
    errors: ['invalid_request'],
    samples: jsonSamples('GET', '/v1/voices?language=ar', undefined, 'listVoices'),
  });
  app.get<{ Querystring: VoicesQuery }>('/v1/voices', options, async (request): Promise<VoiceList> => {
    return { voices: voices.list.filter((voice) => matches(voice, request.query)).map(voiceItem) };
  });
}

function matches(voice: Voice, { language, dialect, gender, model }: VoicesQuery): boolean {
  const spoken = voice.language.toLowerCase();
  const wanted = language?.toLowerCase().replace('_', '-');
  if (wanted !== undefined && spoken !== wanted && !spoken.startsWith(`${wanted}-`)) return false;
  if (dialect !== undefined && voice.dialect !== dialect) return false;
  if (gender !== undefined && voice.gender !== gender) return false;
  return model === undefined || voice.supportedModels.includes(model);
}
