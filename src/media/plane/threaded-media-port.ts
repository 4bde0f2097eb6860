import type { LevelBand } from '../../audio/level.ts';
import { samplesOf } from '../../audio/pcm.ts';
import type { CallLevels } from '../../core/call-levels.ts';
import type { CallTap } from '../../core/call-tap.ts';
import type { Clock } from '../../core/clock.ts';
import type { MediaEndpoint, NegotiatedMedia } from '../description.ts';
import {
  type FinalMediaStats,
  type MediaBridge,
  type MediaPort,
  type MediaStats,
  NO_MEDIA_STATS,
} from '../media-port.ts';
import type { MusicLoop } from '../music-loop.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { LaneEnds, LaneMemory } from './bridge-lane.ts';
import { type CallAudioMemory, CaptureClock, PlayoutLevels, TalkClock } from './call-audio.ts';
import type { RateMemory } from './call-memory.ts';
import { LevelMeter } from './level-meter.ts';
import { ListenerTap } from './listener-tap.ts';
import type { MediaEnding } from './media-protocol.ts';
import type { MediaThread } from './media-thread.ts';
import type { MemoryPool } from './memory-pool.ts';
import { monotonicMs } from './monotonic.ts';
import { allocatePcmRing, PcmRing, type PcmRingMemory } from './pcm-ring.ts';
import type { BridgedPort } from './port-bridge.ts';
import { QuietWatch } from './quiet-watch.ts';

/** What a stall of this thread may cost a listener before there is silence. */
const LISTENED_MS = 2_048;

export interface ThreadedPortDeps {
  readonly thread: MediaThread;
  readonly call: number;
  readonly audio: CallAudioMemory;
  /** Where `audio` goes back to, and rings for recordings come from. */
  readonly memory: RateMemory;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly onRecordingFailed: (reason: string) => void;
  /** After the thread let go of the port; once. */
  readonly onClosed: (ending: MediaEnding) => void;
}

/** One call's media as the main thread holds it: the near ends of the rings, and messages for the rest. */
export class ThreadedMediaPort implements MediaPort, BridgedPort {
  readonly #capture: PcmRing;
  readonly #playout: PcmRing;
  readonly #talk: TalkClock;
  readonly #captured: CaptureClock;
  readonly #levels: PlayoutLevels;
  readonly #watch: QuietWatch;
  readonly #meter: LevelMeter;
  #stirsSeen: number;
  #written = 0;
  #listener: ListenerTap | undefined;
  #recording: { readonly id: number; readonly ring: PcmRingMemory } | undefined;
  #bridge: MediaBridge | undefined;
  #asking: Promise<MediaStats> | undefined;
  #lastStats = NO_MEDIA_STATS;
  #closing: Promise<FinalMediaStats> | undefined;
  /** What is known of a closed call: its memory is another's by then. */
  #last: { readonly playedSamples: number; readonly talkStartedAtMs: number | undefined } | undefined;

  constructor(
    readonly local: MediaEndpoint,
    readonly deps: ThreadedPortDeps,
  ) {
    this.#capture = new PcmRing(deps.audio.capture);
    this.#playout = new PcmRing(deps.audio.playout);
    this.#talk = new TalkClock(deps.audio.talk);
    this.#captured = new CaptureClock(deps.audio.heard);
    this.#levels = new PlayoutLevels(deps.audio.levels);
    this.#watch = new QuietWatch(deps.audio.quiet);
    this.#meter = new LevelMeter(deps.audio.meter);
    this.#stirsSeen = this.#watch.stirs;
  }

  get sampleRateHz(): number {
    return this.deps.audio.sampleRateHz;
  }

