import { readFileSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { DgramIo } from '../io/dgram-io.ts';
import { DirectIo } from '../io/direct-io.ts';
import { loadSystemCalls } from '../io/system-calls.ts';
import type { FromMediaWorker, MediaWorkerData, ToMediaWorker } from '../plane/media-protocol.ts';
import { monotonicMs } from '../plane/monotonic.ts';
import { UnprovenBudget } from '../rtp/unproven-budget.ts';
import { type CallMessage, CallSlot, type SlotDeps } from './call-slot.ts';
import { MediaLoop } from './media-loop.ts';
import { TickWheel } from './tick-wheel.ts';
import { WorkerCall } from './worker-call.ts';

/** A media thread: owns the sockets of its calls and the wheel that paces them. Talks to `MediaThread`. */

const LOAD_EVERY_MS = 1_000;
const NICE = -10;

if (!parentPort) throw new Error('a media worker is started by the media plane');
const port = parentPort;
const settings = workerData as MediaWorkerData;
const wheel = new TickWheel();
const unproven = new UnprovenBudget(settings.unproven);
const io =
  settings.io === 'direct'
    ? new DirectIo(loadSystemCalls(), settings.bindAddress, monotonicMs)
    : new DgramIo(settings.bindAddress, monotonicMs);
const loop = new MediaLoop(wheel, { read, now: monotonicMs });
const calls = new Map<number, CallSlot>();

const post = (message: FromMediaWorker): void => port.postMessage(message);

const slotDeps: SlotDeps = {
  wheel,
  post,
  io,
  makeCall: (socket, { audio, former }, onEvent, openRtcp) =>
    new WorkerCall(socket, audio, { settings, unproven, former, now: monotonicMs, utcMs: Date.now, onEvent, openRtcp }),
  onJoined: () => loop.start(),
};

async function open(message: Extract<CallMessage, { type: 'open' }>): Promise<void> {
  const slot = new CallSlot(message.call, slotDeps);
  calls.set(message.call, slot);
  await slot.open(message);
  forget(slot);
}

function withCall(message: Exclude<CallMessage, { type: 'open' }>): void {
  const slot = calls.get(message.call);
  if (!slot) return;
  slot.receive(message);
  forget(slot);
}

function forget(slot: CallSlot): void {
  if (slot.state === 'closed') calls.delete(slot.id);
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

/** What main said comes first: what is heard of a datagram may depend on it. */
function read(): void {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) receive(next.message);
  io.poll();
}

function receive(message: ToMediaWorker): void {
  if (message.type === 'open') void open(message);
  else if (message.type === 'raise-priority') raisePriority();
  else if (message.type === 'shutdown') shutdown();
  else withCall(message);
}

port.on('message', receive);

post({ type: 'ready', threadId: systemThreadId(), epoll: io instanceof DirectIo ? io.epoll : undefined });
