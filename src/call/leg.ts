import { sentence } from '../core/notice.ts';
import type { CallSource } from '../core/trunk.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { OuterMedia } from '../media/edge/media-edge.ts';
import type { MediaPort, MediaPortOptions, MediaRefusal } from '../media/media-port.ts';
import type { MediaSession } from '../media/media-session.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { CallObserver } from './call-observer.ts';

/** Facts of the INVITE that brought the call. `from`, `to`, `called` are personal data: log under `pii` only. */
export interface LegInfo {
  readonly sipCallId: string;
  readonly from: string; // user part or display form of From
  readonly to: string;
  readonly called: string; // user part of the Request-URI: what numbers are looked up by
  readonly sourceAddress: string; // ip:port the INVITE came from
  readonly localAddress?: string; // ours, as the caller reaches it
  readonly transport: string; // udp, tcp, tls, ws, wss
  /** Who sent it, once that is known. */
  readonly source?: CallSource;
  /** `X-*` headers (lower-case names without `x-`) and `user_to_user`: become call variables. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface TransferOutcome {
  readonly ok: boolean;
  readonly status: number; // final SIP status of the transfer, 0 when none came
  readonly reason: string;
  /** The peer does not take transfers at all, whoever the target: nobody has tried to reach that one. */
  readonly unsupported?: true;
}

/** What a leg reports. Handlers never throw and return at once. */
export interface LegHandlers {
  /** Every offer/answer completed once the call is up, also hold and resume (seen in `direction`). */
  onMedia(media: NegotiatedMedia): void;
  /** A key press that came by SIP INFO. */
  onDtmf(digit: string, durationMs: number): void;
  /** The other side, the network or the signalling layer ended it. Called at most once. */
  onEnd(end: CallEnd): void;
}

/** Our side of one SIP dialog (UAS or UAC), implemented by `sip/leg.ts`; or of one stream, by `streams/stream-leg.ts`. */
export interface Leg {
  readonly info: LegInfo;
  /** What was agreed last, undefined before the first exchange is complete. */
  readonly media: NegotiatedMedia | undefined;
  /** Where audio comes with the signalling and not by RTP, the leg brings the port of its call. */
  openMedia?(options: MediaPortOptions): Promise<MediaPort | MediaRefusal>;
  /** Follows the conversation of this call. */
  readonly observer?: CallObserver;
  /** An end that came earlier is reported again, to these handlers, before anything else. */
  setHandlers(handlers: LegHandlers): void;
  /** 180 Ringing. */
  ring(): void;
  /**
   * Answers with what `media` decides and waits for the ACK, so that a late offer is complete.
   * @returns what is agreed at the ACK: an UPDATE before it may have held us already, and is told nowhere else. What comes
   *   after it is told by `onMedia`, which may be faster than whoever waits for this. Rejects with `LegError` when no ACK came
   *   or the caller cancelled.
   */
  answer(media: MediaSession): Promise<NegotiatedMedia>;
  /** Refuses an unanswered call: distinct status, `Reason` and `Warning` that a person can act on. */
  reject(end: CallEnd): Promise<void>;
  /**
   * REFER to `target` (SIP URI or number), following its NOTIFYs to the end. Never throws.
   *
   * @param replaced - a leg of ours to the same target: whoever is referred takes its place (RFC 3891), and it gets a BYE.
   */
  transfer(target: string, signal: AbortSignal, replaced?: Leg): Promise<TransferOutcome>;
  /** Its far end takes an INVITE with Replaces (RFC 3891 §7.2), as far as it has told. */
  readonly takesReplaces?: boolean;
  /** Sends keys by INFO. Absent where keys leave by media alone; without an effect while the call is not up. */
  press?(digits: string): void;
  /** The name of a media edge that took the call and fell silent: no audio comes any more. */
  readonly edgeLost?: string | undefined;
  /** What the outer side of the media was, where it goes through a media edge: from the end of the leg on. */
  readonly outerMedia?: Promise<OuterMedia | undefined> | undefined;
  /** BYE (or CANCEL, or the refusal, where the dialog is not that far). Idempotent. */
  hangup(end: CallEnd): Promise<void>;
}

/** The other side has put us on hold: it takes no audio (RFC 3264 §8.4). */
export const holdsUs = ({ direction }: NegotiatedMedia): boolean =>
  direction === 'recvonly' || direction === 'inactive';

/** No audio came for too long, and why, where the leg knows it. */
export function mediaTimeout(leg: Leg | undefined): CallEnd {
  const edge = leg?.edgeLost;
  return callEnd('network', 'media-timeout', edge === undefined ? undefined : sentence('end.edge-silent', { edge }));
}

export class LegError extends Error {
  constructor(readonly end: CallEnd) {
    super(end.reason);
    this.name = 'LegError';
  }
}
