import { execFile } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { workerUrl } from '../../core/worker-url.ts';
import { closeLeftSockets } from '../io/left-sockets.ts';
import type { SocketRefusal } from '../io/media-io.ts';
import type { MediaEvent, MediaStats } from '../media-port.ts';
import type { FormerStream } from '../rtp/latching.ts';
import { Admission, type AdmissionLimits } from './admission.ts';
import type { CallAudioMemory } from './call-audio.ts';
import { LoopWatch } from './loop-watch.ts';
import type { FromMediaWorker, MediaEnding, MediaWorkerData, ToMediaWorker, WorkerLoad } from './media-protocol.ts';
import { threadCpuMs } from './thread-cpu.ts';
import { ThreadPulse } from './thread-pulse.ts';
import type { ThreadSigns } from './thread-signs.ts';

const FIFO_PRIORITY = '10';
const START_LIMIT_MS = 30_000;
const REPLY_LIMIT_MS = 2_000;
const CLOSE_LIMIT_MS = 3_000;

/**
 * Garbage of a media thread dies young (about 1 KB a packet), so collecting it takes 0.4 ms - unless the collector waits for
 * V8's helper threads. They run at normal priority, and a real-time thread that waits for them on a busy machine waits 10-100 ms
 * (measured: p99 jitter at 600 calls 60 ms with helpers, 0.2-1.1 ms without). Hence no helpers for the young generation, and a
 * larger one for threads started now, collected four times a second instead of sixteen times.
 */
const MEDIA_HEAP_FLAGS = ['--no-parallel-scavenge', '--min-semi-space-size=8'];
/** Of three such spaces; left to itself, V8 would double them. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 24 };
/** Other threads start with V8's own size. */
const COMMON_HEAP_FLAGS = ['--min-semi-space-size=0'];

export interface MediaThreadOptions {
  readonly name: string;
  readonly signs: ThreadSigns;
  /** Starts it. May throw: no memory, no thread to be had. */
  readonly spawn: () => Worker;
  readonly admission: AdmissionLimits;
  /** `realtime` asks the system for SCHED_FIFO, else for nice -10; `nice` for that alone. */
  readonly priority: 'realtime' | 'nice' | 'normal';
  readonly clock: Clock;
  readonly logger: Logger;
  /** The thread ended by itself, or hangs; its calls have been told. */
  readonly onLost: () => void;
}

interface ThreadCall {
  readonly onEvent: (event: MediaEvent) => void;
  opened: ((result: number | SocketRefusal) => void) | undefined;
  readonly asking: ((stats: MediaStats | undefined) => void)[]; // bounded: the port joins requests into one
  readonly parting: (() => void)[]; // bounded: a port is joined again only after it was parted
  closing: ((ending: MediaEnding | undefined) => void) | undefined;
}

export function startMediaWorker(name: string, workerData: MediaWorkerData): Worker {
  return new Worker(workerUrl(import.meta.url, '../worker/media-worker'), {
    ...{ name, workerData, execArgv: [] },
    resourceLimits: RESOURCE_LIMITS,
  });
}

/** Main-thread side of one media worker: its messages, its calls, its load. */
export class MediaThread {
  readonly admission: Admission;
  load: WorkerLoad = { calls: 0, latenessP99Ms: 0, lateTicks: 0, skippedTicks: 0, cpuPercent: 0 };
  readonly #worker: Worker;
  readonly #calls = new Map<number, ThreadCall>();
  readonly #pulse: ThreadPulse;
  readonly #watch: LoopWatch;
  #threadId: string | undefined;
  #lost = false;
  #epoll: number | undefined;
  #closing = false;
  #nextCall = 1;
  readonly #ready: Promise<boolean>;
  #onReady: (ready: boolean) => void = () => {};

