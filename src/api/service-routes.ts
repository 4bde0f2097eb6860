import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../core/errors.ts';
import { useBearerAuth } from './auth.ts';
import type { ServiceDeps } from './deps.ts';
import { useIdempotency } from './idempotency.ts';
import type { LoadGauge } from './load-gauge.ts';
import { Payments } from './payments.ts';
import { type RequestRates, useRateLimit } from './rate-limit.ts';
import { agentsListRoute } from './routes/agents-list.ts';
import { agentsReplyRoute } from './routes/agents-reply.ts';
import { documentsAskRoute } from './routes/documents-ask.ts';
import { modelsListRoute } from './routes/models-list.ts';
import { privacyRedactRoute } from './routes/privacy-redact.ts';
import { speechRoute } from './routes/speech.ts';
import { speechStreamRoute } from './routes/speech-stream.ts';
import { talkTokenRoute } from './routes/talk-token.ts';
import { textCoverageRoute } from './routes/text-coverage.ts';
import { textNormalizeRoute } from './routes/text-normalize.ts';
import { transcribeRoute } from './routes/transcribe.ts';
import { transcribeTokenRoute } from './routes/transcribe-token.ts';
import { voicesGetRoute } from './routes/voices-get.ts';
import { voicesListRoute } from './routes/voices-list.ts';
import { useUploads } from './upload.ts';

export interface ServiceRoutesOptions {
  readonly service: ServiceDeps;
  readonly rates: RequestRates;
  readonly load: LoadGauge;
}

/**
 * Every `/v1` operation. A request passes: token, rate, media type, size, fields, agent or voice, credit, work; the first
 * four before its body is read.
 */
export async function serviceRoutes(scope: FastifyInstance, options: ServiceRoutesOptions): Promise<void> {
  const { service, rates, load } = options;
  const deps = { ...service, payments: new Payments(service) };
  useBearerAuth(scope, (token) => service.tokens.authenticate(token));
  useRateLimit(scope, {
    ...{ rates, inFlightPerAccount: service.settings.requestsInFlightPerAccount },
    ...(service.sharedUse && { inFlight: service.sharedUse.counts('requests') }),
  });
  scope.addHook('onRequest', (_request, reply, done) => {
    const openedAll = load.admit();
    if (openedAll) reply.raw.once('close', openedAll);
    done(openedAll ? undefined : new ServiceError('unavailable'));
  });
  // A POST without a body and without a type is let through by the framework; the schema says what is missing.
  scope.addHook('preValidation', (request, _reply, done) => {
    const wantsBody = request.routeOptions.schema?.body !== undefined;
    const isMissing = wantsBody && request.body === undefined && request.headers['content-type'] === undefined;
    done(isMissing ? new ServiceError('invalid_request', 'body must be object') : undefined);
  });
  useIdempotency(scope, service.idempotency);
  for (const route of [agentsListRoute, agentsReplyRoute, speechRoute, speechStreamRoute]) route(scope, deps);
  for (const route of [textNormalizeRoute, textCoverageRoute, privacyRedactRoute]) route(scope, deps);
  for (const route of [voicesListRoute, voicesGetRoute, modelsListRoute, transcribeTokenRoute, talkTokenRoute])
    route(scope, deps);
  await scope.register(async (uploads) => {
    await useUploads(uploads);
    transcribeRoute(uploads, deps);
    documentsAskRoute(uploads, deps);
  });
}
