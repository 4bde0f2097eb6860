import type { AudioCodec, Direction, MediaEndpoint, NegotiatedMedia } from '../media/description.ts';
import { judgeMediaAddress } from './media-address.ts';
import { payloadTypeNumber, type SdpMedia, type SdpReject, type SessionDescription } from './sdp.ts';

/** Why a description cannot be used. `kind` decides the SIP status, `warning` the code of RFC 3261 §20.43. */
export interface OfferRefusal {
  readonly kind: 'malformed' | 'unacceptable' | 'no-codec';
  readonly warning: 301 | 302 | 304 | 305 | 330 | 399;
  readonly text: string; // for a person; no personal data
}

export interface OfferPolicy {
  /** True refuses media in the clear: a trunk that must not carry it. SRTP itself is not spoken here. */
  readonly requireSecureMedia: boolean;
  /** True for an endpoint of this gateway itself: no media is sent there. */
  readonly isOurs: (endpoint: MediaEndpoint) => boolean;
}

/** Codecs we speak, by RFC 3551 name; all are mono with a static payload type and an RTP clock of 8000 Hz (G722: §4.5.2). */
export const STATIC_PAYLOAD_TYPES: Readonly<Record<AudioCodec, number>> = { PCMU: 0, PCMA: 8, G722: 9 };
/** Costs ten times the work of the others, and engines hear telephone audio: taken where a peer offers nothing else. */
const LAST_CHOICE: AudioCodec = 'G722';
const CODEC_NAMES = Object.keys(STATIC_PAYLOAD_TYPES) as AudioCodec[];
export const COMFORT_NOISE_PAYLOAD_TYPE = 13;
const CODEC_CLOCK_HZ = 8000;
const PTIMES_MS = [10, 20, 30, 40, 60] as const; // what the media plane can send
const DEFAULT_PTIME_MS = 20;
/** Also without keys in the offer, AVPF is AVP with feedback we may leave out (RFC 4585 §4). */
const PLAIN_PROTOCOLS = new Set(['RTP/AVP', 'RTP/AVPF']);

/** The stream of a peer's description that we talk on, and everything agreed about it but our own port. */
export interface StreamChoice {
  readonly index: number; // among the m-lines
  readonly stream: SdpMedia;
  readonly codec: AudioCodec;
  readonly payloadType: number;
  readonly ptimeMs: number;
  readonly dtmfPayloadType: number | undefined;
  readonly comfortNoisePayloadType: number | undefined;
  readonly held: boolean; // c=0.0.0.0, or port 0 in a re-offer
}

/**
 * Picks the first audio stream we can carry.
 *
 * @param signallingAddress - where the peer's SIP comes from.
 * @returns the choice, or the refusal that says most about why no stream fits.
 */
export function chooseStream(
  description: SessionDescription,
  signallingAddress: string,
  policy: OfferPolicy,
): StreamChoice | OfferRefusal {
  let best: OfferRefusal | undefined;
  for (const [index, stream] of description.media.entries()) {
    if (stream.kind !== 'audio' || stream.port === 0) continue;
    const choice = judgeStream(index, stream, signallingAddress, policy);
    if (!isRefusal(choice)) return choice;
    best ??= choice;
  }
  return best ?? refusal('unacceptable', 304, 'No audio stream offered');
}

function judgeStream(
  index: number,
  stream: SdpMedia,
  signallingAddress: string,
  policy: OfferPolicy,
): StreamChoice | OfferRefusal {
  const protocol = stream.protocol.toUpperCase();
  if (policy.requireSecureMedia && PLAIN_PROTOCOLS.has(protocol)) {
    return refusal('unacceptable', 302, 'Media in the clear is not allowed here');
  }
  if (!PLAIN_PROTOCOLS.has(protocol)) {
    const secure = protocol.includes('SAVP');
    const what = secure && !stream.keyed ? 'SRTP offered without keys' : `Only RTP/AVP is supported`;
    return refusal('unacceptable', 302, secure && stream.keyed ? 'SRTP is not supported: offer RTP/AVP' : what);
  }
  if (!stream.connection) return refusal('malformed', 399, 'No c= line for the audio stream');
  const verdict = judgeMediaAddress(stream.connection.address, signallingAddress);
  if (verdict === 'multicast') return refusal('unacceptable', 330, 'Multicast media is not supported');
  if (verdict === 'refused')
    return refusal('unacceptable', 301, 'Media address not allowed: offer a unicast IPv4 address');
  // On hold by 0.0.0.0 the port is kept with the address that SIP came from, for the time after.
  const address = verdict === 'hold' ? signallingAddress : stream.connection.address;
  if ([stream.port, rtcpPortOf(stream, stream.port)].some((port) => policy.isOurs({ address, port }))) {
    return refusal('unacceptable', 301, 'The media address belongs to this gateway: offer a port of your own');
  }
  const audio = chooseAudio(stream);
  if (!audio) return refusal('no-codec', 305, 'No common codec: offer PCMU or PCMA at 8000 Hz');
  return {
    index,
    stream,
    ...audio,
    ptimeMs: choosePtime(stream.ptimeMs, stream.maxPtimeMs),
    dtmfPayloadType: findPayloadType(stream, 'TELEPHONE-EVENT'),
    comfortNoisePayloadType: findPayloadType(stream, 'CN'),
    held: verdict === 'hold',
  };
}

