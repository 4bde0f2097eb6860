/** Which side of the edge a description comes from: the world's, or ours. */
export type EdgeSide = 'outer' | 'inner';

/**
 * How a call of ours is offered to the outside. What comes in is answered as it was offered.
 * - `rtp`: in the clear.
 * - `osrtp`: in the clear with keys beside it, for whoever can use them (RFC 8643).
 * - `sdes`: SRTP with keys in the description (RFC 4568).
 * - `dtls`: SRTP with keys by DTLS (RFC 5764).
 * - `webrtc`: as `dtls`, with ICE and feedback, for browsers.
 */
export type OuterProfile = 'rtp' | 'osrtp' | 'sdes' | 'dtls' | 'webrtc';

/** A description that is to pass. */
export interface EdgeMessage {
  readonly from: EdgeSide;
  readonly sdp: string;
  /** Where the outer side's SIP comes from: its media goes there, until it comes from elsewhere. */
  readonly outerAddress: string;
  readonly profile?: OuterProfile; // of an offer of ours
}

/** `away`: nobody answers or has room. `refused`: this description does not pass. */
export interface EdgeFailure {
  readonly failed: 'away' | 'refused';
  readonly text: string; // for a person; no personal data
}

/** What the outer side of a call was, as the edge tells it at the end. */
export interface OuterMedia {
  readonly edge: string; // the name of the instance
  readonly outerProtocol?: string; // RTP/SAVP, UDP/TLS/RTP/SAVPF, ...
  readonly outerKeys?: 'sdes' | 'dtls';
  readonly outerSuite?: string;
  readonly outerIce?: 1;
  readonly outerPacketsReceived?: number;
  readonly outerPacketsSent?: number;
  readonly outerErrors?: number; // among what came: wrong tag, replayed
  readonly outerLossPercent?: number; // as RTCP of both sides tells it
  readonly outerJitterMs?: number;
  readonly outerRoundTripMs?: number;
  readonly outerMos?: number; // 1..4.5
}

/**
 * The way of one dialog's descriptions through the edge. It stays at the instance that took its first offer. Steps are taken in the
 * order in which they are asked for. Nothing here rejects.
 */
export interface EdgeCall {
  /** @returns the description for the other side. */
  offer(message: EdgeMessage): Promise<string | EdgeFailure>;
  answer(message: EdgeMessage): Promise<string | EdgeFailure>;
  /** The last offer came to nothing: what was agreed before holds. */
  rollback(): void;
  /** The instance that this call is at does not answer: its name. */
  readonly lost: string | undefined;
  /** Gives everything back. Idempotent; what the outer side was, where that can still be told. */
  close(): Promise<OuterMedia | undefined>;
}

/** rtpengines in front of the media. */
export interface MediaEdge {
  /** None answers, as far as is known: why no call can be had. */
  readonly problem: string | undefined;
  open(): EdgeCall;
}

export const isEdgeFailure = (value: string | EdgeFailure): value is EdgeFailure => typeof value === 'object';
