import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/errors.ts';
import { keepUpgradeHeaders, refuseOrdinary } from '../websockets.ts';
import { socketEnds } from './socket-ends.ts';
import type { CarrierDoor, CarrierRequest } from './stream-calls.ts';

/** The sockets of carriers, of an app that has `useWebSockets`. Who is not admitted gets 401 before the upgrade. */
export async function carrierSocketRoutes(app: FastifyInstance, doors: readonly CarrierDoor[]): Promise<void> {
  await app.register(async (scope) => {
    for (const door of doors) {
      for (const url of [door.path, `${door.path}/:secret`]) {
        scope.route({
          method: 'GET',
          url,
          schema: { hide: true },
          onRequest: async (request, reply) => {
            if (!door.admits(requestOf(request))) throw new ServiceError('unauthorized');
            keepUpgradeHeaders(request, reply);
          },
          handler: refuseOrdinary,
          wsHandler: (socket, request) => door.open(socket, socketEnds(request), requestOf(request)),
        });
      }
    }
  });
}

function requestOf(request: FastifyRequest): CarrierRequest {
  const { secret } = request.params as { readonly secret?: string };
  const query = Object.entries(request.query as Record<string, unknown>);
  const parameters = new Map(query.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  return { url: request.url, headers: request.headers, secret, parameters };
}
