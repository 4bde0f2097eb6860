import { systemClock } from '../../dist/core/clock.js';
import { createLogger } from '../../dist/core/logger.js';
import { createMediaPlane } from '../../dist/media/plane/media-plane.js';
import { SrtpKey } from '../../dist/media/srtp/srtp-key.js';
import { meterRow } from './media-programs.mjs';

const CUSHION_SAMPLES = 800;
const ECHO_EVERY_MS = 20;
/** The load of the thread is an average of its own last second: the first ones are of before. */
const SETTLED_MS = 2_500;

/**
 * A row of our plane: `calls` calls, each echoed, or `joined` two by two.
 *
 * @param bench - programs, ports, measureSeconds, ptimeMs, realtime
 * @param srtp - what encrypts, as the plane is told; undefined: media in the clear.
 */
export async function nidaaRow(bench, calls, io, { joined = false, srtp } = {}) {
  const firstPort = bench.ports.span(calls);
  const rssBefore = process.memoryUsage().rss;
  const key = srtp && SrtpKey.random('AES_CM_128_HMAC_SHA1_80');
  const plane = await openPlane(bench, calls, io, srtp);
  try {
    const open = [];
    for (let i = 0; i < calls; i += 1) open.push(await openCall(plane, firstPort + i, bench.ptimeMs, key));
    const rssOpen = process.memoryUsage().rss;
    const stop = joined ? joinPairs(plane, open) : echo(open);
    const watch = watchThread(plane);
    try {
      const { measureSeconds } = bench;
      const serverPorts = open.map((port) => port.local.port);
      const phones = { firstPort, serverPorts, measureSeconds, key: key?.reveal().toString('hex') };
      const row = await meterRow(bench.programs, phones, process.pid);
      const rssTalking = process.memoryUsage().rss;
      return {
        server: joined ? 'joined' : srtp ? `srtp ${srtp.name}` : 'nidaa',
        io,
        ...row,
        ...watch.seen(),
        ...(await closed(open)),
        openKbPerCall: (rssOpen - rssBefore) / calls / 1024,
        talkKbPerCall: (rssTalking - rssBefore) / calls / 1024,
      };
    } finally {
      watch.stop();
      stop();
    }
  } finally {
    await plane.close();
  }
}

function openPlane({ ports, realtime }, calls, io, srtp) {
  const portMin = ports.span(calls * 2 + 2);
  return createMediaPlane({
    io,
    ...(srtp && { srtp }),
    bindAddress: '127.0.0.1',
    advertiseAddress: '127.0.0.1',
    portMin,
    portMax: portMin + calls * 2 + 1,
    callsPerWorker: calls,
    workers: 1,
    rtpTimeoutMs: 30_000,
    queueMs: 8_000,
    jitter: { minMs: 20, maxMs: 200 },
    raisePriority: realtime,
    maxLatenessP99Ms: 1e9,
    maxCpuPercent: 1e9,
    logger: createLogger({ level: 'warn', redactPersonal: true }),
    clock: systemClock,
  });
}

async function openCall(plane, phonePort, ptimeMs, key) {
  const port = await plane.open({ callId: `call_${phonePort}`, onEvent: () => {} });
  if (typeof port === 'string') throw new Error(`the call of port ${phonePort} was refused: ${port}`);
  port.configure({
    remote: { address: '127.0.0.1', port: phonePort },
    signallingAddress: '127.0.0.1',
    codec: 'PCMU',
    payloadType: 0,
    ptimeMs,
    dtmfPayloadType: 101,
    direction: 'sendrecv',
    rtcpMux: true,
    remoteRtcpPort: phonePort,
    ...(key && { srtp: { send: key, receive: [key] } }), // the two sides have SSRCs of their own
  });
  return port;
}

/** Audio of each call back to it, every 20 ms, by the main thread. @returns how to stop. */
function echo(open) {
  const frame = new Int16Array(320);
  for (const port of open) port.write(new Int16Array(CUSHION_SAMPLES).fill(1000)); // what a speech engine is ahead by
  const timer = setInterval(() => {
    for (const port of open) {
      for (let count = port.read(frame); count > 0; count = port.read(frame)) port.write(frame.subarray(0, count));
    }
  }, ECHO_EVERY_MS);
  return () => clearInterval(timer);
}

/** The first call with the second, and so on, by the media thread. @returns how to stop. */
function joinPairs(plane, open) {
  const bridges = [];
  for (let i = 0; i + 1 < open.length; i += 2) bridges.push(plane.bridge(open[i], open[i + 1]));
  return () => {
    for (const bridge of bridges) bridge.close();
  };
}

/** What the media thread tells of itself meanwhile. */
function watchThread(plane) {
  const startedAtMs = performance.now();
  const cpu = [];
  let lateness = 0;
  const sampling = setInterval(() => {
    if (performance.now() - startedAtMs < SETTLED_MS) return;
    cpu.push(plane.load().cpuPercent);
    lateness = Math.max(lateness, plane.load().tickLatenessP99Ms);
  }, 1_000);
  return {
    seen: () => ({
      workerCpuPercent: cpu.length ? cpu.reduce((a, b) => a + b) / cpu.length : undefined,
      tickLatenessP99Ms: lateness,
      lateTicks: plane.load().lateTicks,
    }),
    stop: () => clearInterval(sampling),
  };
}

/** Ends the calls. @returns what they counted. */
async function closed(open) {
  const stats = await Promise.all(open.map((port) => port.close()));
  const sum = (of) => stats.reduce((total, item) => total + of(item), 0);
  return {
    inboundLost: sum((item) => item.packetsLost),
    inboundLate: sum((item) => item.packetsLate),
    concealed: sum((item) => item.packetsConcealed),
  };
}
