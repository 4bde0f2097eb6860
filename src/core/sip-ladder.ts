/** What is known of the SIP messages of calls, from whoever sees them to whoever shows them. All of it is personal data. */

/** One message as it went over the wire, or as the SIP server told of it. */
export interface TracedMessage {
  readonly direction: 'in' | 'out'; // seen from us
  readonly peer: string; // `udp/192.0.2.7:5060`; empty where it is not known
  readonly bytes: Buffer; // a view: what is kept of it is to be copied
}

/** Told of every message. Never throws, and keeps nobody waiting. */
export type SipTrace = (message: TracedMessage) => void;

/** One message of a call, as it is kept. */
export interface LadderStep {
  readonly at: string; // RFC 3339, UTC
  readonly direction: 'in' | 'out';
  readonly peer: string;
  readonly line: string; // the first one
  /** Headers and body, without secrets; empty where it is `again`. */
  readonly text: string;
  /** The very same message as an earlier one: sent again, or come again. */
  readonly again?: true;
  /** So many messages before this one were not kept, for want of room. */
  readonly skipped?: number;
}

/** The messages of one call. */
export interface LadderRecord {
  /** The call that they are part of, where that is not the one with their Call-ID. */
  readonly callId?: string;
  readonly sipCallId: string;
  readonly startedAt: Date;
  readonly inbound: boolean; // the first INVITE came in
  readonly answered: boolean;
  readonly steps: readonly LadderStep[];
}
