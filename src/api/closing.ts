import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';

/** What is under way may end first; then connections are cut, or a stream to a slow reader would hold the gateway open. */
export const CLOSE_MS_MAX = 10_000;
/** A request that is on its way has come by then. */
export const SILENT_MS_MAX = 300;

/**
 * How `app.close()` comes to its end: new requests are turned away, a connection ends with the answer it is giving (also
 * when that had begun as one to be kept alive), one that never asked anything ends soon, and none outlives `CLOSE_MS_MAX`.
 */
export function closeInTime(app: FastifyInstance, clock: Clock): void {
  let isClosing = false;
  const sockets = new Set<Socket>(); // Node counts those that browsers open ahead of need as busy
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    const timers = [
      clock.setTimer(SILENT_MS_MAX, () => {
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }),
      clock.setTimer(CLOSE_MS_MAX, () => app.server.closeAllConnections()),
    ];
    app.server.once('close', () => {
      for (const timer of timers) clock.clearTimer(timer);
    });
  });
  app.addHook('onRequest', (request, _reply, done) => {
    done(isClosing && /^\/(?:manage\/)?v1\//.test(request.url) ? new ServiceError('unavailable') : undefined);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (isClosing) request.raw.socket.end();
    done();
  });
}
