import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { systemClock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { closeInTime } from './closing.ts';
import { useCors } from './cors.ts';
import type { ApiDeps } from './deps.ts';
import { answerError, envelope, useErrorEnvelope } from './error-envelope.ts';
import { useJsonBodies } from './json-body.ts';
import { LoadGauge } from './load-gauge.ts';
import { pacedServer } from './pipelining.ts';
import { RequestRates } from './rate-limit.ts';
import { describeRoutes, referenceRoutes } from './reference.ts';
import { useRequestLog } from './request-log.ts';
import { healthRoutes } from './routes/health.ts';
import { rootRoute } from './routes/root.ts';
import { serializersOnDemand, validatorsOnDemand } from './schemas-on-demand.ts';
import { serviceRoutes } from './service-routes.ts';
import { sipSocketRoute } from './sip-socket.ts';
import { carrierSocketRoutes } from './streams/carrier-sockets.ts';
import { talkSocketRoute } from './streams/talk-socket.ts';
import { transcribeSocketRoute } from './transcribe-socket/socket.ts';
import { useWebSockets } from './websockets.ts';

/** Largest JSON body of an ordinary route; uploads have limits of their own. */
const BODY_LIMIT_BYTES = 1024 * 1024;
/** A whole request must arrive within this; 8 MB come in at 1.1 Mbit/s. */
const REQUEST_MS_MAX = 60_000;
/** Longer than what is usual in front of a gateway, which must not send a request by a connection that was just closed. */
const KEEP_ALIVE_MS = 65_000;
/** No id is so long, but an unknown one is answered as such; the whole head of a request has 16 KiB at most. */
const PARAM_CHARS_MAX = 16_384;

/** The HTTP API as an object: never listens, so that tests can inject requests. */
export function buildApp(deps: ApiDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (listener) =>
      pacedServer(listener, { requestTimeout: REQUEST_MS_MAX, keepAliveTimeout: KEEP_ALIVE_MS }),
    return503OnClosing: false, // our own answer says it in the envelope
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false } },
    schemaController: {
      compilersFactory: { buildValidator: validatorsOnDemand(), buildSerializer: serializersOnDemand() },
    },
    frameworkErrors: (error, request, reply) => {
      standardHeaders(request, reply, deps.version); // hooks do not run where a path cannot be read
      void answerError(error, request, reply);
    },
    clientErrorHandler: answerUnreadable,
    genReqId: (request) => {
      const own = request.headers['x-request-id'];
      return typeof own === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(own) ? own : newId('req');
    },
  }) as unknown as FastifyInstance;
  app.addHook('onRequest', (request, reply, done) => {
    standardHeaders(request, reply, deps.version);
    done();
  });
  closeInTime(app, deps.service?.clock ?? systemClock);
  useRequestLog(app, deps);
  useErrorEnvelope(app);
  useJsonBodies(app);
  healthRoutes(app, deps.readiness);
  rootRoute(app, deps.manage !== undefined);
  const { service, socket, streams, sipSocket, manage } = deps;
  if (service) {
    const rates = new RequestRates(service.clock, service.settings, service.sharedUse);
    const load = new LoadGauge(service.clock, service.descriptors);
    app.addHook('onClose', async () => load.close());
    void app.register(async (scope) => {
      await useWebSockets(scope);
      if (socket) await transcribeSocketRoute(scope, { ...socket, rates, load });
      if (sipSocket) await sipSocketRoute(scope, sipSocket);
      if (!streams) return;
      scope.onSocketsClose(() => streams.close());
      await talkSocketRoute(scope, { ...service, rates, load, calls: streams });
      await carrierSocketRoutes(scope, streams.carriers);
    });
    useCors(app, service.settings.corsOrigins);
    void app.register(async (scope) => {
      const facts = { ...service, ...(socket && { sockets: socket.limits }) };
      await describeRoutes(scope, deps.version, facts);
      await referenceRoutes(scope, facts, manage !== undefined);
      await scope.register(serviceRoutes, { service, rates, load });
    });
  }
  if (manage) void app.register(manage);
  return app;
}

function standardHeaders(request: FastifyRequest, reply: FastifyReply, version: string): void {
  reply.header('x-request-id', request.id);
  reply.header('x-service-version', version);
  reply.header('referrer-policy', 'no-referrer');
  reply.header('x-content-type-options', 'nosniff');
}

/** Bytes that are no HTTP request, or one that did not come to its end in time. */
function answerUnreadable(error: Error & { readonly code?: string }, socket: NodeJS.WritableStream): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.end();
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = late
    ? '408 Request Timeout'
    : error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Headers Too Large'
      : '400 Bad Request';
  const detail = late ? 'the request did not arrive in time' : 'the request is not valid HTTP';
  const body = JSON.stringify(envelope(new ServiceError('invalid_request', detail)));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
