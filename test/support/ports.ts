import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** A TCP port that was free a moment ago. */
export function freeTcpPort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function udpFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.on('error', () => resolve(false));
    socket.bind(port, host, () => socket.close(() => resolve(true)));
  });
}

/** The start of a run of free UDP ports, even. */
export async function freeUdpRange(length: number, host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const start = 20_000 + 2 * Math.floor(Math.random() * 14_000);
    const probes = [start, start + 1, start + length - 1];
    if ((await Promise.all(probes.map((port) => udpFree(port, host)))).every(Boolean)) return start;
  }
  throw new Error('no free run of UDP ports');
}

/** A port free for UDP and TCP alike, as a SIP phone wants it. */
export async function freeSipPort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = await freeTcpPort(host);
    if (port < 64_000 && (await udpFree(port, host)) && (await udpFree(port + 1, host))) return port;
  }
  throw new Error('no free SIP port');
}
