import { isIPv4 } from 'node:net';
import type { Direction } from '../media/description.ts';
import { isUnspecified, judgeMediaAddress } from './media-address.ts';
import { isDescription, parseSdp, type SdpMedia } from './sdp.ts';
import {
  IN_CLEAR,
  isRefusal,
  KEYS_IN_CLEAR,
  malformed,
  NO_KEYS,
  NOT_TAKEN,
  type OfferPolicy,
  type OfferRefusal,
  PLAIN_PROTOCOLS,
  refusal,
  SECURE_PROTOCOLS,
} from './stream-choice.ts';

/** SRTP with keys by DTLS, which only the edge speaks (RFC 5764 §8). */
const DTLS_PROTOCOLS = new Set(['UDP/TLS/RTP/SAVP', 'UDP/TLS/RTP/SAVPF']);
/** Of `a=crypto`: what is encrypted and proved, whole. */
const USABLE_KEY = /^a=crypto:\s*\d{1,9} +(AEAD_AES_|AES_)(?!.*\bUN(ENCRYPTED|AUTHENTICATED)_)/i;
/** What is opened by ICE, which asks before media is sent anywhere. */
const ICE = /^a=ice-ufrag:/im;

type Protection = 'none' | 'keys' | 'dtls';

/**
 * Judges what the outer side says before it is given to the media edge, which itself would take anything: by protocol, keys, and where
 * media would go. One stream is left, encrypted before plain; of its keys those that are worth something and may be used.
 *
 * @param outerAddress - where the other side's SIP comes from. Media goes there, to the port that is written, whatever address is.
 * @returns the description for the edge, or why none of its streams is used.
 */
export function judgeOuter(body: string, outerAddress: string, policy: OfferPolicy): { sdp: string } | OfferRefusal {
  const description = parseSdp(body);
  if (!isDescription(description)) return malformed(description);
  const lines = body.split(/\r?\n/);
  const keysOf = keysByStream(lines);
  let best: { readonly index: number; readonly protection: Protection } | undefined;
  let refused: OfferRefusal | undefined;
  let isSwitchedOff = false;
  for (const [index, stream] of description.media.entries()) {
    if (stream.kind !== 'audio') continue;
    if (stream.port === 0) {
      isSwitchedOff = true;
      continue;
    }
    const protection = judgeStream(stream, keysOf[index] ?? 0, { outerAddress, policy, hasIce: ICE.test(body) });
    if (typeof protection !== 'string') refused ??= protection;
    else if (!best || (best.protection === 'none' && protection !== 'none')) best = { index, protection };
  }
  if (best) {
    const sdp = onlyStream(lines, best.index, best.protection === 'keys');
    const { connection, direction } = description.media[best.index]!;
    const isHold = connection && isUnspecified(connection.address) && !ICE.test(body);
    return { sdp: isHold ? heldStream(sdp, best.index, direction) : sdp };
  }
  // Port 0 on a stream in use: some phones hold that way; whether it is in use is known to the session.
  if (isSwitchedOff) return { sdp: onlyStream(lines, -1, false) };
  return refused ?? refusal('unacceptable', 304, 'No audio stream offered');
}

interface Judge {
  readonly outerAddress: string;
  readonly policy: OfferPolicy;
  readonly hasIce: boolean;
}

function judgeStream(stream: SdpMedia, keys: number, judge: Judge): Protection | OfferRefusal {
  const protection = judgeProtection(stream, keys, judge.policy);
  return isText(protection) ? (judgeAddress(stream, judge) ?? protection) : protection;
}

function judgeProtection(
  { protocol: written, fingerprint }: SdpMedia,
  keys: number,
  { encryption, mayCarryKeys }: OfferPolicy,
): Protection | OfferRefusal {
  const protocol = written.toUpperCase();
  const isPlain = PLAIN_PROTOCOLS.has(protocol);
  if (!isPlain && !SECURE_PROTOCOLS.has(protocol) && !DTLS_PROTOCOLS.has(protocol)) {
    return refusal('unacceptable', 302, 'Only RTP/AVP, RTP/SAVP and UDP/TLS/RTP/SAVP are supported');
  }
  if (!isPlain && encryption === 'none') return refusal('unacceptable', 302, NOT_TAKEN);
  if (!isPlain && fingerprint) return 'dtls';
  const hasKeys = keys > 0 && encryption !== 'none' && !DTLS_PROTOCOLS.has(protocol);
  if (hasKeys && mayCarryKeys) return 'keys';
  if (isPlain && encryption !== 'require') return 'none';
  if (hasKeys) return KEYS_IN_CLEAR;
  return refusal('unacceptable', 302, isPlain ? IN_CLEAR : NO_KEYS);
}

/** Of the address that is written only a group is refused: it is not used, but where ICE proves it. */
function judgeAddress(
  { connection, port, rtcpPort }: SdpMedia,
  { outerAddress, policy, hasIce }: Judge,
): OfferRefusal | undefined {
  if (connection && isIPv4(connection.address) && judgeMediaAddress(connection.address, outerAddress) === 'multicast') {
    return refusal('unacceptable', 330, 'Multicast media is not supported');
  }
  const address = outerAddress.replace(/^::ffff:/i, '');
  const isOurs = [port, rtcpPort ?? port].some((one) => policy.isOurs({ address, port: one }));
  if (!isOurs || hasIce) return undefined;
  return refusal('unacceptable', 301, 'The media address belongs to this gateway: offer a port of your own');
}

const isText = (value: Protection | OfferRefusal): value is Protection =>
  typeof value === 'string' || !isRefusal(value);

/** How many keys of each stream are worth something. */
function keysByStream(lines: readonly string[]): readonly number[] {
  const counts: number[] = [];
  for (const line of lines) {
    if (line.startsWith('m=')) counts.push(0);
    else if (counts.length > 0 && USABLE_KEY.test(line)) counts[counts.length - 1]! += 1;
  }
  return counts;
}

/** The description with all streams but one switched off, and without keys that are not to be used. */
function onlyStream(lines: readonly string[], index: number, withKeys: boolean): string {
  let at = -1;
  const kept = lines.filter((line) => !/^a=crypto:/i.test(line) || (withKeys && USABLE_KEY.test(line)));
  const written = kept.map((line) => {
    if (!line.startsWith('m=')) return line;
    at += 1;
    return at === index ? line : line.replace(/^m=(\S+) +\d+/, 'm=$1 0');
  });
  return `${written.join('\r\n').trimEnd()}\r\n`;
}

/**
 * On hold by the unspecified address (RFC 3264 §8.4): the edge, which sends to where SIP comes from, would see no hold in it, so it is
 * said by the direction.
 */
function heldStream(sdp: string, index: number, direction: Direction): string {
  const [session = '', ...streams] = sdp.split(/^(?=m=)/m);
  const sends = direction === 'sendrecv' || direction === 'sendonly';
  const held = (streams[index] ?? '').replace(/^a=(sendrecv|sendonly|recvonly|inactive)\s*\n/gm, '');
  return [session, ...streams.with(index, `${held}a=${sends ? 'sendonly' : 'inactive'}\r\n`)].join('');
}
