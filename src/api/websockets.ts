import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../core/errors.ts';

/** Above it a connection ends without a word; below, whoever serves it says what was wrong. */
const MESSAGE_BYTES_MAX = 1_048_576;
/** A connection that asked for an upgrade and got an ordinary answer instead is not kept. */
const UNUPGRADED_MS_MAX = 10_000;

/** Subprotocol of SIP over WebSocket. */
export const SIP_PROTOCOL = 'sip';

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds what ends the sockets of one route when the gateway closes. */
    onSocketsClose(close: () => Promise<void>): void;
  }
}

/** Lets routes of `scope` be upgraded to WebSockets; once in an app, for it takes every upgrade of the server. */
export async function useWebSockets(scope: FastifyInstance): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  scope.server.prependListener('upgrade', (_request, socket) => {
    (socket as Socket).setTimeout(UNUPGRADED_MS_MAX, () => socket.destroy()); // an upgraded socket has its timeout taken off
  });
  await scope.register(websocket, {
    options: { maxPayload: MESSAGE_BYTES_MAX, perMessageDeflate: false, handleProtocols: chosenProtocol },
    errorHandler: (_error, socket) => socket.terminate(), // the `close` that follows settles what there was
    preClose: async () => void (await Promise.all(closers.map((close) => close()))),
  });
  scope.decorate('onSocketsClose', (close: () => Promise<void>) => void closers.push(close));
  scope.websocketServer.on('headers', (lines, request) => lines.push(...(upgradeHeaders.get(request) ?? [])));
}

/** SIP where it is offered (RFC 7118 §4), else what the client likes best. */
function chosenProtocol(offered: ReadonlySet<string>): string | false {
  const [first] = offered;
  return offered.has(SIP_PROTOCOL) ? SIP_PROTOCOL : (first ?? false);
}

/** What an upgraded connection is told in its head: the same as any other answer. To be called before the upgrade. */
export function keepUpgradeHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const lines = Object.entries(reply.getHeaders()).map(([name, value]) => `${name}: ${String(value)}`);
  upgradeHeaders.set(request.raw, lines);
}
const upgradeHeaders = new WeakMap<IncomingMessage, string[]>();

/** An ordinary request to a path that is a socket. */
export function refuseOrdinary(_request: FastifyRequest, reply: FastifyReply): never {
  reply.header('upgrade', 'websocket');
  throw new ServiceError('invalid_request', 'this path must be upgraded to a WebSocket');
}

export function queryToken(request: FastifyRequest): string | undefined {
  const { token } = request.query as Readonly<Record<string, unknown>>;
  return typeof token === 'string' ? token : undefined;
}
