/** What signalling and media tell each other. SDP itself is the business of `sip/`; sockets that of `media/`. */

export type AudioCodec = 'PCMU' | 'PCMA' | 'G722';
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** Where we receive: goes into our SDP. */
export interface MediaEndpoint {
  readonly address: string; // IP literal to advertise
  readonly port: number; // RTP; RTCP is muxed when `rtcpMux` was agreed, else port + 1
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
  readonly comfortNoisePayloadType?: number;
  /** Our direction: `recvonly`/`inactive` means the peer holds us and we stop sending. */
  readonly direction: Direction;
  readonly rtcpMux: boolean;
  readonly remoteRtcpPort: number;
}
