import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../core/metrics.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What logs and metrics call the operation, where it is none of `/v1`. */
    loggedAs?: string;
  }
}

/** One line and one measurement a request: never its address (it may carry a token), headers or body. */
export function useRequestLog(app: FastifyInstance, { metrics }: { readonly metrics: Metrics }): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { operation: described, loggedAs } = request.routeOptions.config ?? {};
    const operation = described?.id ?? loggedAs ?? 'none';
    const ms = reply.elapsedTime;
    metrics.httpSeconds.observe({ operation, status: reply.statusCode }, ms / 1000);
    if (operation !== 'none') {
      const fields = {
        ...{ operation, status: reply.statusCode, ms: Math.round(ms), accountId: request.caller?.accountId },
      };
      // What is free and went well is asked for by the thousand.
      if (reply.statusCode < 400 && !request.routeOptions.config.isPaid) request.log.debug(fields, 'request');
      else request.log.info(fields, 'request');
    }
    done();
  });
}
