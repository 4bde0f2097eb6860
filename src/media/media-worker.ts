import { readFileSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { MediaLoop } from './media-loop.ts';
import type { FromMediaWorker, MediaWorkerData, ToMediaWorker } from './media-protocol.ts';
import { monotonicMs } from './monotonic.ts';
import { RtpSocket } from './rtp-socket.ts';
import { TickWheel } from './tick-wheel.ts';
import { WorkerCall } from './worker-call.ts';

/** A media thread: owns the sockets of its calls and the wheel that paces them. Talks to `MediaThread`. */

const LOAD_EVERY_MS = 1_000;
const NICE = -10;

if (!parentPort) throw new Error('a media worker is started by the media plane');
const port = parentPort;
const settings = workerData as MediaWorkerData;
const wheel = new TickWheel();
const loop = new MediaLoop(wheel, monotonicMs);
const calls = new Map<number, WorkerCall>();

const post = (message: FromMediaWorker): void => port.postMessage(message);

async function open(message: Extract<ToMediaWorker, { type: 'open' }>): Promise<void> {
  const { call: id, audio } = message;
  let call: WorkerCall | undefined;
  const socket = await RtpSocket.open(settings.bindAddress, message.port, (datagram, address, from) =>
    call?.onDatagram(datagram, address, from),
  );
  if (typeof socket === 'string') {
    post({ type: 'refused', call: id, reason: socket });
    return;
  }
  call = new WorkerCall(socket, audio, {
    settings,
    now: monotonicMs,
    utcMs: Date.now,
    onEvent: (event) => post({ type: 'event', call: id, event }),
    openRtcp: async (rtcpPort, onDatagram) => {
      let rtcp = await RtpSocket.open(settings.bindAddress, rtcpPort, onDatagram);
      // Held by another program: the peer's reports are lost then, ours need not be.
      if (rtcp === 'address-in-use') rtcp = await RtpSocket.open(settings.bindAddress, 0, onDatagram);
      return typeof rtcp === 'string' ? undefined : rtcp;
    },
  });
  calls.set(id, call);
  wheel.join(call, call.period);
  loop.start();
  post({ type: 'opened', call: id, port: socket.localPort });
}

function withCall(message: Exclude<ToMediaWorker, { type: 'open' | 'raise-priority' | 'shutdown' }>): void {
  const call = calls.get(message.call);
  if (!call) return;
  switch (message.type) {
    case 'configure': {
      const before = call.period;
      call.configure(message.media);
      if (call.period === before) return;
      wheel.leave(call);
      call.restartTicks();
      wheel.join(call, call.period);
      return;
    }
    case 'keys':
      call.sender.sendKeys(message.digits, message.after);
      return;
    case 'record':
      call.record(message.ring);
      return;
    case 'stats':
      post({ type: 'stats', call: message.call, stats: call.stats() });
      return;
    case 'close':
      wheel.leave(call);
      calls.delete(message.call);
      call.close();
      post({ type: 'closed', call: message.call, stats: call.stats() });
  }
}

function raisePriority(): void {
  let raised = true;
  try {
    setPriority(0, NICE); // on Linux this is the calling thread alone
  } catch {
    raised = false;
  }
  post({ type: 'priority', raised });
}

function shutdown(): void {
  for (const call of calls.values()) {
    wheel.leave(call);
    call.close();
  }
  calls.clear();
  clearInterval(reporting);
  port.close();
}

/** CPU time of this thread in ms; undefined where the system does not tell. */
function threadCpuMs(): number | undefined {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

function systemThreadId(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').pop();
  } catch {
    return undefined;
  }
}

let lastCpuMs = threadCpuMs();
let lastAtMs = monotonicMs();
const reporting = setInterval(() => {
  const cpuMs = threadCpuMs();
  const atMs = monotonicMs();
  const cpuPercent =
    cpuMs === undefined || lastCpuMs === undefined || atMs <= lastAtMs
      ? 0
      : (100 * (cpuMs - lastCpuMs)) / (atMs - lastAtMs);
  lastCpuMs = cpuMs;
  lastAtMs = atMs;
  const { lateTicks, skippedTicks } = wheel;
  const latenessP99Ms = wheel.lateness.take(0.99);
  post({ type: 'load', load: { calls: calls.size, latenessP99Ms, lateTicks, skippedTicks, cpuPercent } });
}, LOAD_EVERY_MS);

port.on('message', (message: ToMediaWorker) => {
  if (message.type === 'open') void open(message);
  else if (message.type === 'raise-priority') raisePriority();
  else if (message.type === 'shutdown') shutdown();
  else withCall(message);
});

post({ type: 'ready', threadId: systemThreadId() });
