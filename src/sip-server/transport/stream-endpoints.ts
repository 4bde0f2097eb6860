import { connect as connectTcp, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';

/** PEM texts. `ca` adds trusted issuers for connections we open; `rejectUnauthorized` false trusts anyone (tests, lab). */
export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly rejectUnauthorized?: boolean;
}

export interface ServerHandlers {
  /** A raw socket, before any handshake. @returns false when it was refused. */
  admit(socket: Socket): boolean;
  /** An admitted one on which SIP may be spoken. */
  accept(socket: Socket): void;
  onHandshakeFailed(socket: Socket): void;
}

/** How one connected transport makes its sockets. The rest of it is the same for all. */
export interface StreamEndpoint {
  createServer(handlers: ServerHandlers, handshakeMs: number): Server;
  /** `serverName` is what a certificate must say; empty: the address. */
  connect(host: string, port: number, serverName: string): Socket;
  /** The event after which SIP may be spoken. */
  readonly readyEvent: 'connect' | 'secureConnect';
  /** A connection checked for one domain is not another's (RFC 5922 §4). */
  readonly boundToName: boolean;
}

export const tcpEndpoint: StreamEndpoint = {
  readyEvent: 'connect',
  boundToName: false,
  createServer: ({ admit, accept }) =>
    createTcpServer((socket) => {
      if (admit(socket)) accept(socket);
    }),
  connect: (host, port) => connectTcp({ host, port }),
};

export function tlsEndpoint(tls: TlsOptions): StreamEndpoint {
  const { cert, key, ca } = tls;
  return {
    readyEvent: 'secureConnect',
    boundToName: true,
    createServer: ({ admit, accept, onHandshakeFailed }, handshakeTimeout) => {
      const server = createTlsServer({ cert, key, handshakeTimeout }, accept);
      server.on('connection', (socket: Socket) => void admit(socket));
      server.on('tlsClientError', (_error: Error, socket: TLSSocket) => onHandshakeFailed(socket));
      return server;
    },
    connect: (host, port, serverName) =>
      connectTls({
        ...{ host, port, servername: serverName === '' ? undefined : serverName },
        ...{ ca, cert, key, rejectUnauthorized: tls.rejectUnauthorized ?? true },
      }),
  };
}
