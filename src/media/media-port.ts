import type { LevelBand } from '../audio/level.ts';
import type { CallLevels } from '../core/call-levels.ts';
import type { CallTap } from '../core/call-tap.ts';
import type { MediaEndpoint, NegotiatedMedia } from './description.ts';
import type { MusicLoop } from './music-loop.ts';

/** Quality of one call's media, both ways. Figures from RTP statistics and RTCP reports (RFC 3550), MOS by the E-model (G.107). */
export interface MediaStats {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number; // by sequence numbers, never negative
  readonly packetsLate: number;
  readonly packetsDuplicate: number;
  readonly packetsConcealed: number;
  readonly packetsRejected: number; // wrong source, wrong SSRC, not RTP
  readonly jitterMs: number; // RFC 3550 interarrival jitter
  readonly lossPercent: number;
  readonly mos: number; // 1..4.5
  readonly remoteLossPercent?: number; // what the peer reports of our stream
  readonly remoteJitterMs?: number;
  readonly roundTripMs?: number;
  readonly codec: string;
  /** Crypto-suite of RFC 4568; absent where media was in the clear. The packets below are counted as rejected, too. */
  readonly srtpSuite?: string;
  readonly packetsForged?: number; // wrong tag, unknown key
  readonly packetsReplayed?: number; // came before
}

/** How media was over time: one value for each stretch of `everyMs`, null where nothing came. */
export interface QualityTimeline {
  readonly fromMs: number; // monotonic, as `Clock.nowMs`
  readonly everyMs: number;
  readonly lossPercent: readonly (number | null)[];
  readonly jitterMs: readonly (number | null)[];
  readonly mos: readonly (number | null)[];
}

/** The last figures of a call. */
export interface FinalMediaStats extends MediaStats {
  readonly timeline?: QualityTimeline;
}

/** Of a call of which nothing is known. */
export const NO_MEDIA_STATS: MediaStats = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  packetsLate: 0,
  packetsDuplicate: 0,
  packetsConcealed: 0,
  packetsRejected: 0,
  jitterMs: 0,
  lossPercent: 0,
  mos: 1,
  codec: 'none',
};

export type MediaEvent =
  /** One key press, whole (RFC 4733 end seen, or lost and timed out; or its tone is over); never doubled. */
  | {
      readonly type: 'dtmf';
      readonly digit: string;
      readonly durationMs: number;
      /** `event` where it is left out. */
      readonly means?: 'event' | 'tone';
    }
  /** Keys whose turn to be sent it is, and that signalling sends: `NegotiatedMedia.dtmf` is `info`. */
  | { readonly type: 'keys'; readonly digits: string }
  /** First accepted packet of the call. */
  | { readonly type: 'latched'; readonly address: string; readonly port: number }
  /** No RTP for the configured time while not on hold. */
  | { readonly type: 'timeout' }
  /** A fault in this call or the end of its thread: the call cannot go on, and its port is already being freed. */
  | { readonly type: 'failed'; readonly reason: string };

/**
 * One call's media as the main thread sees it. Audio crosses to the media thread through shared rings, so every method
 * here returns at once. All audio is signed 16-bit mono at `sampleRateHz`, whatever codec is on the wire.
 */
