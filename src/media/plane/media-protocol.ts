import type { NegotiatedMedia } from '../description.ts';
import type { MediaIoKind } from '../io/choose-io.ts';
import type { SocketRefusal } from '../io/media-io.ts';
import type { MediaEvent, MediaStats, QualityTimeline } from '../media-port.ts';
import type { MusicLoop } from '../music-loop.ts';
import type { JitterLimits } from '../rtp/jitter-estimate.ts';
import type { FormerStream } from '../rtp/latching.ts';
import type { UnprovenTable } from '../rtp/unproven-budget.ts';
import type { SrtpImplementation } from '../srtp/contract.ts';
import type { CallKeys } from '../worker/call-security.ts';
import type { LaneEnds } from './bridge-lane.ts';
import type { CallAudioMemory } from './call-audio.ts';
import type { PcmRingMemory } from './pcm-ring.ts';

/** Messages between the main thread and a media thread. Control only: audio goes through the shared rings. */

export interface MediaWorkerData {
  readonly io: MediaIoKind;
  readonly srtp: SrtpImplementation['name'];
  readonly bindAddress: string;
  readonly rtpTimeoutMs: number;
  readonly jitter: JitterLimits;
  readonly comfortNoiseDb: number | undefined;
  readonly cname: string;
  readonly unproven: UnprovenTable;
  /** Of `ThreadSigns`. */
  readonly signs: SharedArrayBuffer;
}

export type ToMediaWorker =
  | {
      readonly type: 'open';
      readonly call: number;
      readonly port: number;
      readonly audio: CallAudioMemory;
      readonly former: readonly FormerStream[];
    }
  /** What comes from now on waits for `configure`. */
  | { readonly type: 'expect'; readonly call: number }
  /** `media` has no keys: what hides them does not go from thread to thread. */
  | {
      readonly type: 'configure';
      readonly call: number;
      readonly media: NegotiatedMedia;
      readonly keys?: CallKeys;
    }
  | { readonly type: 'keys'; readonly call: number; readonly digits: string; readonly after: number }
  | { readonly type: 'record'; readonly call: number; readonly ring: PcmRingMemory | undefined }
  /** As `record`, for somebody who listens. */
  | { readonly type: 'listen'; readonly call: number; readonly ring: PcmRingMemory | undefined }
  | { readonly type: 'music'; readonly call: number; readonly music: MusicLoop | undefined }
  /** Joins the call to another one, of this thread or of another. */
  | { readonly type: 'join'; readonly call: number; readonly lanes: LaneEnds }
  /** Answered by `parted` when the lanes are used no longer, or by `closed`. */
  | { readonly type: 'part'; readonly call: number }
  | { readonly type: 'stats'; readonly call: number }
  | { readonly type: 'close'; readonly call: number }
  /** SCHED_FIFO was refused: try to be nice to nobody. */
  | { readonly type: 'raise-priority' }
  | { readonly type: 'shutdown' };

/** What is left of a call. */
export interface MediaEnding {
  readonly stats: MediaStats;
  /** Not to be heard by the next call of the port. */
  readonly streams: readonly FormerStream[];
  readonly timeline?: QualityTimeline | undefined; // on the clock of media threads
}

export interface WorkerLoad {
  readonly calls: number;
  readonly latenessP99Ms: number;
  readonly lateTicks: number;
  readonly skippedTicks: number;
  readonly cpuPercent: number;
}

export type FromMediaWorker =
  | {
      readonly type: 'ready';
      readonly threadId: string | undefined; // of the system, for chrt
      /** What the sockets of the thread are registered with, where they outlive it. */
      readonly epoll: number | undefined;
    }
  | { readonly type: 'priority'; readonly raised: boolean }
  | { readonly type: 'opened'; readonly call: number; readonly port: number }
  | { readonly type: 'refused'; readonly call: number; readonly reason: SocketRefusal }
  /** A step of one call threw: for the log. */
  | { readonly type: 'fault'; readonly call: number; readonly step: string; readonly reason: string }
  | { readonly type: 'event'; readonly call: number; readonly event: MediaEvent }
  | { readonly type: 'stats'; readonly call: number; readonly stats: MediaStats }
  | { readonly type: 'parted'; readonly call: number }
  | { readonly type: 'closed'; readonly call: number; readonly ending: MediaEnding }
  | { readonly type: 'load'; readonly load: WorkerLoad };
