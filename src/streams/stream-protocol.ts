import type { CallEnd } from '../call/call-end.ts';
import type { CallObservation } from '../call/call-observer.ts';
import type { StreamFault } from './stream-fault.ts';

/** What is sent to a far end: a text frame or a binary one. */
export type StreamFrame = string | Buffer;

/** What begins a call. `from`, `called` and the variables are personal data. */
export interface StreamStart {
  readonly streamId: string; // as the far end names the call
  readonly from: string;
  readonly called: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a frame of the far end means. */
export type StreamMessage =
  | { readonly type: 'start'; readonly start: StreamStart }
  | { readonly type: 'audio'; readonly samples: Int16Array } // at `inputRateHz`; the receiver's own
  | { readonly type: 'keys'; readonly digits: string }
  /** It came to a mark of ours. */
  | { readonly type: 'mark'; readonly name: string }
  /** It has no room for audio, and has again. */
  | { readonly type: 'pause' | 'resume' }
  /** It hung up. */
  | { readonly type: 'stop' }
  | { readonly type: 'fault'; readonly fault: StreamFault }
  | { readonly type: 'nothing' };

/** How a connection is closed: frames that are still sent, then code and reason (RFC 6455 §7.4). */
export interface StreamFarewell {
  readonly frames: readonly StreamFrame[];
  readonly code: number;
  readonly reason: string; // 123 bytes at most
}

/** One call's side of a protocol that carries calls over a WebSocket: it reads and writes frames, and keeps no time. */
export interface StreamProtocol {
  readonly name: 'talk' | 'twilio' | 'asterisk';
  readonly codec: string; // on the wire, for the record
  /** Of the audio that is read, from the start of the call on: the telephone's, or wideband. */
  readonly inputRateHz: number;
  /** Whether we ask if the far end is still there. */
  readonly pings: boolean;
  /** Never throws: what cannot be read is a fault, or nothing where the far end's makers may have added something. */
  read(data: Buffer, isBinary: boolean): StreamMessage;
  /** The connection may begin a call. */
  welcome?(): StreamFrame;
  /** The call is answered. */
  answered(callId: string): readonly StreamFrame[];
  /** @param frame - 20 ms at the telephone rate; copied. */
  audio(frame: Int16Array): StreamFrame;
  /** Comes back when everything before it was played. */
  mark(name: string): StreamFrame;
  clear(): StreamFrame;
  /** Undefined: keys are tones in the audio. */
  keys?(digits: string): StreamFrame;
  /** What is told of the conversation; undefined of nothing. */
  observed?(observation: CallObservation): StreamFrame | undefined;
  refused(fault: StreamFault): StreamFarewell;
  /** @param answered - undefined of a call that never was. */
  ended(end: CallEnd, answered: { readonly seconds: number } | undefined): StreamFarewell;
}
