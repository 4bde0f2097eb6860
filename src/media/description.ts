import type { DtmfWay } from '../core/trunk.ts';
import type { SdesCrypto, SrtpKeys } from './srtp/srtp-key.ts';

/** What signalling and media tell each other. SDP itself is the business of `sip/`; sockets that of `media/`. */

export type AudioCodec = 'PCMU' | 'PCMA' | 'G722';
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** Where we receive: goes into our SDP. */
export interface MediaEndpoint {
  readonly address: string; // IP literal to advertise
  readonly port: number; // RTP; RTCP is muxed when `rtcpMux` was agreed, else port + 1
}

/** One format of an audio stream: PCMU at 8000 Hz, mono, as payload type 0; telephone-event and CN are formats too. */
export interface AudioFormat {
  readonly name: string; // upper case
  readonly clockRateHz: number;
  readonly channels: number;
  readonly payloadType: number; // 0..127
}

/** One audio stream as its side describes it, without a word of SDP. */
export interface AudioDescription {
  readonly endpoint: MediaEndpoint; // where that side receives
  readonly rtcpMux: boolean;
  readonly rtcpPort: number;
  readonly formats: readonly AudioFormat[]; // in order of preference
  readonly ptimeMs: number | undefined; // what that side wants to receive
  readonly maxPtimeMs: number | undefined;
  readonly direction: Direction; // as that side sees it
  /** On hold by the unspecified address: nothing may be sent to `endpoint` (RFC 3264 §8.4). */
  readonly unreachable: boolean;
  /** Keys that this side protects its media with, in order of preference; absent: in the clear. One of them is used. */
  readonly crypto?: readonly SdesCrypto[];
}

/** The outcome of one offer/answer exchange for the audio stream (RFC 3264), from our side. */
export interface NegotiatedMedia {
  readonly remote: MediaEndpoint; // where SDP says to send; media sends there only under the latching rules
  /** Signalling source of the peer: an address that has proved itself, see RTP latching. */
  readonly signallingAddress: string;
  readonly codec: AudioCodec;
  readonly payloadType: number;
  readonly ptimeMs: number; // what we send: 10, 20, 30, 40 or 60
  /** Payload type of telephone-event at 8000 Hz (RFC 4733), or undefined where the peer offers none. */
  readonly dtmfPayloadType?: number;
  /** How keys come and go, as far as that was decided beforehand; `auto` where it is left out. */
  readonly dtmf?: DtmfWay;
  readonly comfortNoisePayloadType?: number;
  /** Our direction: `recvonly`/`inactive` means the peer holds us and we stop sending. */
  readonly direction: Direction;
  readonly rtcpMux: boolean;
  readonly remoteRtcpPort: number;
  /** SRTP, where that was agreed: then nothing is sent or heard in the clear. */
  readonly srtp?: SrtpKeys;
}
