import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/errors.ts';
import { shown } from '../characters.ts';
import type { ServiceDeps } from '../deps.ts';
import { operation } from '../operation.ts';
import { jsonSamples } from '../samples.ts';
import { IdParamsSchema, type VoiceItem, VoiceSchema } from '../schemas.ts';
import { voiceItem } from '../voice-item.ts';

/** `GET /v1/voices/{id}`: one voice, with a request that can be sent as it is. Free. */
export function voicesGetRoute(app: FastifyInstance, { voices }: Pick<ServiceDeps, 'voices'>): void {
  const options = operation({
    id: 'getVoice',
    tag: 'Voices',
    summary: 'Get a voice',
    params: IdParamsSchema,
    answer: VoiceSchema,
    errors: ['unknown_voice'],
    samples: jsonSamples('GET', '/v1/voices/noura', undefined, 'getVoice', "'noura'"),
  });
  app.get<{ Params: { id: string } }>('/v1/voices/:id', options, async (request): Promise<VoiceItem> => {
    const voice = voices.get(request.params.id);
    if (!voice) throw new ServiceError('unknown_voice', shown(request.params.id));
    return voiceItem(voice);
  });
}
