import type { FastifyRequest } from 'fastify';

interface End {
  readonly address: string;
  readonly port: number;
}

/** Where a connection comes from, and to. */
export interface SocketEnds {
  readonly local: End;
  readonly remote: End;
}

export function socketEnds({ socket }: FastifyRequest): SocketEnds {
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
  return { local: { address: localAddress, port: localPort }, remote: { address: remoteAddress, port: remotePort } };
}
