import type { DtmfWay } from '../core/trunk.ts';
import type { AudioDescription, AudioFormat, MediaEndpoint } from '../media/description.ts';
import { judgeMediaAddress } from './media-address.ts';
import { payloadTypeNumber, type SdpMedia, type SdpReject, type SessionDescription } from './sdp.ts';

/** Why a description cannot be used. `kind` decides the SIP status, `warning` the code of RFC 3261 §20.43. */
export interface OfferRefusal {
  readonly kind: 'malformed' | 'unacceptable' | 'no-codec' | 'failed';
  readonly warning: 301 | 302 | 304 | 305 | 330 | 399;
  readonly text: string; // for a person; no personal data
}

export interface OfferPolicy {
  /** True refuses media in the clear: a trunk that must not carry it. SRTP itself is not spoken here. */
  readonly requireSecureMedia: boolean;
  /** True for an endpoint of this gateway itself: no media is sent there. */
  readonly isOurs: (endpoint: MediaEndpoint) => boolean;
  /** How keys come and go; `auto` where it is left out. */
  readonly dtmf?: DtmfWay;
  /** True for a stream that media can carry. */
  readonly carries: (stream: AudioDescription) => boolean;
}

/** Formats that need no rtpmap (RFC 3551 table 4), all with an RTP clock of 8000 Hz (G722: §4.5.2). */
const STATIC_FORMATS: Readonly<Record<number, string>> = { 0: 'PCMU', 8: 'PCMA', 9: 'G722', 13: 'CN' };
const STATIC_CLOCK_HZ = 8000;
/** Also without keys in the offer, AVPF is AVP with feedback we may leave out (RFC 4585 §4). */
const PLAIN_PROTOCOLS = new Set(['RTP/AVP', 'RTP/AVPF']);

/** A stream of a peer's description that a call may use. */
export interface PassedStream {
  readonly index: number; // among the m-lines
  readonly protocol: string;
  readonly audio: AudioDescription;
}

/**
 * The audio streams that may be used: by protocol, address, and what media can carry at all.
 *
 * @param signallingAddress - where the peer's SIP comes from.
 * @returns one at least, in the peer's order, or the refusal that says most about why none fits.
 */
export function passStreams(
  description: SessionDescription,
  signallingAddress: string,
  policy: OfferPolicy,
): readonly PassedStream[] | OfferRefusal {
  const passed: PassedStream[] = [];
  let best: OfferRefusal | undefined;
  for (const [index, stream] of description.media.entries()) {
    if (stream.kind !== 'audio' || stream.port === 0) continue;
    const audio = judgeStream(stream, signallingAddress, policy);
    if (isRefusal(audio)) best ??= audio;
    else passed.push({ index, protocol: stream.protocol, audio: withKeys(audio, policy) });
  }
  return passed.length > 0 ? passed : (best ?? refusal('unacceptable', 304, 'No audio stream offered'));
}

/** `auto` asks for nothing in particular: what the settings say holds. */
export function withDtmf(policy: OfferPolicy, dtmf: DtmfWay | undefined): OfferPolicy {
  return dtmf === undefined || dtmf === 'auto' ? policy : { ...policy, dtmf };
}

/** Events are neither offered nor taken where keys go another way: who agrees to them sends no tones and no INFO. */
export function withKeys(audio: AudioDescription, { dtmf = 'auto' }: Pick<OfferPolicy, 'dtmf'>): AudioDescription {
  if (dtmf !== 'info' && dtmf !== 'inband') return audio;
  return { ...audio, formats: audio.formats.filter(({ name }) => name !== 'TELEPHONE-EVENT') };
}

function judgeStream(
  stream: SdpMedia,
  signallingAddress: string,
  policy: OfferPolicy,
): AudioDescription | OfferRefusal {
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
  const audio = audioOf(stream, address, verdict === 'hold');
  if ([stream.port, audio.rtcpPort].some((port) => policy.isOurs({ address, port }))) {
    return refusal('unacceptable', 301, 'The media address belongs to this gateway: offer a port of your own');
  }
  return policy.carries(audio) ? audio : refusal('no-codec', 305, NO_CODEC);
}
const NO_CODEC = 'No common codec: offer PCMU, PCMA or G722';

function audioOf(stream: SdpMedia, address: string, unreachable: boolean): AudioDescription {
  const { port, rtcpMux, ptimeMs, maxPtimeMs, direction } = stream;
  // Where RTCP goes next to RTP: RFC 3550 §11, RFC 3605, RFC 5761.
  const rtcpPort = rtcpMux ? port : (stream.rtcpPort ?? Math.min(port + 1, 65_535));
  const formats = stream.formats.map((text) => formatOf(stream, text)).filter((format) => format !== undefined);
  return { endpoint: { address, port }, rtcpMux, rtcpPort, formats, ptimeMs, maxPtimeMs, direction, unreachable };
}

/** What a payload type stands for: by its rtpmap, else by RFC 3551. */
function formatOf(stream: SdpMedia, text: string): AudioFormat | undefined {
  const payloadType = payloadTypeNumber(text);
  if (payloadType === undefined) return undefined;
  const mapped = stream.codecs.get(payloadType);
  if (mapped) return { ...mapped, payloadType };
  const name = STATIC_FORMATS[payloadType];
  return name === undefined ? undefined : { name, clockRateHz: STATIC_CLOCK_HZ, channels: 1, payloadType };
}

export function refusal(kind: OfferRefusal['kind'], warning: OfferRefusal['warning'], text: string): OfferRefusal {
  return { kind, warning, text };
}

export const malformed = (reason: SdpReject): OfferRefusal =>
  refusal('malformed', 399, `The session description cannot be read: ${reason}`);

export function isRefusal(value: object): value is OfferRefusal {
  return 'warning' in value && 'kind' in value;
}
