import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Test ports lie below the range the kernel picks from by itself (32768 up), and each process has its own slice: nobody
 * takes a port between the moment it is found free and the moment it is used.
 */
const FIRST_PORT = 12_000;
const SLICE = 2_000;
const SLICES = 10; // more than processes run at a time, those included that end while the next has begun
const GUARD_HOST = '127.0.0.1';
let offset = 2 + 2 * Math.floor((Math.random() * (SLICE - 2)) / 2);
let slice: Promise<number> | undefined;

/**
 * The first port of the slice that is ours until this process ends, for as long as it listens there. A number from the test runner
 * is no claim: it goes to the next worker while the last one still closes what it had.
 */
async function claimSlice(): Promise<number> {
  const first = Number(process.env.VITEST_POOL_ID ?? 0);
  for (let tried = 0; tried < SLICES; tried += 1) {
    const start = FIRST_PORT + ((first + tried) % SLICES) * SLICE;
    if (await held(start)) return start;
  }
  return FIRST_PORT + (first % SLICES) * SLICE; // Several test runs share the machine, and its ports.
}

/** Whether the port is ours from now on. */
function held(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const guard = createServer();
    guard.on('error', () => resolve(false));
    guard.listen({ port, host: GUARD_HOST, exclusive: true }, () => resolve(true)).unref();
  });
}

function tcpFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether nobody has it. */
export function udpFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.on('error', () => socket.close(() => resolve(false)));
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

async function freeRun(length: number, isFree: (port: number) => Promise<boolean>): Promise<number> {
  slice ??= claimSlice();
  const sliceStart = await slice;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (offset + length > SLICE) offset = 2; // behind the guard
    const start = sliceStart + offset;
    offset += length + (length % 2); // stays even
    const ports = Array.from({ length }, (_, index) => start + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return start;
  }
  throw new Error(`no run of ${length} free ports from ${sliceStart} on`);
}

/** A free TCP port. */
export function freeTcpPort(host = '127.0.0.1'): Promise<number> {
  return freeRun(1, (port) => tcpFree(port, host));
}

/** The start of a run of free UDP ports, even. */
export function freeUdpRange(length: number, host = '127.0.0.1'): Promise<number> {
  return freeRun(length, (port) => udpFree(port, host));
}

/** A port free for UDP and TCP alike, and the one above it too, as a SIP phone wants it. */
export function freeSipPort(host = '127.0.0.1'): Promise<number> {
  return freeRun(2, async (port) => (await udpFree(port, host)) && (await tcpFree(port, host)));
}
