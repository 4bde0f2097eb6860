import type { Clock } from '../../core/clock.ts';
import type { MediaEndpoint, NegotiatedMedia } from '../description.ts';
import { type MediaPort, type MediaStats, NO_MEDIA_STATS } from '../media-port.ts';
import type { Recorder } from '../recording/recorder.ts';
import { type CallAudioMemory, TalkClock } from './call-audio.ts';
import type { MediaEnding } from './media-protocol.ts';
import type { MediaThread } from './media-thread.ts';
import { monotonicMs } from './monotonic.ts';
import { allocatePcmRing, PcmRing } from './pcm-ring.ts';

/** 4 s of stereo between the media thread and the recorder. */
const RECORDING_RING_SAMPLES = 65_536;

export interface ThreadedPortDeps {
  readonly thread: MediaThread;
  readonly call: number;
  readonly audio: CallAudioMemory;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly onRecordingFailed: (reason: string) => void;
  /** After the thread let go of the port; once. */
  readonly onClosed: (ending: MediaEnding) => void;
}

/** One call's media as the main thread holds it: the near ends of the rings, and messages for the rest. */
export class ThreadedMediaPort implements MediaPort {
  readonly #capture: PcmRing;
  readonly #playout: PcmRing;
  readonly #talk: TalkClock;
  #written = 0;
  #recording: number | undefined;
  #asking: Promise<MediaStats> | undefined;
  #lastStats = NO_MEDIA_STATS;
  #closing: Promise<MediaStats> | undefined;
  #playedAtClose: number | undefined;

  constructor(
    readonly local: MediaEndpoint,
    readonly deps: ThreadedPortDeps,
  ) {
    this.#capture = new PcmRing(deps.audio.capture);
    this.#playout = new PcmRing(deps.audio.playout);
    this.#talk = new TalkClock(deps.audio.talk);
  }

  configure(media: NegotiatedMedia): void {
    if (!this.#closing) this.deps.thread.send({ type: 'configure', call: this.deps.call, media });
  }

  read(into: Int16Array): number {
    return this.#capture.read(into);
  }

  write(samples: Int16Array): number {
    if (this.#closing || samples.length === 0) return 0;
    if (this.#playout.queued === 0) this.#talk.begin();
    const taken = this.#playout.write(samples);
    this.#written += taken;
    return taken;
  }

  get writtenSamples(): number {
    return this.#written;
  }

  get playedSamples(): number {
    return this.#playedAtClose ?? this.#written - this.#playout.queued;
  }

  clear(): number {
    if (this.#closing) return 0;
    const dropped = this.#playout.clear();
    this.#written -= dropped;
    return dropped;
  }

  sendDtmf(digits: string): void {
    if (this.#closing) return;
    this.deps.thread.send({ type: 'keys', call: this.deps.call, digits, after: this.#playout.writePosition });
  }

  startRecording(path: string): void {
    if (this.#closing || this.#recording !== undefined) return;
    const { thread, call, recorder } = this.deps;
    const ring = allocatePcmRing(RECORDING_RING_SAMPLES);
    this.#recording = recorder.start(path, ring, (reason) => {
      thread.send({ type: 'record', call, ring: undefined });
      this.deps.onRecordingFailed(reason);
    });
    thread.send({ type: 'record', call, ring });
  }

  get talkStartedAtMs(): number | undefined {
    const startedAtMs = this.#talk.startedAtMs;
    return startedAtMs === undefined ? undefined : startedAtMs + this.deps.clock.nowMs() - monotonicMs();
  }

  stats(): Promise<MediaStats> {
    if (this.#closing) return this.#closing;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  close(): Promise<MediaStats> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<MediaStats> {
    const ending = (await this.deps.thread.closeCall(this.deps.call)) ?? { stats: this.#lastStats, streams: [] };
    this.#lastStats = ending.stats;
    this.#playedAtClose = this.#written - this.#playout.queued;
    this.deps.onClosed(ending);
    if (this.#recording !== undefined) await this.deps.recorder.stop(this.#recording);
    return ending.stats;
  }

  async #ask(): Promise<MediaStats> {
    this.#lastStats = (await this.deps.thread.stats(this.deps.call)) ?? this.#lastStats;
    return this.#lastStats;
  }
}
