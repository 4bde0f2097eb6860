import type { FastifyInstance } from 'fastify';
import type { ServiceDeps } from '../deps.ts';
import { operation } from '../operation.ts';
import { jsonSamples } from '../samples.ts';
import { type SocketTokenBody, SocketTokenSchema } from '../schemas.ts';

/** `POST /v1/transcribe/token`: a token for one live transcription socket, for browsers. Free. */
export function transcribeTokenRoute(app: FastifyInstance, deps: Pick<ServiceDeps, 'socketTokens'>): void {
  const options = operation({
    id: 'createTranscribeToken',
    tag: 'Transcription',
    summary: 'Get a token for one live transcription',
    description:
      'Valid for 60 seconds and one connection: `/v1/transcribe/ws?token=...`. A browser never needs the API token.',
    answer: SocketTokenSchema,
    errors: [],
    samples: jsonSamples('POST', '/v1/transcribe/token', undefined, 'createTranscribeToken'),
  });
  app.post('/v1/transcribe/token', options, async (request): Promise<SocketTokenBody> => {
    const { token, expiresAt } = await deps.socketTokens.issue(request.caller);
    return { token, expires_at: expiresAt.toISOString() };
  });
}