export interface MediaPort {
  readonly local: MediaEndpoint;
  readonly sampleRateHz: number;
  /**
   * Our answer is about to go out: what the caller says and presses from now on is kept, within bounds, and heard with the first
   * `configure`. Nothing is sent, told or believed before that.
   */
  expect(): void;
  /** Applies (or re-applies, after a re-INVITE) what was negotiated. */
  configure(media: NegotiatedMedia): void;
  /** What the caller says is there in wideband, too, beside the telephone's rate. */
  readonly isWideband?: boolean;
  /**
   * Copies what the caller said since the last call; 0 when nothing waits. Reads at most `into.length` samples.
   *
   * @param wide - where the port `isWideband`: filled with the same sound at twice the rate, two samples for each of `into`.
   */
  read(into: Int16Array, wide?: Int16Array): number;
  /**
   * Monotonic ms (Clock.nowMs of this process) at which the last sample that was read came over the wire, whatever it waited since
   * then; undefined before any came.
   */
  readonly heardAtMs: number | undefined;
  /**
   * Frames whose level lies within this band, and digital silence, need not be read at once; undefined, as at first: all matter. The
   * level is that of the samples as they are, an offset included.
   */
  quiet: LevelBand | undefined;
  /** Something beside that came since the last `read`, or may have: a port that does not measure says so always. */
  readonly stirred: boolean;
  /** Queues agent audio; @returns samples taken, fewer than given when the playout queue (`queueMs`) is full. */
  write(samples: Int16Array): number;
  /** Position counters in samples since the call began: `played <= written`. What was cleared counts as neither. */
  readonly writtenSamples: number;
  readonly playedSamples: number;
  /**
   * Barge-in: drops everything queued and not yet sent; the next packet slot is silent.
   * @returns samples dropped.
   */
  clear(): number;
  /**
   * How loud what is written is played, from the next packet on, without a click: 0 is as written, -12 a quarter of it.
   * What is queued already is played so, too; another caller of a bridge is not.
   */
  setGain(gainDb: number): void;
  /**
   * Plays music round and round while nothing else is heard: no agent, and of a bridge no sound of the other side. Undefined ends
   * it. It counts as nothing written.
   */
  playMusic(music: MusicLoop | undefined): void;
  /**
   * Sends key presses after what is queued: as RFC 4733 events or as tones; what goes by INFO comes back as an event `keys`. Where
   * events are asked for and the peer takes none, they are lost.
   */
  sendDtmf(digits: string): void;
  /** Starts the stereo recording (caller left, agent right). */
  startRecording(path: string): void;
  /** Monotonic ms (Clock.nowMs of this process) at which the first packet after the latest write-from-empty left; undefined before. */
  readonly talkStartedAtMs: number | undefined;
  /** How loud both sides are; measured while it is read. Undefined where nobody can say. */
  levels?(): CallLevels | undefined;
  /** For one listener at a time, whose place the next one takes. Undefined where nobody can listen. */
  listen?(): CallTap | undefined;
  stats(): Promise<MediaStats>;
  /** Frees socket and port, finishes the recording. Idempotent; the final figures. */
  close(): Promise<FinalMediaStats>;
}

/** What somebody says, for one reader. */
export type CallerAudio = Pick<MediaPort, 'read' | 'isWideband' | 'heardAtMs' | 'quiet' | 'stirred'>;

export interface MediaPortOptions {
  readonly callId: string;
  /** Ours, as the other side reaches it: goes into SDP where the plane listens on every address. */
  readonly localAddress?: string | undefined;
  readonly onEvent: (event: MediaEvent) => void;
  /** Of the audio that is read and written: the telephone's by default, or wideband. */
  readonly sampleRateHz?: number;
}

/**
 * Two ports whose callers hear each other: what one says is played to the other by their media threads, in addition to what
 * the owner of that port writes (a word to one side alone does not cost it a word of the other). RFC 4733 keys go over as such
 * and are told to the owner too; a tone in the audio goes over as audio; keys that signalling brings are the owner's to pass on,
 * by `sendDtmf`. Hold and codec stay each port's own business, and so do stats and recording: the other caller is in the right
 * channel, with whatever the owner says.
 *
 * The owners may go on reading what their callers say; of what nobody reads the last two seconds wait.
 */
export interface MediaBridge {
  /** What is to be read in place of a port that this bridge itself reads; absent, and undefined, where the port can be read. */
  earOf?(port: MediaPort): CallerAudio | undefined;
  /** Parts them: each port is again what it was before. The close of either port does so too. Idempotent; never throws. */
  close(): void;
}

export type MediaRefusal = 'no-ports' | 'overloaded' | 'closed';

/** Load of the media plane, for admission, readiness and metrics. */
export interface MediaPlaneLoad {
  readonly calls: number;
  readonly capacity: number;
  readonly tickLatenessP99Ms: number;
  readonly lateTicks: number; // ticks later than 5 ms since start
  readonly cpuPercent: number; // busiest worker, of one core
  readonly portsFree: number;
  readonly threads: number;
  readonly threadsDown: number; // died, and started again as soon as that is sensible
  readonly recording: { readonly ok: true } | { readonly ok: false; readonly why: string };
}

export interface MediaPlane {
  /** Opens a port on the least loaded worker, or says why not (the caller answers 503). */
  open(options: MediaPortOptions): Promise<MediaPort | MediaRefusal>;
  /**
   * Joins two ports of this plane, on one media thread or on two. What is queued in them is still played: clear it first
   * where that is not meant.
   *
   * @returns undefined where one of them is closed or joined already.
   */
  bridge(a: MediaPort, b: MediaPort): MediaBridge | undefined;
  load(): MediaPlaneLoad;
  close(): Promise<void>;
}
