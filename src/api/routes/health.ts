import type { FastifyInstance } from 'fastify';

export interface PartState {
  /** `degraded` still serves, with something missing; `down` keeps the gateway from taking calls or requests. */
  readonly state: 'ok' | 'degraded' | 'down';
  readonly detail?: string; // what is wrong and what mends it
}
export type ReadinessCheck = () => Promise<Readonly<Record<string, PartState>>>;

/** `/healthz`: the process lives. `/readyz`: each part and whether traffic should come, 503 when one is down. */
export function healthRoutes(app: FastifyInstance, readiness: ReadinessCheck): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const parts = await readiness();
    const down = Object.values(parts).some((part) => part.state === 'down');
    return reply.code(down ? 503 : 200).send({ status: down ? 'down' : 'ok', parts });
  });
}
