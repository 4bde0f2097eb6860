import type { FastifyInstance } from 'fastify';

const EXPOSED = [
  'X-Service-Cost-Cents, X-Service-Model, X-Service-Voice, X-Service-Format, X-Service-Sample-Rate',
  'X-Service-Characters, X-Service-Duration-Ms, X-Service-Truncated, X-Service-Action, X-Service-Reason',
  'X-Service-Version, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
  'Idempotent-Replayed, Server-Timing',
].join(', ');
const PREFLIGHT_SECONDS = 600;

/** Lets browsers of the listed origins use the API; with an empty list no browser of another origin can read it. */
export function useCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(origins.includes(origin) || origins.includes('*'))) return done();
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', EXPOSED);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done();
    reply.header('access-control-allow-methods', 'GET, POST');
    reply.header('access-control-allow-headers', 'Authorization, Content-Type, Accept, Idempotency-Key, X-Request-Id');
    reply.header('access-control-max-age', PREFLIGHT_SECONDS);
    reply.code(204).send();
  });
}
