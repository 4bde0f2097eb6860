import { connect as connectTcp, createServer as createTcpServer, isIP, type Server, type Socket } from 'node:net';
import {
  connect as connectTls,
  createServer as createTlsServer,
  type PeerCertificate,
  type SecureContext,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls';
import { certificateNames, isCertifiedFor } from '../tls/certificate-names.ts';
import type { TlsCredentials } from '../tls/tls-credentials.ts';

export interface TlsOptions {
  readonly credentials: TlsCredentials;
  /** Shown to callers who ask for a domain of theirs (RFC 6066 §3); everybody else is shown the first. */
  readonly others?: readonly TlsCredentials[];
  readonly minVersion?: SecureVersion; // default TLSv1.2
  /** Of whoever connects to us. `request`: one that nobody vouches for is as good as none. Default off. */
  readonly clientCertificates?: 'off' | 'request' | 'require';
  /** False connects to anybody, whatever the certificate (tests, lab). */
  readonly rejectUnauthorized?: boolean;
  /** `*.example.net` is taken for `sbc.example.net` where we connect. Default false. */
  readonly wildcardNames?: boolean;
}

export interface ServerHandlers {
  /** A raw socket, before any handshake. @returns false when it was refused. */
  admit(socket: Socket): boolean;
  /** An admitted one on which SIP may be spoken. */
  accept(socket: Socket): void;
  /** `code`: of OpenSSL or the system. */
  onHandshakeFailed(socket: Socket, code: string): void;
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
  /** The domains of the peer's certificate, where an authority that we believe vouches for it. */
  peerNames(socket: Socket): readonly string[];
  /** Why the peer's certificate was not taken, where that ended the socket. */
  distrust(socket: Socket): string | undefined;
}

export const tcpEndpoint: StreamEndpoint = {
  readyEvent: 'connect',
  boundToName: false,
  createServer: ({ admit, accept }) =>
    createTcpServer((socket) => {
      if (admit(socket)) accept(socket);
    }),
  connect: (host, port) => connectTcp({ host, port }),
  peerNames: () => [],
  distrust: () => undefined,
};

export function tlsEndpoint(tls: TlsOptions): StreamEndpoint {
  const { credentials, others = [], minVersion = 'TLSv1.2', clientCertificates = 'off' } = tls;
  const SNICallback = (domain: string, choose: (error: null, context?: SecureContext) => void): void =>
    choose(null, [credentials, ...others].find((one) => one.isFor(domain))?.context(minVersion));
  return {
    readyEvent: 'secureConnect',
    boundToName: true,
    createServer: ({ admit, accept, onHandshakeFailed }, handshakeTimeout) => {
      const asks = { requestCert: clientCertificates !== 'off', rejectUnauthorized: clientCertificates === 'require' };
      const server = createTlsServer(
        { ...credentials.pems, ...asks, minVersion, handshakeTimeout, SNICallback },
        accept,
      );
      server.on('connection', (socket: Socket) => void admit(socket));
      server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) =>
        onHandshakeFailed(socket, error.code ?? 'unknown'),
      );
      const stop = credentials.onReplaced(() => server.setSecureContext({ ...credentials.pems, minVersion }));
      server.once('close', stop);
      return server;
    },
    connect: (host, port, serverName) =>
      connectTls({
        ...{ host, port, secureContext: credentials.context(minVersion) },
        ...(serverName !== '' && isIP(serverName) === 0 && { servername: serverName }),
        rejectUnauthorized: tls.rejectUnauthorized ?? true,
        checkServerIdentity: (_name, certificate) =>
          nameFault(serverName === '' ? host : serverName, certificate, tls.wildcardNames ?? false),
      }),
    peerNames: (socket) => {
      const peer = socket as TLSSocket;
      return peer.authorized ? certificateNames(peer.getPeerCertificate() as PeerCertificate) : [];
    },
    distrust: (socket) => {
      const { authorizationError } = socket as TLSSocket; // a code; typed as an error
      return authorizationError ? String(authorizationError) : undefined;
    },
  };
}

/** Why a certificate is not for `host` (RFC 5922 §7); the code is the one that Node itself has for it. */
export function nameFault(host: string, certificate: PeerCertificate, wildcards: boolean): Error | undefined {
  if (isCertifiedFor(host, certificate, wildcards)) return undefined;
  return Object.assign(new Error('certificate of another name'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
}
