import { RTP_CLOCK_HZ } from '../codec/codec.ts';
import { CODECS } from '../codec/codecs.ts';
import type {
  AudioCodec,
  AudioDescription,
  AudioFormat,
  Direction,
  MediaEndpoint,
  NegotiatedMedia,
} from '../description.ts';
import type { AudioAnswer, MediaSession, OfferedKeys, RemoteAudio, SessionRefusal } from '../media-session.ts';
import { type SdesCrypto, SrtpKey, type SrtpKeys, sameKeys } from '../srtp/srtp-key.ts';
import { SRTP_SUITE_NAMES } from '../srtp/srtp-suite.ts';

/** What the media plane carries, in our order of preference. Payload types of RFC 3551 table 4; an answer uses the peer's. */
const OFFERED: readonly AudioFormat[] = [
  { name: 'PCMU', clockRateHz: RTP_CLOCK_HZ, channels: 1, payloadType: 0 },
  { name: 'PCMA', clockRateHz: RTP_CLOCK_HZ, channels: 1, payloadType: 8 },
  { name: 'TELEPHONE-EVENT', clockRateHz: RTP_CLOCK_HZ, channels: 1, payloadType: 101 },
  { name: 'CN', clockRateHz: RTP_CLOCK_HZ, channels: 1, payloadType: 13 },
];
/** Costs ten times the work of the others, and engines hear telephone audio: taken where a peer offers nothing else. */
const LAST_CHOICE: AudioCodec = 'G722';
const PTIMES_MS = [10, 20, 30, 40, 60] as const; // what the media plane can send
const DEFAULT_PTIME_MS = 20;
const PTIME_MAX_MS = 60;
const NO_CODEC: SessionRefusal = { refused: 'no-codec', text: 'No common codec: offer PCMU, PCMA or G722' };
const NO_KEY: SessionRefusal = { refused: 'failed', text: 'The answer has no key for a crypto-suite that was offered' };

interface Choice {
  readonly format: AudioFormat;
  readonly codec: AudioCodec;
  readonly dtmf: AudioFormat | undefined;
  readonly comfortNoise: AudioFormat | undefined;
  readonly ptimeMs: number;
}

/** RTP and SRTP on one port of ours: decides at once, from what the media plane can do. */
export class RtpSession implements MediaSession {
  constructor(private readonly endpoint: MediaEndpoint) {}

  async offer(direction: Direction, keys: OfferedKeys): Promise<AudioDescription> {
    return offerAudio(this.endpoint, direction, keys);
  }
  async answer(remote: RemoteAudio): Promise<AudioAnswer | SessionRefusal> {
    return answerAudio(this.endpoint, remote);
  }
  async accept(remote: RemoteAudio, offered: AudioDescription): Promise<NegotiatedMedia | SessionRefusal> {
    return acceptAudio(remote, offered);
  }
}

export function offerAudio(
  endpoint: MediaEndpoint,
  direction: Direction,
  keys: OfferedKeys = 'none',
): AudioDescription {
  const plain = describe(endpoint, OFFERED, DEFAULT_PTIME_MS, direction, true);
  if (keys === 'none') return plain;
  return { ...plain, crypto: keys === 'new' ? newKeys() : [{ tag: 1, suite: keys.send.suite, keys: [keys.send] }] };
}

/** A key of its own for every suite: what one cipher is used with, no other one is. */
const newKeys = (): SdesCrypto[] =>
  SRTP_SUITE_NAMES.map((suite, index) => ({ tag: index + 1, suite, keys: [SrtpKey.random(suite)] }));

/** Takes the first stream that has a codec of ours. */
export function answerAudio(endpoint: MediaEndpoint, remote: RemoteAudio): AudioAnswer | SessionRefusal {
  for (const [index, stream] of remote.streams.entries()) {
    const choice = choose(stream);
    if (!choice) continue;
    const direction = mirrorDirection(stream.direction, stream.unreachable);
    const formats = [choice.format, choice.dtmf, choice.comfortNoise].filter((format) => format !== undefined);
    const local = describe(endpoint, formats, choice.ptimeMs, direction, stream.rtcpMux);
    const media = negotiated(stream, choice, direction, remote);
    const crypto = stream.crypto?.[0];
    if (!crypto) return { index, local, media };
    const srtp = answerKeys(crypto, remote.previous?.srtp);
    const { tag, suite } = crypto;
    return { index, local: { ...local, crypto: [{ tag, suite, keys: [srtp.send] }] }, media: { ...media, srtp } };
  }
  return NO_CODEC;
}

export function acceptAudio(remote: RemoteAudio, offered: AudioDescription): NegotiatedMedia | SessionRefusal {
  for (const stream of remote.streams) {
    const choice = choose(stream);
    const direction = narrowDirection(offered.direction, mirrorDirection(stream.direction, stream.unreachable));
    if (!choice) continue;
    const media = negotiated(stream, choice, direction, remote);
    if (!stream.crypto) return media;
    const srtp = acceptKeys(stream.crypto, offered.crypto ?? []);
    return srtp ? { ...media, srtp } : NO_KEY;
  }
  return NO_CODEC;
}

