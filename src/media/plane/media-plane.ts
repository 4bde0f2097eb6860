import { randomBytes, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { SealKey } from '../../core/sealed-pieces.ts';
import { type ChosenIo, chooseMediaIo, type MediaIoKind } from '../io/choose-io.ts';
import type {
  MediaBridge,
  MediaPlane,
  MediaPlaneLoad,
  MediaPort,
  MediaPortOptions,
  MediaRefusal,
  MediaStats,
} from '../media-port.ts';
import { Recorder } from '../recording/recorder.ts';
import { RecordingState } from '../recording/recording-state.ts';
import { checkJitterLimits, type JitterLimits } from '../rtp/jitter-estimate.ts';
import { allocateUnprovenTable } from '../rtp/unproven-budget.ts';
import { type ChosenSrtp, chooseSrtp } from '../srtp/choose-srtp.ts';
import { DEFAULT_CPU_PERCENT, DEFAULT_LATENESS_P99_MS } from './admission.ts';
import type { CallAudioMemory } from './call-audio.ts';
import { CallMemory, type RateMemory } from './call-memory.ts';
import type { WorkerLoad } from './media-protocol.ts';
import { MediaThread, startMediaWorker } from './media-thread.ts';
import { MediaThreads } from './media-threads.ts';
import { monotonicMs } from './monotonic.ts';
import { PortBridge } from './port-bridge.ts';
import { PORT_DRAIN_MS, PortPool } from './port-pool.ts';
import { allocateSigns, ThreadSigns } from './thread-signs.ts';
import { ThreadedMediaPort } from './threaded-media-port.ts';

export interface MediaPlaneOptions {
  /** Address that RTP sockets bind to: an IP literal, `0.0.0.0` or `::` for all. */
  readonly bindAddress: string;
  /** Address that goes into SDP. Without it, the one that the call came in on, else the one bound to. */
  readonly advertiseAddress?: string;
  readonly portMin: number;
  readonly portMax: number; // inclusive; a call takes an even port and the odd one above it
  readonly callsPerWorker: number;
  readonly workers?: number; // default: one for each core but one, at least one
  /** How sockets are made and read; default `auto`: direct where that works. */
  readonly io?: MediaIoKind | 'auto';
  /** What encrypts; found out where it is left out. */
  readonly srtp?: ChosenSrtp;
  readonly rtpTimeoutMs: number;
  readonly queueMs: number; // agent audio that may wait in one call
  readonly jitter: JitterLimits;
  /** Under what is sent, dBov; none where it is absent. */
  readonly comfortNoiseDb?: number;
  /** Ask the system to run media threads before others; default true. */
  readonly raisePriority?: boolean;
  readonly maxLatenessP99Ms?: number;
  readonly maxCpuPercent?: number;
  readonly portDrainMs?: number;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly clock: Clock;
  /** What recordings are encrypted with from their first byte on; in clear where it is absent. */
  readonly recordingSeal?: SealKey;
  /** A recording ended early (disk full): the call goes on, readiness may want to say so. */
  readonly onRecordingFailed?: (callId: string, reason: string) => void;
}

/** Ports tried for one call when other programs hold some of the range. */
const MAX_PORT_TRIES = 8;
/** Without a call for so long, the memory of ended ones goes back to the system. */
const IDLE_MS = 60_000;

/**
 * Starts the media threads.
 *
 * @throws RangeError for a port range without a usable port, or jitter limits that no buffer can keep; OperatorError where
 * `io` is to be direct and cannot; Error when no thread came up.
 */
export async function createMediaPlane(options: MediaPlaneOptions): Promise<MediaPlane> {
  const io = await chooseMediaIo(options.io ?? 'auto', monotonicMs);
  options.logger.info({ ...io }, 'media sockets');
  options.metrics?.mediaIo.set({ io: io.kind }, 1);
  const srtp = options.srtp ?? chooseSrtp();
  options.logger.info({ ...srtp }, 'media encryption');
  options.metrics?.mediaSrtp.set({ implementation: srtp.name }, 1);
  const plane = new ThreadedMediaPlane(options, io, srtp);
  if (await plane.start()) return plane;
  await plane.close();
  throw new Error('the media thread did not start');
}

class ThreadedMediaPlane implements MediaPlane {
  readonly #ports: PortPool;
  readonly #recording: RecordingState;
  readonly #recorder: Recorder;
  readonly #open = new Set<ThreadedMediaPort>();
  readonly #threads: MediaThreads<MediaThread>;
  #closing: Promise<void> | undefined;
  readonly #memory: CallMemory;
  #idleTimer: Timer | undefined;
  readonly #unproven = allocateUnprovenTable(randomInt(2 ** 32));
  readonly #cname = randomBytes(8).toString('hex'); // no host name in RTCP (RFC 7022)

  constructor(
    readonly options: MediaPlaneOptions,
    readonly chosen: ChosenIo,
    readonly srtp: ChosenSrtp,
  ) {
    checkJitterLimits(options.jitter);
    const range = { min: options.portMin, max: options.portMax };
    this.#ports = new PortPool(range, options.clock, random, options.portDrainMs ?? PORT_DRAIN_MS);
    this.#recorder = new Recorder(options.clock, options.recordingSeal);
    this.#recording = new RecordingState(options.clock);
    this.#memory = new CallMemory(options.queueMs, options.callsPerWorker * this.#threadCount());
    this.#threads = new MediaThreads({
      count: this.#threadCount(),
      create: (index, onLost) => this.#thread(index, onLost),
      clock: options.clock,
      logger: options.logger,
    });
  }

  start(): Promise<boolean> {
    return this.#threads.start();
  }

  async open(request: MediaPortOptions): Promise<MediaPort | MediaRefusal> {
    if (this.#closing) return 'closed';
    const thread = this.#threads.leastLoaded();
    if (!thread) return 'overloaded';
    const memory = this.#memory.of(request.sampleRateHz ?? TELEPHONE_RATE_HZ);
    const audio = memory.audio.take();
    for (let tries = 0; tries < MAX_PORT_TRIES; tries += 1) {
      const free = this.#ports.take();
      if (!free) {
        memory.audio.giveBack(audio);
        return 'no-ports';
      }
      let adopted: MediaPort | undefined;
      let failed = false;
      const opened = await thread.open(free.port, audio, free.former, (event) => {
        if (event.type === 'failed') {
          failed = true;
          void adopted?.close(); // whatever its owner does, what it held is free again
        }
        request.onEvent(event);
      });
      if (typeof opened === 'object') {
        adopted = this.#adopt(request, thread, opened, memory, audio);
        if (!this.#closing && !failed) return adopted;
        await adopted.close();
        return failed ? 'overloaded' : 'closed';
      }
      this.#ports.release(free.port, free.former);
      if (this.#closing) return 'closed';
      if (opened !== 'address-in-use') {
        if (opened === 'no-descriptors') memory.audio.giveBack(audio); // else the thread may be using it after all
        this.options.logger.warn({ call_id: request.callId, reason: opened }, 'no RTP socket for the call');
        return 'overloaded';
      }
    }
    memory.audio.giveBack(audio);
    return 'no-ports';
  }

  bridge(a: MediaPort, b: MediaPort): MediaBridge | undefined {
    const [one, other] = [this.#joinable(a), this.#joinable(b)];
    return one && other && one !== other ? new PortBridge(one, other) : undefined;
  }

  load(): MediaPlaneLoad {
    const { usable } = this.#threads;
    const worst = (of: (load: WorkerLoad) => number): number => Math.max(0, ...usable.map((thread) => of(thread.load)));
    return {
      calls: this.#open.size,
      capacity: usable.length * this.options.callsPerWorker,
      tickLatenessP99Ms: worst((load) => load.latenessP99Ms),
      lateTicks: usable.reduce((sum, thread) => sum + thread.load.lateTicks, 0),
      cpuPercent: worst((load) => load.cpuPercent),
      portsFree: this.#ports.available,
      threads: this.#threads.count,
      threadsDown: this.#threads.down,
      recording: this.#recording.now,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #joinable(port: MediaPort): ThreadedMediaPort | undefined {
    return port instanceof ThreadedMediaPort && this.#open.has(port) && port.mayJoin ? port : undefined;
  }

  #watchIdle(): void {
    this.options.clock.clearTimer(this.#idleTimer);
    const idle = this.#open.size === 0 && !this.#closing;
    this.#idleTimer = idle ? this.options.clock.setTimer(IDLE_MS, () => this.#memory.release()) : undefined;
  }

  async #close(): Promise<void> {
    this.options.clock.clearTimer(this.#idleTimer);
    await Promise.all([...this.#open].map((port) => port.close()));
    await this.#threads.close();
    await this.#recorder.close();
  }

  #adopt(
    request: MediaPortOptions,
    thread: MediaThread,
    opened: { readonly call: number; readonly port: number },
    memory: RateMemory,
    audio: CallAudioMemory,
  ): MediaPort {
    const { clock, logger, bindAddress, onRecordingFailed } = this.options;
    const address = this.options.advertiseAddress ?? request.localAddress ?? bindAddress;
    const port = new ThreadedMediaPort(
      { address, port: opened.port },
      {
        thread,
        call: opened.call,
        audio,
        memory,
        recorder: this.#recorder,
        clock,
        onRecordingFailed: (reason) => {
          logger.error({ call_id: request.callId, reason }, 'recording stopped');
          this.#recording.failed(reason);
          this.options.metrics?.recordingsFailed.inc();
          onRecordingFailed?.(request.callId, reason);
        },
        onClosed: ({ stats, streams }) => {
          this.#open.delete(port);
          this.#watchIdle();
          this.#ports.release(opened.port, streams);
          this.#observe(stats);
        },
      },
    );
    this.#open.add(port);
    this.#watchIdle();
    return port;
  }

  #thread(index: number, onLost: () => void): MediaThread {
    const { options } = this;
    const name = `media-${index}`;
    const { bindAddress, rtpTimeoutMs, jitter, comfortNoiseDb } = options;
    const signs = allocateSigns();
    const worker = {
      signs,
      io: this.chosen.kind,
      srtp: this.srtp.name,
      bindAddress,
      rtpTimeoutMs,
      jitter,
      comfortNoiseDb,
      cname: this.#cname,
      unproven: this.#unproven,
    };
    return new MediaThread({
      name,
      signs: new ThreadSigns(signs),
      spawn: () => startMediaWorker(name, worker),
      admission: {
        maxCalls: options.callsPerWorker,
        maxLatenessP99Ms: options.maxLatenessP99Ms ?? DEFAULT_LATENESS_P99_MS,
        maxCpuPercent: options.maxCpuPercent ?? DEFAULT_CPU_PERCENT,
      },
      priority: this.#priority(),
      clock: options.clock,
      logger: options.logger,
      onLost,
    });
  }

  /** Real-time threads leave a core to everybody else: on a single one the signalling would starve. */
  #priority(): 'realtime' | 'nice' | 'normal' {
    if (this.options.raisePriority === false) return 'normal';
    return this.#threadCount() < availableParallelism() ? 'realtime' : 'nice';
  }

  #threadCount(): number {
    return this.options.workers ?? Math.max(1, availableParallelism() - 1);
  }

  #observe(stats: MediaStats): void {
    const { metrics } = this.options;
    if (!metrics) return;
    metrics.srtpRejected.inc({ reason: 'forged' }, stats.packetsForged ?? 0);
    metrics.srtpRejected.inc({ reason: 'replayed' }, stats.packetsReplayed ?? 0);
    if (stats.packetsReceived === 0) return;
    metrics.rtpLostPackets.inc(stats.packetsLost);
    metrics.rtpJitterSeconds.observe(stats.jitterMs / 1000);
    metrics.mos.observe(stats.mos);
  }
}

const random = (): number => randomInt(2 ** 32) / 2 ** 32;
