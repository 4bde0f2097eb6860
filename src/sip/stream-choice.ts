import type { DtmfWay, MediaEncryption } from '../core/trunk.ts';
import type { AudioDescription, AudioFormat, MediaEndpoint } from '../media/description.ts';
import type { SdesCrypto } from '../media/srtp/srtp-key.ts';
import { judgeMediaAddress } from './media-address.ts';
import { payloadTypeNumber, type SdpMedia, type SdpReject, type SessionDescription } from './sdp.ts';

/** Why a description cannot be used. `kind` decides the SIP status, `warning` the code of RFC 3261 §20.43. */
export interface OfferRefusal {
  readonly kind: 'malformed' | 'unacceptable' | 'no-codec' | 'failed' | 'away'; // away: nobody can carry media now
  readonly warning: 301 | 302 | 304 | 305 | 330 | 399;
  readonly text: string; // for a person; no personal data
}

export interface OfferPolicy {
  /** `none` refuses SRTP, `require` media in the clear. */
  readonly encryption: MediaEncryption;
  /** False where signalling goes in the clear: no key is taken from it, and none put into it. */
  readonly mayCarryKeys: boolean;
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
/** AVPF is AVP with feedback we may leave out (RFC 4585 §4). */
export const PLAIN_PROTOCOLS = new Set(['RTP/AVP', 'RTP/AVPF']);
/** The same with SRTP (RFC 3711 §12, RFC 5124). */
export const SECURE_PROTOCOLS = new Set(['RTP/SAVP', 'RTP/SAVPF']);

/** A stream of a peer's description that a call may use. */
export interface PassedStream {
  readonly index: number; // among the m-lines
  readonly protocol: string;
  readonly audio: AudioDescription;
}

/**
 * The audio streams that may be used: by protocol, keys, address, and what media can carry at all.
 *
 * @param signallingAddress - where the peer's SIP comes from.
 * @param keysOffered - of an answer: whether our offer had keys in that m-line; what it did not ask for is not taken.
 * @returns one at least, those that are encrypted first and else in the peer's order, or the refusal that says most about why none fits.
 */
export function passStreams(
  description: SessionDescription,
  signallingAddress: string,
  policy: OfferPolicy,
  keysOffered: (index: number) => boolean = () => true,
): readonly PassedStream[] | OfferRefusal {
  const passed: PassedStream[] = [];
  let best: OfferRefusal | undefined;
  for (const [index, stream] of description.media.entries()) {
    if (stream.kind !== 'audio' || stream.port === 0) continue;
    const audio = judgeStream(stream, signallingAddress, policy, keysOffered(index));
    if (isRefusal(audio)) best ??= audio;
    else passed.push({ index, protocol: stream.protocol, audio: withKeys(audio, policy) });
  }
  passed.sort((a, b) => Number(b.audio.crypto !== undefined) - Number(a.audio.crypto !== undefined));
  return passed.length > 0 ? passed : (best ?? refusal('unacceptable', 304, 'No audio stream offered'));
}

/** `auto` asks for nothing in particular: what the settings say holds. */
export function withDtmf<T extends Pick<OfferPolicy, 'dtmf'>>(policy: T, dtmf: DtmfWay | undefined): T {
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
  keysOffered: boolean,
): AudioDescription | OfferRefusal {
  const crypto = judgeProtection(stream, policy, keysOffered);
  if (isRefusal(crypto)) return crypto;
  if (!stream.connection) return refusal('malformed', 399, 'No c= line for the audio stream');
  const verdict = judgeMediaAddress(stream.connection.address, signallingAddress);
  if (verdict === 'multicast') return refusal('unacceptable', 330, 'Multicast media is not supported');
  if (verdict === 'refused')
    return refusal('unacceptable', 301, 'Media address not allowed: offer a unicast IPv4 address');
  // On hold by 0.0.0.0 the port is kept with the address that SIP came from, for the time after.
  const address = verdict === 'hold' ? signallingAddress : stream.connection.address;
  const audio = audioOf(stream, address, verdict === 'hold', crypto);
  if ([stream.port, audio.rtcpPort].some((port) => policy.isOurs({ address, port }))) {
    return refusal('unacceptable', 301, 'The media address belongs to this gateway: offer a port of your own');
  }
  return policy.carries(audio) ? audio : refusal('no-codec', 305, NO_CODEC);
}
const NO_CODEC = 'No common codec: offer PCMU, PCMA or G722';

/**
 * The keys that the stream is to be protected with; none: in the clear. SAVP is never taken without them (RFC 3711), and `a=crypto` in
 * AVP is an offer that may be declined: phones that encrypt where the other side can write it so.
 */
function judgeProtection(
  { protocol: written, crypto }: SdpMedia,
  { encryption, mayCarryKeys }: OfferPolicy,
  keysOffered: boolean,
): readonly SdesCrypto[] | OfferRefusal {
  const protocol = written.toUpperCase();
  const usable = encryption !== 'none' && mayCarryKeys && keysOffered ? crypto : [];
  if (PLAIN_PROTOCOLS.has(protocol)) {
    if (encryption !== 'require' || usable.length > 0) return usable;
    return crypto.length > 0 && !mayCarryKeys ? KEYS_IN_CLEAR : refusal('unacceptable', 302, IN_CLEAR);
  }
  if (!SECURE_PROTOCOLS.has(protocol)) return refusal('unacceptable', 302, 'Only RTP/AVP and RTP/SAVP are supported');
  if (encryption === 'none') return refusal('unacceptable', 302, NOT_TAKEN);
  if (crypto.length === 0 || !keysOffered) return refusal('unacceptable', 302, NO_KEYS);
  return mayCarryKeys ? usable : KEYS_IN_CLEAR;
}
export const NOT_TAKEN = 'Encrypted media is not taken here: offer RTP/AVP';
export const IN_CLEAR = 'Media in the clear is not allowed here: offer RTP/SAVP with a=crypto';
export const NO_KEYS =
  'SRTP offered without keys that can be used: a=crypto with AES_CM_128_HMAC_SHA1_80 or AEAD_AES_128_GCM';
export const KEYS_IN_CLEAR: OfferRefusal = {
  ...{ kind: 'unacceptable', warning: 302 },
  text: 'Keys of SRTP do not go through signalling in the clear here: use TLS',
};

function audioOf(
  stream: SdpMedia,
  address: string,
  unreachable: boolean,
  crypto: readonly SdesCrypto[],
): AudioDescription {
  const { port, rtcpMux, ptimeMs, maxPtimeMs, direction } = stream;
  // Where RTCP goes next to RTP: RFC 3550 §11, RFC 3605, RFC 5761.
  const rtcpPort = rtcpMux ? port : (stream.rtcpPort ?? Math.min(port + 1, 65_535));
  const formats = stream.formats.map((text) => formatOf(stream, text)).filter((format) => format !== undefined);
  return {
    ...{ endpoint: { address, port }, rtcpMux, rtcpPort, formats, ptimeMs, maxPtimeMs, direction, unreachable },
    ...(crypto.length > 0 && { crypto }),
  };
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