/**
 * Our key for theirs. It stays as long as theirs does, so that a session refresh changes nothing; with a new one of theirs ours is
 * new too, for the counters of both directions begin again then, and no packet may be protected twice with one key.
 */
function answerKeys({ suite, keys }: SdesCrypto, inUse: SrtpKeys | undefined): SrtpKeys {
  const stays = inUse?.send.suite === suite && sameKeys(inUse.receive, keys);
  return { send: stays ? inUse.send : SrtpKey.random(suite), receive: keys };
}

/** The keys of the answer whose tag and suite are those of an offered one (RFC 4568 §5.1.3). */
function acceptKeys(answered: readonly SdesCrypto[], offered: readonly SdesCrypto[]): SrtpKeys | undefined {
  for (const { tag, suite, keys } of answered) {
    const send = offered.find((one) => one.tag === tag && one.suite === suite)?.keys[0];
    if (send) return { send, receive: keys };
  }
  return undefined;
}

function describe(
  endpoint: MediaEndpoint,
  formats: readonly AudioFormat[],
  ptimeMs: number,
  direction: Direction,
  rtcpMux: boolean,
): AudioDescription {
  const rtcpPort = rtcpMux ? endpoint.port : endpoint.port + 1;
  return { endpoint, rtcpMux, rtcpPort, formats, ptimeMs, maxPtimeMs: PTIME_MAX_MS, direction, unreachable: false };
}

/**
 * The first codec of ours in the peer's order of preference (RFC 3264 §6.1), the last choice behind all others, and what goes
 * with it.
 */
function choose({ formats, ptimeMs, maxPtimeMs }: AudioDescription): Choice | undefined {
  const usable = formats.filter(({ clockRateHz, channels }) => clockRateHz === RTP_CLOCK_HZ && channels === 1);
  const spoken = usable.filter(({ name }) => isCodec(name));
  const format = spoken.find(({ name }) => name !== LAST_CHOICE) ?? spoken[0];
  if (!format || !isCodec(format.name)) return undefined;
  return {
    ...{ format, codec: format.name },
    dtmf: usable.find(({ name }) => name === 'TELEPHONE-EVENT'),
    comfortNoise: usable.find(({ name }) => name === 'CN'),
    ptimeMs: choosePtime(ptimeMs, maxPtimeMs),
  };
}
/** True for a stream that a call can be carried on. */
export const carriesAudio = (stream: AudioDescription): boolean => choose(stream) !== undefined;
const isCodec = (name: string): name is AudioCodec => Object.hasOwn(CODECS, name);

/** The longest packet time we can send that does not exceed what the peer asks for. */
export function choosePtime(ptimeMs: number | undefined, maxPtimeMs: number | undefined): number {
  const limitMs = Math.min(ptimeMs ?? DEFAULT_PTIME_MS, maxPtimeMs ?? Number.POSITIVE_INFINITY);
  return PTIMES_MS.filter((candidate) => candidate <= limitMs).at(-1) ?? PTIMES_MS[0];
}

/** Our direction against the peer's (RFC 3264 §6.1); on hold by 0.0.0.0 there is nowhere to send (§8.4). */
export function mirrorDirection(theirs: Direction, unreachable: boolean): Direction {
  const receives = theirs === 'sendrecv' || theirs === 'sendonly'; // we receive what they send
  const sends = !unreachable && (theirs === 'sendrecv' || theirs === 'recvonly');
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

/** While on hold without an address the former remote address stays. */
function negotiated(
  stream: AudioDescription,
  { format, codec, dtmf, comfortNoise, ptimeMs }: Choice,
  direction: Direction,
  { signallingAddress, previous }: RemoteAudio,
): NegotiatedMedia {
  const kept = stream.unreachable ? previous?.remote : undefined;
  return {
    ...{ remote: kept ?? stream.endpoint, signallingAddress, codec, payloadType: format.payloadType, ptimeMs },
    ...(dtmf && { dtmfPayloadType: dtmf.payloadType }),
    ...(comfortNoise && { comfortNoisePayloadType: comfortNoise.payloadType }),
    ...{ direction, rtcpMux: stream.rtcpMux },
    remoteRtcpPort: kept ? rtcpPortBeside(kept, stream) : stream.rtcpPort,
  };
}

/** RTCP of an address that stays while the description names none: beside it, where the peer says nothing else. */
function rtcpPortBeside(kept: MediaEndpoint, { endpoint, rtcpMux, rtcpPort }: AudioDescription): number {
  if (rtcpMux) return kept.port;
  return rtcpPort === Math.min(endpoint.port + 1, 65_535) ? Math.min(kept.port + 1, 65_535) : rtcpPort;
}
