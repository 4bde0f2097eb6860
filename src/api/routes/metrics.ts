import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/errors.ts';
import type { Metrics } from '../../core/metrics.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** Prometheus text. Figures of the business are nobody else's: only the machine itself may read them here. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (request, reply) => {
    if (!LOOPBACK.test(request.socket.remoteAddress ?? '')) throw new ServiceError('not_found');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}
