import type { FastifyInstance } from 'fastify';
import type { ServiceDeps } from '../deps.ts';
import { operation } from '../operation.ts';
import { jsonSamples } from '../samples.ts';
import { type ModelList, ModelsSchema, SPEECH_MODELS, STREAM_MODELS } from '../schemas.ts';
import { honoursPitch } from '../speech-request.ts';

/** `GET /v1/models`: the speech models. Free. */
export function modelsListRoute(app: FastifyInstance, { prices }: Pick<ServiceDeps, 'prices'>): void {
  const options = operation({
    id: 'listModels',
    tag: 'Voices',
    summary: 'List speech models',
    answer: ModelsSchema,
    errors: [],
    samples: jsonSamples('GET', '/v1/models', undefined, 'listModels'),
  });
  app.get('/v1/models', options, async (): Promise<ModelList> => {
    const models = SPEECH_MODELS.map((id) => ({
      id,
      honours_pitch: honoursPitch(id),
      streaming: STREAM_MODELS.some((model) => model === id),
      price_cents_per_1000_chars: prices.speechCentsPer1000[id] ?? 0,
    }));
    return { models };
  });
}
