import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Logger } from '../../core/logger.ts';
import type { Metrics } from '../../core/metrics.ts';
import { useErrorEnvelope } from '../error-envelope.ts';

export interface MetricsAppDeps {
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Brings up to date what nobody tells by itself. Never rejects. */
  readonly measure?: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * `GET /metrics` as Prometheus text, as a server of its own: figures of the business are not for those who reach the public
 * API. Whoever reaches its port may read them.
 */
export function buildMetricsApp({ metrics, measure, logger }: MetricsAppDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance;
  useErrorEnvelope(app);
  app.get('/metrics', async (_request, reply) => {
    await measure?.();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app;
}
