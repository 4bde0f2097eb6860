import { GainRamp } from '../audio/gain-ramp.ts';
import type { LevelBand } from '../audio/level.ts';
import { FRAME_MS, FRAME_SAMPLES, samplesOf, TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../audio/pcm.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { MediaEndpoint, NegotiatedMedia } from '../media/description.ts';
import type { MediaPort, MediaPortOptions, MediaStats } from '../media/media-port.ts';
import type { MusicLoop } from '../media/music-loop.ts';
import { estimateMos } from '../media/rtp/mos.ts';
import { RtpTimeout } from '../media/rtp/rtp-timeout.ts';
import { MusicReader } from '../media/worker/music-reader.ts';
import { CallerAudio } from './caller-audio.ts';
import { keyTones } from './key-tones.ts';
import { LAG_MS_MAX, PlayedPosition } from './played-position.ts';
import { SampleRing } from './sample-ring.ts';
import type { StreamRecorders, StreamRecording } from './stream-recorder.ts';

/** What the far end has in store while speech goes on: a late timer of ours is not heard. */
const AHEAD_MS = 60;
/** Slots that are made up for after a stall; what lies before them has passed. */
const SLOTS_LATE_MAX = 50;
const KEYS_WAITING_MAX = 64;

/** How a port reaches its far end. Nothing here throws. */
export interface StreamOutput {
  /** False while the far end takes nothing: what is queued waits. */
  readonly ready: boolean;
  /** @param frame - 20 ms at the telephone rate; a view, used again. */
  audio(frame: Int16Array): void;
  mark(name: string): void;
  /** What was sent and not played is to be forgotten. */
  clear(): void;
  /** Key presses beside the audio; where there is no such thing they are tones in it. */
  keys(digits: string): 'sent' | 'as-audio';
}

export interface StreamPortDeps extends Pick<MediaPortOptions, 'callId' | 'onEvent'> {
  readonly local: MediaEndpoint;
  readonly remote: MediaEndpoint;
  readonly codec: string; // what is on the wire, for the record
  /** Of what the caller says, as it is handed over: the telephone's, or wideband. */
  readonly inputRateHz: number;
  readonly output: StreamOutput;
  readonly recorder: StreamRecorders;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queueMs: number; // agent audio that may wait
  readonly timeoutMs: number; // without any audio from the caller
}

/**
 * The media of a call that comes over one connection with its signalling. What the agent says is sent as it should sound, a
 * little ahead; what the caller says is handed on at the pace of our clock, whatever the network does. `tick` moves both on.
 */
export class StreamPort implements MediaPort {
  readonly sampleRateHz = TELEPHONE_RATE_HZ;
  readonly #caller: CallerAudio;
  readonly #queue: SampleRing;
  readonly #position = new PlayedPosition();
  readonly #timeout: RtpTimeout;
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #ramp = new GainRamp(TELEPHONE_RATE_HZ);
  #gainDb = 0;
  #keys: { readonly digits: string; at: number }[] = []; // and the position they come after
  #soundsUntilMs = Number.NEGATIVE_INFINITY; // what was sent
  #awaitsTalk = false; // written to an empty queue, and nothing of it has left
  #begunMs: number | undefined; // of the first slot
  #slots = 0;
  #heardAny = false;
  #framesSent = 0;
  #recording: StreamRecording | undefined;
  #music: MusicReader | undefined; // where nothing else is heard
  #closing: Promise<MediaStats> | undefined;
  talkStartedAtMs: number | undefined;
  /** Nothing is measured here: whoever reads looks at everything. */
  readonly stirred = true;
  quiet: LevelBand | undefined;

  constructor(private readonly deps: StreamPortDeps) {
    this.#caller = new CallerAudio(deps.inputRateHz);
    this.#queue = new SampleRing(samplesOf(deps.queueMs, TELEPHONE_RATE_HZ));
    this.#timeout = new RtpTimeout(deps.timeoutMs);
  }

  get local(): MediaEndpoint {
    return this.deps.local;
  }

  /** What the caller says is kept from the start. */
  expect(): void {}

  /** The call is up: from here on it is played and listened to. */
  configure({ direction }: NegotiatedMedia): void {
    const nowMs = this.deps.clock.nowMs();
    this.#begunMs ??= nowMs;
    this.#timeout.configure(direction, nowMs);
  }

  // --- the caller -----------------------------------------------------------------------------------------------

  /** Audio of the caller came. @param samples - at `inputRateHz`; kept. */
  heard(samples: Int16Array): void {
    if (this.#closing) return;
    const nowMs = this.deps.clock.nowMs();
    this.#timeout.heard(nowMs);
    this.#caller.push(samples, nowMs);
    if (this.#heardAny) return;
    this.#heardAny = true;
    this.deps.onEvent({ type: 'latched', ...this.deps.remote });
  }

  /** What the caller said and nobody was told yet, in ms. */
  get waitingMs(): number {
    return this.#caller.waitingMs;
  }

  get isWideband(): boolean {
    return this.#caller.rateHz === WIDEBAND_RATE_HZ;
  }

  read(into: Int16Array, wide?: Int16Array): number {
    return this.#closing ? 0 : this.#caller.read(into, wide);
  }

  get heardAtMs(): number | undefined {
    return this.#caller.heardAtMs;
  }

  // --- the agent ------------------------------------------------------------------------------------------------

  write(samples: Int16Array): number {
    if (this.#closing || samples.length === 0) return 0;
    if (this.#queue.queued === 0) this.#awaitsTalk = true;
    return this.#queue.write(samples);
  }

  get writtenSamples(): number {
    return this.#position.sent + this.#queue.queued;
  }

  get playedSamples(): number {
    return this.#position.playedAt(this.deps.clock.nowMs());
  }

  clear(): number {
    if (this.#closing) return 0;
    const nowMs = this.deps.clock.nowMs();
    const unplayed = this.#position.clear(nowMs);
    // Without marks it may play later than we think.
    if (unplayed > 0 || nowMs < this.#soundsUntilMs + LAG_MS_MAX) this.deps.output.clear();
    this.#soundsUntilMs = Number.NEGATIVE_INFINITY;
    const dropped = unplayed + this.#queue.clear();
    for (const keys of this.#keys) keys.at = Math.min(keys.at, this.writtenSamples);
    return dropped;
  }

  setGain(gainDb: number): void {
    this.#gainDb = gainDb;
  }

  playMusic(music: MusicLoop | undefined): void {
    if (music === this.#music?.loop) return;
    this.#music = music && new MusicReader(music, TELEPHONE_RATE_HZ);
  }
  get hasMusic(): boolean {
    return this.#music !== undefined;
  }

  sendDtmf(digits: string): void {
    if (this.#closing || this.#keys.length >= KEYS_WAITING_MAX) return;
    this.#keys.push({ digits, at: this.writtenSamples });
  }

  /** The far end came to a mark of ours. */
  marked(name: string): void {
    this.#position.marked(name, this.deps.clock.nowMs());
  }

  startRecording(path: string): void {
    if (this.#closing || this.#recording) return;
    const { recorder, logger, callId } = this.deps;
    this.#recording = recorder.start(path, (reason) => logger.error({ call_id: callId, reason }, 'recording stopped'));
  }

  // --- time -----------------------------------------------------------------------------------------------------

  /** To be called every 20 ms. */
  tick(): void {
    if (this.#begunMs === undefined || this.#closing) return;
    const nowMs = this.deps.clock.nowMs();
    const due = Math.floor((nowMs - this.#begunMs) / FRAME_MS) - this.#slots;
    this.#slots += Math.max(0, due - SLOTS_LATE_MAX);
    for (let n = Math.min(due, SLOTS_LATE_MAX); n > 0; n -= 1) {
      this.#slots += 1;
      if (n === 1) this.#say(nowMs);
      this.#caller.slot(nowMs, (frame) => this.#recording?.heard(frame));
      if (!this.#heardAny) this.#recording?.heard(undefined);
    }
    this.#sendKeys();
    if (this.#timeout.expired(nowMs)) this.deps.onEvent({ type: 'timeout' });
  }

  /** Sends what should sound by now, and the far end's store. */
  #say(nowMs: number): void {
    while (this.#queue.queued > 0 && this.deps.output.ready && this.#soundsUntilMs < nowMs + AHEAD_MS) {
      // The rest of a frame may still be made while the far end has something to play.
      const isPart = this.#queue.queued < FRAME_SAMPLES;
      if (isPart && this.#soundsUntilMs > nowMs + FRAME_MS) return;
      this.#sendFrame(nowMs);
    }
    while (this.#music && this.deps.output.ready && this.#soundsUntilMs < nowMs + AHEAD_MS) this.#sendMusic(nowMs);
  }

  /** It is nobody's speech: it counts as nothing written. */
  #sendMusic(nowMs: number): void {
    this.#music?.read(this.#frame);
    this.#soundsUntilMs = Math.max(nowMs, this.#soundsUntilMs) + FRAME_MS;
    this.#framesSent += 1;
    this.deps.output.audio(this.#frame);
    this.#recording?.said(this.#frame);
  }

  #sendFrame(nowMs: number): void {
    const { output } = this.deps;
    const count = this.#queue.read(this.#frame);
    this.#ramp.apply(this.#frame, count, this.#gainDb);
    this.#frame.fill(0, count);
    if (this.#awaitsTalk) {
      this.#awaitsTalk = false;
      this.talkStartedAtMs = Math.max(nowMs, this.#soundsUntilMs);
    }
    this.#soundsUntilMs = Math.max(nowMs, this.#soundsUntilMs) + FRAME_MS;
    this.#framesSent += 1;
    output.audio(this.#frame);
    this.#recording?.said(this.#frame);
    const mark = this.#position.frameSent(count, this.#soundsUntilMs, this.#queue.queued === 0);
    if (mark !== undefined) output.mark(mark);
  }

  #sendKeys(): void {
    while (this.#keys[0] && this.#keys[0].at <= this.#position.sent) {
      const { digits } = this.#keys.shift() as { digits: string };
      if (this.deps.output.keys(digits) === 'as-audio') this.write(keyTones(digits));
    }
  }

  // --- the end --------------------------------------------------------------------------------------------------

  stats(): Promise<MediaStats> {
    return this.#closing ?? Promise.resolve(this.#stats());
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  close(): Promise<MediaStats> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<MediaStats> {
    await this.#recording?.stop();
    return this.#stats();
  }

  /** Nothing is lost on a connection; what does not come in time is silence, as bad as loss. */
  #stats(): MediaStats {
    const { counters, jitterMs } = this.#caller;
    const slots = Math.max(1, this.#slots);
    const lossPercent = Math.round((10_000 * counters.silentFrames) / slots) / 100;
    return {
      ...{ packetsSent: this.#framesSent, packetsReceived: counters.chunks },
      ...{ packetsLost: 0, packetsLate: counters.lostFrames, packetsDuplicate: 0 },
      ...{ packetsConcealed: counters.silentFrames, packetsRejected: 0, jitterMs: Math.round(jitterMs * 100) / 100 },
      ...{ lossPercent: 0, mos: this.#heardAny ? estimateMos({ delayMs: this.#position.lagMs, lossPercent }) : 1 },
      codec: this.deps.codec,
    };
  }
}
