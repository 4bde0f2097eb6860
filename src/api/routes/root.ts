import type { FastifyInstance } from 'fastify';

/** Where a person or program that knows only the address goes on. */
const PLACES = {
  service: 'Nidaa',
  reference: '/docs',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  readiness: '/readyz',
  health: '/healthz',
} as const;

/** `/`: a browser is taken to the console, or to the reference where there is none, a program is told where things are. */
export function rootRoute(app: FastifyInstance, hasConsole: boolean): void {
  const places = hasConsole ? { ...PLACES, console: '/console/' } : PLACES;
  app.get('/', async (request, reply) => {
    if (/\btext\/html\b/.test(request.headers.accept ?? ''))
      return reply.redirect(hasConsole ? '/console/' : PLACES.reference);
    return places;
  });
}