/** The first codec of ours in the peer's order of preference (RFC 3264 §6.1), the last choice behind all others. */
function chooseAudio(stream: SdpMedia): { codec: AudioCodec; payloadType: number } | undefined {
  let last: { codec: AudioCodec; payloadType: number } | undefined;
  for (const format of stream.formats) {
    const payloadType = payloadTypeNumber(format);
    if (payloadType === undefined) continue;
    const codec = CODEC_NAMES.find((name) => name === codecName(stream, payloadType));
    if (codec === LAST_CHOICE) last ??= { codec, payloadType };
    else if (codec) return { codec, payloadType };
  }
  return last;
}

function findPayloadType(stream: SdpMedia, wanted: string): number | undefined {
  for (const format of stream.formats) {
    const payloadType = payloadTypeNumber(format);
    if (payloadType !== undefined && codecName(stream, payloadType) === wanted) return payloadType;
  }
  return undefined;
}

/** The codec behind a payload type at 8000 Hz mono: by its rtpmap, else by RFC 3551 table 4. */
function codecName(stream: SdpMedia, payloadType: number): string | undefined {
  const mapped = stream.codecs.get(payloadType);
  if (mapped) return mapped.clockRateHz === CODEC_CLOCK_HZ && mapped.channels === 1 ? mapped.name : undefined;
  if (payloadType === COMFORT_NOISE_PAYLOAD_TYPE) return 'CN';
  return CODEC_NAMES.find((name) => STATIC_PAYLOAD_TYPES[name] === payloadType);
}

/** The longest packet time we can send that does not exceed what the peer asks for. */
export function choosePtime(ptimeMs: number | undefined, maxPtimeMs: number | undefined): number {
  const limitMs = Math.min(ptimeMs ?? DEFAULT_PTIME_MS, maxPtimeMs ?? Number.POSITIVE_INFINITY);
  return PTIMES_MS.filter((candidate) => candidate <= limitMs).at(-1) ?? PTIMES_MS[0];
}

/** Our direction against the peer's (RFC 3264 §6.1); on hold by 0.0.0.0 there is nowhere to send (§8.4). */
export function mirrorDirection(theirs: Direction, held: boolean): Direction {
  const receives = theirs === 'sendrecv' || theirs === 'sendonly'; // we receive what they send
  const sends = !held && (theirs === 'sendrecv' || theirs === 'recvonly');
  return direction(sends, receives);
}

/** What is left of `ours` when an answer allows only `allowed`; an answer may take away, never add. */
export function narrowDirection(ours: Direction, allowed: Direction): Direction {
  const may = (d: Direction, way: 'sendonly' | 'recvonly'): boolean => d === 'sendrecv' || d === way;
  return direction(
    may(ours, 'sendonly') && may(allowed, 'sendonly'),
    may(ours, 'recvonly') && may(allowed, 'recvonly'),
  );
}

function direction(sends: boolean, receives: boolean): Direction {
  if (sends) return receives ? 'sendrecv' : 'sendonly';
  return receives ? 'recvonly' : 'inactive';
}

/** What the media plane is told. While held without an address the former remote address stays. */
export function toNegotiatedMedia(
  choice: StreamChoice,
  direction: Direction,
  signallingAddress: string,
  previousRemote: MediaEndpoint | undefined,
): NegotiatedMedia {
  const { stream } = choice;
  const offered: MediaEndpoint = { address: stream.connection?.address ?? signallingAddress, port: stream.port };
  const remote = choice.held ? (previousRemote ?? { address: signallingAddress, port: stream.port }) : offered;
  return {
    remote,
    signallingAddress,
    codec: choice.codec,
    payloadType: choice.payloadType,
    ptimeMs: choice.ptimeMs,
    ...(choice.dtmfPayloadType === undefined ? {} : { dtmfPayloadType: choice.dtmfPayloadType }),
    ...(choice.comfortNoisePayloadType === undefined
      ? {}
      : { comfortNoisePayloadType: choice.comfortNoisePayloadType }),
    direction,
    rtcpMux: stream.rtcpMux,
    remoteRtcpPort: rtcpPortOf(stream, remote.port),
  };
}

/** Where RTCP goes next to RTP on `port` (RFC 3550 §11, RFC 3605, RFC 5761). */
function rtcpPortOf(stream: SdpMedia, port: number): number {
  return stream.rtcpMux ? port : (stream.rtcpPort ?? Math.min(port + 1, 65_535));
}

export function refusal(kind: OfferRefusal['kind'], warning: OfferRefusal['warning'], text: string): OfferRefusal {
  return { kind, warning, text };
}

export const malformed = (reason: SdpReject): OfferRefusal =>
  refusal('malformed', 399, `The session description cannot be read: ${reason}`);

export function isRefusal(value: object): value is OfferRefusal {
  return 'warning' in value && 'kind' in value;
}
