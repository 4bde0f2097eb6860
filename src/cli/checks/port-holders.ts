import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, isIPv6 } from 'node:net';

/** Who holds a port, and whether it can be had: from trying, and from what Linux tells about sockets. */

export type Protocol = 'udp' | 'tcp';
export interface PortHolder {
  readonly pid: number;
  readonly command: string;
}

const LISTEN = '0A'; // TCP_LISTEN in /proc/net/tcp

/** @returns the error code of binding (`EADDRINUSE` ...), undefined when the port can be had. Port 0 always can. */
export function bindFault(protocol: Protocol, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    if (protocol === 'udp') {
      const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
      socket.once('error', failed);
      socket.bind(port, host, () => socket.close(() => resolve(undefined)));
      return;
    }
    const server = createServer();
    server.once('error', failed);
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

interface SocketRow {
  readonly port: number;
  readonly inode: string;
}

/** Bound sockets of one protocol; undefined where the system does not tell. */
function socketRows(protocol: Protocol): readonly SocketRow[] | undefined {
  const texts = [protocol, `${protocol}6`].map((name) => readText(`/proc/net/${name}`));
  if (texts.every((text) => text === undefined)) return undefined;
  return texts.flatMap((text) => parseSocketTable(text ?? '', protocol));
}

/** The rows of `/proc/net/udp` and its kin (proc_pid_net(5)): local address in hexadecimal, state, inode. */
export function parseSocketTable(text: string, protocol: Protocol): SocketRow[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const fields = line.trim().split(/\s+/);
      const port = Number.parseInt(fields[1]?.split(':')[1] ?? '', 16);
      const [state, inode] = [fields[3], fields[9]];
      if (!inode || Number.isNaN(port) || (protocol === 'tcp' && state !== LISTEN)) return [];
      return [{ port, inode }];
    });
}

/** Ports of `min..max` that some socket has; undefined where the system does not tell. */
export function takenUdpPorts(min: number, max: number): ReadonlySet<number> | undefined {
  const rows = socketRows('udp');
  return rows && new Set(rows.map(({ port }) => port).filter((port) => port >= min && port <= max));
}

/** The process that holds a port: one of ours, or anybody's when we are root. */
export function portHolder(protocol: Protocol, port: number): PortHolder | undefined {
  const inodes = new Set(socketRows(protocol)?.flatMap((row) => (row.port === port ? [row.inode] : [])));
  if (inodes.size === 0) return undefined;
  for (const name of names('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const holds = names(`/proc/${name}/fd`).some((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${name}/fd/${fd}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
    if (holds) return { pid: Number(name), command: readText(`/proc/${name}/comm`)?.trim() ?? '' };
  }
  return undefined;
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
