import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import type { MediaEvent, MediaPlane, MediaPort } from '../../src/media/media-port.ts';
import { createMediaPlane, type MediaPlaneOptions } from '../../src/media/plane/media-plane.ts';
import { freeUdpRange } from './ports.ts';

/** A plane on loopback, with a range of ports of its own. */
export async function openPlane(changes: Partial<MediaPlaneOptions> = {}): Promise<MediaPlane> {
  const portMin = await freeUdpRange(60);
  return createMediaPlane({
    bindAddress: '127.0.0.1',
    advertiseAddress: '127.0.0.1',
    portMin,
    portMax: portMin + 59,
    callsPerWorker: 50,
    workers: 1,
    rtpTimeoutMs: 30_000,
    queueMs: 8_000,
    jitter: { minMs: 20, maxMs: 200 },
    raisePriority: false,
    maxLatenessP99Ms: 1_000, // a busy test machine refuses nobody
    maxCpuPercent: 1_000,
    logger: silentLogger,
    clock: systemClock,
    ...changes,
  });
}

export async function openPort(plane: MediaPlane): Promise<{ port: MediaPort; events: MediaEvent[] }> {
  const events: MediaEvent[] = [];
  const port = await plane.open({ callId: 'call_test', onEvent: (event) => events.push(event) });
  if (typeof port === 'string') throw new Error(`refused: ${port}`);
  return { port, events };
}

/** Reads everything the port has captured. */
export function drain(port: MediaPort): Int16Array {
  const parts: number[] = [];
  const frame = new Int16Array(1600);
  for (let count = port.read(frame); count > 0; count = port.read(frame)) parts.push(...frame.subarray(0, count));
  return Int16Array.from(parts);
}
