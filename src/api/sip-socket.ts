import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { keepUpgradeHeaders, refuseOrdinary, SIP_PROTOCOL } from './websockets.ts';

export const SIP_SOCKET_PATH = '/sip';
/** When the gateway closes, a browser may close in turn for so long. */
const CLOSE_MS_MAX = 1_000;
const GOING_AWAY = 1001;

/** Where a socket came from, and whether TLS was spoken on the way. */
export interface SipSocketPeer {
  readonly isSecure: boolean;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

export interface SipSocketParts {
  readonly clock: Clock;
  readonly plain: boolean; // sockets without TLS are taken
  readonly secure: boolean; // sockets with TLS, which a proxy on this machine takes off
  readonly corsOrigins: readonly string[];
  /** Takes a socket over, and limits how many there are. */
  accept(socket: WebSocket, peer: SipSocketPeer): void;
}

/**
 * `GET /sip`, of an app that has `useWebSockets`: SIP over WebSocket (RFC 7118). What follows is SIP's to judge, who may call as
 * well as who may register; here only pages of strange origins are kept out, whose users never asked for a call.
 */
export async function sipSocketRoute(app: FastifyInstance, parts: SipSocketParts): Promise<void> {
  const sockets = new Set<WebSocket>();
  app.onSocketsClose(() => closeAll(sockets, parts.clock));
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { origin } = request.headers;
      const isWelcome = origin === undefined || parts.corsOrigins.some((one) => one === origin || one === '*');
      if (!isWelcome) return reply.code(403).type('text/plain').send('pages of this origin may not call\n');
      if (!(peerOf(request, parts.secure).isSecure ? parts.secure : parts.plain)) {
        return reply.code(403).type('text/plain').send('SIP is spoken over wss here\n');
      }
      if (request.ws && !offersSip(request)) {
        throw new ServiceError('invalid_request', `the subprotocol must be ${SIP_PROTOCOL}`);
      }
      keepUpgradeHeaders(request, reply);
      return undefined;
    });
    scope.route({
      ...{ method: 'GET', url: SIP_SOCKET_PATH, schema: { hide: true }, handler: refuseOrdinary },
      wsHandler: (socket, request) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        parts.accept(socket, peerOf(request, parts.secure));
      },
    });
  });
}

const offersSip = ({ headers }: FastifyRequest): boolean =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((name) => name.trim() === SIP_PROTOCOL);

/**
 * What a proxy says counts only where it is on this machine and expected: anybody else could claim to be near, or to be secure.
 * The nearest proxy writes the last address.
 */
function peerOf({ raw, headers }: FastifyRequest, behindProxy: boolean): SipSocketPeer {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = raw.socket;
  const own = { remoteAddress, remotePort, localAddress, localPort };
  if (!behindProxy || !/^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)) return { isSecure: false, ...own };
  const [forwardedFor, proto] = [headers['x-forwarded-for'], headers['x-forwarded-proto']].map((value) =>
    String(value ?? '')
      .split(',')
      .at(-1)!
      .trim(),
  );
  const isKnown = isIP(forwardedFor!) !== 0;
  return { ...own, isSecure: proto === 'https' || proto === 'wss', ...(isKnown && { remoteAddress: forwardedFor! }) };
}

/** The calls are over by then: whoever is still there registers elsewhere. */
async function closeAll(sockets: ReadonlySet<WebSocket>, clock: Clock): Promise<void> {
  const open = [...sockets];
  const closed = open.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
  for (const socket of open) socket.close(GOING_AWAY);
  const timer = clock.setTimer(CLOSE_MS_MAX, () => {
    for (const socket of open) socket.terminate();
  });
  await Promise.all(closed);
  clock.clearTimer(timer);
}
