import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { DgramIo } from '../io/dgram-io.ts';
import { DirectIo } from '../io/direct-io.ts';
import { loadSystemCalls } from '../io/system-calls.ts';
import type { FromMediaWorker, MediaWorkerData, ToMediaWorker } from '../plane/media-protocol.ts';
import { monotonicMs } from '../plane/monotonic.ts';
import { threadCpuMs } from '../plane/thread-cpu.ts';
import { ThreadSigns } from '../plane/thread-signs.ts';
import { UnprovenBudget } from '../rtp/unproven-budget.ts';
import { openSrtp } from '../srtp/choose-srtp.ts';
import { type CallMessage, CallSlot, type SlotDeps } from './call-slot.ts';
import { MediaLoop } from './media-loop.ts';
import { SynchronousLoop } from './synchronous-loop.ts';
import { TickWheel } from './tick-wheel.ts';
import { WorkerCall } from './worker-call.ts';

/** A media thread: owns the sockets of its calls and the wheel that paces them. Talks to `MediaThread`. */

const LOAD_EVERY_MS = 1_000;
const NICE = -10;

if (!parentPort) throw new Error('a media worker is started by the media plane');
const port = parentPort;
const settings = workerData as MediaWorkerData;
const wheel = new TickWheel();
const signs = new ThreadSigns(settings.signs);
const unproven = new UnprovenBudget(settings.unproven);
const io =
  settings.io === 'direct'
    ? new DirectIo(loadSystemCalls(), settings.bindAddress, monotonicMs)
    : new DgramIo(settings.bindAddress, monotonicMs);
const srtp = openSrtp({ name: settings.srtp });
const calls = new Map<number, CallSlot>();

const post = (message: FromMediaWorker): void => port.postMessage(message);

const loop = io.synchronous
  ? new SynchronousLoop(wheel, signs, { receive, poll: (hear) => io.poll(hear), report, now: monotonicMs })
  : new MediaLoop(wheel, signs, { receive, now: monotonicMs });

const slotDeps: SlotDeps = {
  wheel,
  post,
  io,
  makeCall: (socket, { audio, former }, onEvent, openRtcp) =>
    new WorkerCall(socket, audio, {
      ...{ settings, unproven, former, srtp, onEvent, openRtcp },
      ...{ now: monotonicMs, utcMs: Date.now },
    }),
  onJoined: () => {
    if (loop instanceof MediaLoop) loop.start();
  },
  onClosed: (call) => calls.delete(call),
};

function open(message: Extract<CallMessage, { type: 'open' }>): void {
  const slot = new CallSlot(message.call, slotDeps);
  calls.set(message.call, slot);
  slot.open(message);
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
  for (const slot of calls.values()) slot.close();
  if (loop instanceof SynchronousLoop) loop.stop();
  clearInterval(reporting);
  port.close();
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

/** How the thread is, once a second. */
function report(atMs: number): void {
  if (atMs - lastAtMs < LOAD_EVERY_MS) return;
  const cpuMs = threadCpuMs();
  const isKnown = cpuMs !== undefined && lastCpuMs !== undefined;
  const cpuPercent = isKnown ? (100 * (cpuMs - lastCpuMs!)) / (atMs - lastAtMs) : 0;
  lastCpuMs = cpuMs;
  lastAtMs = atMs;
  const { lateTicks, skippedTicks } = wheel;
  const latenessP99Ms = wheel.lateness.take(0.99);
  post({ type: 'load', load: { calls: calls.size, latenessP99Ms, lateTicks, skippedTicks, cpuPercent } });
}

/** The next message. @returns false when there is none. */
function receive(): boolean {
  const next = receiveMessageOnPort(port);
  if (next) take(next.message);
  return next !== undefined;
}

function take(message: ToMediaWorker): void {
  if (message.type === 'open') open(message);
  else if (message.type === 'raise-priority') raisePriority();
  else if (message.type === 'shutdown') shutdown();
  else calls.get(message.call)?.receive(message);
}

let reporting: NodeJS.Timeout | undefined;
post({ type: 'ready', threadId: systemThreadId(), epoll: io instanceof DirectIo ? io.epoll : undefined });
if (loop instanceof SynchronousLoop) loop.run();
else {
  port.on('message', take);
  reporting = setInterval(() => report(monotonicMs()), LOAD_EVERY_MS / 2);
}