  constructor(readonly options: MediaThreadOptions) {
    this.admission = new Admission(options.admission);
    this.#pulse = new ThreadPulse(options.clock, () => this.#hang('media thread does not answer any more'));
    this.#watch = new LoopWatch(
      options.clock,
      options.signs,
      () => this.#cpuMs(),
      () => this.#hang('media thread computes without an end'),
    );
    this.#ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
    for (const flag of MEDIA_HEAP_FLAGS) setFlagsFromString(flag);
    this.#worker = options.spawn();
    this.#worker.on('message', (message: FromMediaWorker) => this.#receive(message));
    this.#worker.on('error', (error) =>
      options.logger.error({ thread: options.name, error: errorText(error) }, 'media thread failed'),
    );
    this.#worker.on('exit', () => {
      if (this.#epoll !== undefined) closeLeftSockets(this.#epoll);
      this.#ended();
    });
  }

  /** Calls open or being opened. */
  get calls(): number {
    return this.#calls.size;
  }
  get usable(): boolean {
    return !this.#lost && !this.#closing;
  }

  /** Resolves to false when the thread did not come up. */
  started(): Promise<boolean> {
    return this.#limited(this.#ready, START_LIMIT_MS, false);
  }

  /**
   * Opens `port` (0: any).
   *
   * @param former - streams of earlier calls on that port.
   * @returns the call's id and its port, or why not.
   */
  async open(
    port: number,
    audio: CallAudioMemory,
    former: readonly FormerStream[],
    onEvent: (event: MediaEvent) => void,
  ): Promise<{ readonly call: number; readonly port: number } | SocketRefusal> {
    const call = this.#nextCall;
    this.#nextCall += 1;
    const result = new Promise<number | SocketRefusal>((resolve) => {
      this.#calls.set(call, { onEvent, opened: resolve, asking: [], parting: [], closing: undefined });
      this.#watch.start();
    });
    this.send({ type: 'open', call, port, audio, former });
    const opened = await this.#limited(result, REPLY_LIMIT_MS, 'failed');
    if (typeof opened === 'number') return { call, port: opened };
    this.#forget(call); // an answer that comes too late is closed in #receive
    return opened;
  }

  send(message: ToMediaWorker): void {
    if (this.#lost) return;
    this.#worker.postMessage(message);
    this.options.signs.ring();
  }

  /** Figures now; undefined when the thread is gone or does not answer in time. */
  stats(call: number): Promise<MediaStats | undefined> {
    const entry = this.#calls.get(call);
    if (!entry || this.#lost) return Promise.resolve(undefined);
    const answer = new Promise<MediaStats | undefined>((resolve) => entry.asking.push(resolve));
    this.send({ type: 'stats', call });
    return this.#limited(answer, REPLY_LIMIT_MS, undefined);
  }

  /** Parts the call from the one it is joined to. @returns whether the thread has done with the lanes: false without an answer. */
  part(call: number): Promise<boolean> {
    const entry = this.#calls.get(call);
    if (!entry || this.#lost) return Promise.resolve(true);
    const parted = new Promise<boolean>((resolve) => entry.parting.push(() => resolve(true)));
    this.send({ type: 'part', call });
    return this.#limited(parted, REPLY_LIMIT_MS, false);
  }

  /** Ends the call; undefined when the thread is gone or does not answer in time. */
  closeCall(call: number): Promise<MediaEnding | undefined> {
    const entry = this.#calls.get(call);
    if (!entry || this.#lost) return Promise.resolve(undefined);
    const ended = new Promise<MediaEnding | undefined>((resolve) => {
      entry.closing = resolve;
    });
    this.send({ type: 'close', call });
    return this.#limited(ended, REPLY_LIMIT_MS, undefined);
  }

  /** Parts with a thread that does not answer, whether it can be ended or not: its calls and `onLost` are told now. */
  abandon(): void {
    this.#ended();
    void this.#worker.terminate();
  }

  /** Frees sockets and ends the thread. Idempotent. */
  async close(): Promise<void> {
    if (this.#closing || this.#lost) return;
    this.#closing = true;
    this.#pulse.stop();
    this.#watch.stop();
    const exited = new Promise<true>((resolve) => this.#worker.once('exit', () => resolve(true)));
    this.send({ type: 'shutdown' });
    if (!(await this.#limited<boolean>(exited, CLOSE_LIMIT_MS, false))) await this.#worker.terminate();
  }

  #receive(message: FromMediaWorker): void {
    this.#pulse.beat();
    switch (message.type) {
      case 'ready':
        for (const flag of COMMON_HEAP_FLAGS) setFlagsFromString(flag);
        this.#epoll = message.epoll;
        this.#threadId = message.threadId;
        if (this.options.priority !== 'normal') this.#raisePriority(message.threadId);
        this.#pulse.start();
        this.#onReady(true);
        return;
      case 'priority':
        if (!message.raised) {
          this.options.logger.warn(
            { thread: this.options.name },
            'media thread runs at normal priority: allow CAP_SYS_NICE for steadier audio under load',
          );
        }
        return;
      case 'load':
        this.load = message.load;
        this.admission.measure(message.load.latenessP99Ms, message.load.cpuPercent);
        return;
      case 'opened': {
        const call = this.#calls.get(message.call);
        if (call) call.opened?.(message.port);
        else this.send({ type: 'close', call: message.call });
        return;
      }
      case 'refused':
        this.#calls.get(message.call)?.opened?.(message.reason);
        return;
      case 'event':
        this.#tell(this.#calls.get(message.call), message.event);
        return;
      case 'fault': {
        const { call, step, reason } = message;
        this.options.logger.error(
          { thread: this.options.name, call, step, error: reason },
          'a call failed on its media thread',
        );
        return;
      }
      case 'stats':
        this.#answer(message.call, message.stats);
        return;
      case 'parted':
        this.#calls.get(message.call)?.parting.shift()?.();
        return;
      case 'closed':
        this.#answer(message.call, message.ending.stats);
        this.#letGo(this.#calls.get(message.call), message.ending);
        this.#forget(message.call);
    }
  }

  #forget(call: number): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#watch.stop();
  }

  #cpuMs(): number | undefined {
    return this.#threadId === undefined ? undefined : threadCpuMs(this.#threadId);
  }

  /** The thread uses nothing of the call any more. */
  #letGo(call: ThreadCall | undefined, ending: MediaEnding | undefined): void {
    for (const parted of call?.parting.splice(0) ?? []) parted();
    call?.closing?.(ending);
  }

  /** What the owner of one call does with an event is not the matter of the others. */
  #tell(call: ThreadCall | undefined, event: MediaEvent): void {
    try {
      call?.onEvent(event);
    } catch (error) {
      const { name, logger } = this.options;
      logger.error({ thread: name, event: event.type, error: errorText(error) }, 'a media event was not taken');
    }
  }

  #answer(call: number, stats: MediaStats | undefined): void {
    for (const resolve of this.#calls.get(call)?.asking.splice(0) ?? []) resolve(stats);
  }

  /** SCHED_FIFO for this thread only; threads it starts later do not inherit it (-R). */
  #raisePriority(threadId: string | undefined): void {
    if (threadId === undefined || this.options.priority === 'nice') {
      this.send({ type: 'raise-priority' });
      return;
    }
    try {
      execFile('chrt', ['-R', '-f', '-p', FIFO_PRIORITY, threadId], { timeout: 5_000 }, (error) => {
        if (error) this.send({ type: 'raise-priority' });
      });
    } catch {
      this.send({ type: 'raise-priority' }); // no memory for a process
    }
  }

  #hang(how: string): void {
    this.options.logger.error({ thread: this.options.name }, how);
    this.abandon();
  }

  #ended(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#pulse.stop();
    this.#watch.stop();
    this.#onReady(false);
    const calls = [...this.#calls.entries()];
    for (const [id, call] of calls) {
      call.opened?.('failed');
      this.#answer(id, undefined);
      this.#letGo(call, undefined);
      if (!this.#closing) this.#tell(call, { type: 'failed', reason: 'media thread ended' });
    }
    this.#calls.clear();
    if (!this.#closing) this.options.onLost();
  }

  async #limited<T>(promise: Promise<T>, limitMs: number, otherwise: T): Promise<T> {
    let timer: object | undefined;
    const limit = new Promise<T>((resolve) => {
      timer = this.options.clock.setTimer(limitMs, () => resolve(otherwise));
    });
    try {
      return await Promise.race([promise, limit]);
    } finally {
      this.options.clock.clearTimer(timer);
    }
  }
}