  expect(): void {
    if (!this.#closing) this.deps.thread.send({ type: 'expect', call: this.deps.call });
  }

  configure(media: NegotiatedMedia): void {
    if (this.#closing) return;
    const { srtp, ...plain } = media;
    const keys = srtp && { send: srtp.send.material, receive: srtp.receive.map(({ material }) => material) };
    this.deps.thread.send({ type: 'configure', call: this.deps.call, media: plain, ...(keys && { keys }) });
  }

  read(into: Int16Array): number {
    if (this.#last) return 0;
    this.#stirsSeen = this.#watch.stirs; // before the frames: what comes in between is looked at once more
    return this.#capture.read(into);
  }

  set quiet(band: LevelBand | undefined) {
    if (!this.#closing) this.#watch.quiet = band;
  }

  get stirred(): boolean {
    return this.#last === undefined && this.#watch.stirs !== this.#stirsSeen;
  }

  levels(): CallLevels | undefined {
    return this.#closing ? undefined : this.#meter.read();
  }

  listen(): CallTap | undefined {
    if (this.#closing) return undefined;
    const { thread, call } = this.deps;
    const ring = allocatePcmRing(2 * samplesOf(LISTENED_MS, this.sampleRateHz));
    const tap = new ListenerTap(ring, this.sampleRateHz, () => {
      if (this.#listener !== tap || this.#closing) return;
      this.#listener = undefined;
      thread.send({ type: 'listen', call, ring: undefined });
    });
    this.#listener?.end();
    this.#listener = tap;
    thread.send({ type: 'listen', call, ring });
    return tap;
  }

  get heardAtMs(): number | undefined {
    if (this.#last) return undefined;
    const atMs = this.#captured.readAtMs(() => (this.#capture.queued * 1000) / this.sampleRateHz);
    return atMs === undefined ? undefined : this.#onOurClock(atMs);
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
    return this.#last?.playedSamples ?? this.#written - this.#playout.queued;
  }

  clear(): number {
    if (this.#closing) return 0;
    const dropped = this.#playout.clear();
    this.#written -= dropped;
    return dropped;
  }

  setGain(gainDb: number): void {
    if (!this.#closing) this.#levels.gainDb = gainDb;
  }

  playMusic(music: MusicLoop | undefined): void {
    if (!this.#closing) this.deps.thread.send({ type: 'music', call: this.deps.call, music });
  }

  sendDtmf(digits: string): void {
    if (this.#closing) return;
    this.deps.thread.send({ type: 'keys', call: this.deps.call, digits, after: this.#playout.writePosition });
  }

  startRecording(path: string): void {
    if (this.#closing || this.#recording !== undefined) return;
    const { thread, call, recorder, memory } = this.deps;
    const ring = memory.recordings.take();
    const id = recorder.start(path, { ring, sampleRateHz: this.sampleRateHz }, (reason) => {
      thread.send({ type: 'record', call, ring: undefined });
      this.deps.onRecordingFailed(reason);
    });
    this.#recording = { id, ring };
    thread.send({ type: 'record', call, ring });
  }

  /** Open, and not joined to another one. */
  get mayJoin(): boolean {
    return !this.#closing && !this.#bridge;
  }

  get lanes(): MemoryPool<LaneMemory> {
    return this.deps.memory.lanes;
  }

  join(bridge: MediaBridge, lanes: LaneEnds): void {
    this.#bridge = bridge;
    this.deps.thread.send({ type: 'join', call: this.deps.call, lanes });
  }

  part(): Promise<boolean> {
    this.#bridge = undefined;
    return this.deps.thread.part(this.deps.call);
  }

  get talkStartedAtMs(): number | undefined {
    if (this.#last) return this.#last.talkStartedAtMs;
    const startedAtMs = this.#talk.startedAtMs;
    return startedAtMs === undefined ? undefined : this.#onOurClock(startedAtMs);
  }

  #onOurClock(atMs: number): number {
    return atMs + this.deps.clock.nowMs() - monotonicMs();
  }

  stats(): Promise<MediaStats> {
    if (this.#closing) return this.#closing;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  close(): Promise<FinalMediaStats> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<FinalMediaStats> {
    this.#bridge?.close();
    this.#listener?.end();
    const { thread, call, audio, memory, recorder } = this.deps;
    const answer = await thread.closeCall(call);
    const ending: MediaEnding = answer ?? { stats: this.#lastStats, streams: [] };
    this.#lastStats = ending.stats;
    this.#last = { playedSamples: this.playedSamples, talkStartedAtMs: this.talkStartedAtMs };
    this.deps.onClosed(ending);
    const emptied = this.#recording && (await recorder.stop(this.#recording.id));
    // A thread that did not answer may still be using what it was given.
    if (answer) memory.audio.giveBack(audio);
    if (answer && emptied && this.#recording) memory.recordings.giveBack(this.#recording.ring);
    const { timeline } = ending;
    if (!timeline) return ending.stats;
    return { ...ending.stats, timeline: { ...timeline, fromMs: this.#onOurClock(timeline.fromMs) } };
  }

  async #ask(): Promise<MediaStats> {
    this.#lastStats = (await this.deps.thread.stats(this.deps.call)) ?? this.#lastStats;
    return this.#lastStats;
  }
}
