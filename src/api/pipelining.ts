import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Clients wait for an answer before they ask again by the same connection; a few requests ahead do no harm (RFC 9112 §9.3.2). */
export const UNANSWERED_MAX = 16;

interface Times {
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
}

/** The server of the API: whoever asks on and on by one connection without waiting is cut off, for everybody else would wait for them. */
export function pacedServer(listener: RequestListener, { keepAliveTimeout, requestTimeout }: Times): Server {
  return Object.assign(createServer(paced(listener)), { keepAliveTimeout, requestTimeout });
}

/**
 * What a client sends in one piece is read to its end before anybody else has their turn: 1,600 short requests in 64 KiB. So what is too much
 * goes no further than here. No answer says why: it would be taken for that of a request before.
 */
function paced(listener: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > UNANSWERED_MAX) return void socket.destroy();
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
