import type { AudioDescription, Direction, NegotiatedMedia } from './description.ts';
import type { SrtpKeys } from './srtp/srtp-key.ts';

/** What the peer described: the streams that signalling lets pass, in its order; at least one. */
export interface RemoteAudio {
  readonly streams: readonly AudioDescription[];
  /** Where its SIP comes from: an address that has proved itself. */
  readonly signallingAddress: string;
  /** What holds now, undefined in a first exchange. */
  readonly previous: NegotiatedMedia | undefined;
}

/** Our side of an answered offer. */
export interface AudioAnswer {
  readonly index: number; // of the stream taken, among those offered
  readonly local: AudioDescription; // one codec first, then what goes with it
  readonly media: NegotiatedMedia;
}

/** Media cannot do what is asked. `failed`: it could at another time. */
export interface SessionRefusal {
  readonly refused: 'no-codec' | 'failed';
  readonly text: string; // for a person; no personal data
}

/** How the stream of an offer is to be protected: not at all, with new keys, or with those in use. */
export type OfferedKeys = 'none' | 'new' | SrtpKeys;

/**
 * Media's part in offer and answer (RFC 3264): it decides what it can do, may take its time, and may refuse. Deciding
 * changes nothing that flows: what was agreed takes effect when signalling reports it, for the message that carries it may
 * yet fail. Signalling asks one question at a time, and gives a question up after a few seconds.
 */
export interface MediaSession {
  /** Everything we can do, to be offered. */
  offer(direction: Direction, keys: OfferedKeys): Promise<AudioDescription | SessionRefusal>;
  /** The answer to what the peer offers. */
  answer(remote: RemoteAudio): Promise<AudioAnswer | SessionRefusal>;
  /** What follows from the peer's answer to `offered`. */
  accept(remote: RemoteAudio, offered: AudioDescription): Promise<NegotiatedMedia | SessionRefusal>;
}

export function isSessionRefusal(value: object): value is SessionRefusal {
  return 'refused' in value;
}
