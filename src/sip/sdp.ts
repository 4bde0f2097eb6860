import type { Direction } from '../media/description.ts';
import type { SdesCrypto } from '../media/srtp/srtp-key.ts';
import { CRYPTO_LINES_MAX, parseCrypto } from './sdes.ts';

/** What of a session description matters to a phone call (RFC 8866). Everything else is read past. */
export interface SessionDescription {
  readonly origin: SdpOrigin;
  readonly media: readonly SdpMedia[];
}

export interface SdpOrigin {
  readonly sessionId: string; // decimal digits
  readonly sessionVersion: string; // decimal digits
  readonly address: string;
}

export interface SdpMedia {
  readonly kind: string; // audio, video, image, ...
  readonly port: number; // 0: refused or switched off
  readonly protocol: string; // RTP/AVP, RTP/SAVP, UDP/TLS/RTP/SAVPF, udptl, ...
  readonly formats: readonly string[]; // payload types of RTP, in order of preference
  /** From the stream's `c=`, or the session's; undefined where neither is there. */
  readonly connection: SdpConnection | undefined;
  readonly direction: Direction; // the stream's, or the session's, or sendrecv (RFC 8866 §6.7)
  readonly codecs: ReadonlyMap<number, SdpCodec>; // by payload type, from `a=rtpmap`
  readonly ptimeMs: number | undefined;
  readonly maxPtimeMs: number | undefined;
  readonly rtcpMux: boolean;
  readonly rtcpPort: number | undefined; // RFC 3605; its address is ignored: RTCP goes where RTP goes
  /** Of `a=crypto`, those that can be used; in the order they were written (RFC 4568 §5.1.1). */
  readonly crypto: readonly SdesCrypto[];
  /** Keys may be agreed by DTLS (RFC 8122 §5): for the media edge alone. */
  readonly fingerprint?: true;
}

export interface SdpConnection {
  readonly family: 'IP4' | 'IP6';
  readonly address: string; // as written, a multicast TTL cut off
}

export interface SdpCodec {
  readonly name: string; // upper case
  readonly clockRateHz: number;
  readonly channels: number;
}

export type SdpReject =
  | 'too-large'
  | 'too-many-lines'
  | 'too-many-streams'
  | 'not-sdp'
  | 'bad-version'
  | 'bad-origin'
  | 'bad-connection'
  | 'bad-media';

/** A description of a call is under 2 kB; WebRTC ones with candidates reach 10 kB. */
export const SDP_BYTES_MAX = 16_384;
const LINES_MAX = 400;
const STREAMS_MAX = 16;
const FORMATS_MAX = 64;
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`{|}~/-]{1,64}$/; // RFC 8866 token, and the `/` of protocols
const DIGITS = /^[0-9]{1,20}$/;
const ADDRESS = /^[A-Za-z0-9.:_-]{1,255}$/;
const PTIME_MS_MAX = 1000;

type Writable<T> = { -readonly [K in keyof T]: T[K] };
interface Draft extends Writable<Omit<SdpMedia, 'direction'>> {
  codecs: Map<number, SdpCodec>;
  direction: Direction | undefined;
  crypto: SdesCrypto[];
}

/**
 * Reads a session description. Lenient where phones are careless (bare LF, missing `s=` or `t=`, any order of lines,
 * unknown lines and attributes), strict in what is used and written back.
 *
 * @param text - a message body, any content.
 * @returns the description, or why it was refused. Never throws; linear in the size of the text.
 */
export function parseSdp(text: string): SessionDescription | SdpReject {
  if (text.length > SDP_BYTES_MAX || Buffer.byteLength(text) > SDP_BYTES_MAX) return 'too-large';
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  while (lines.at(-1)?.trim() === '') lines.pop();
  if (lines.length > LINES_MAX) return 'too-many-lines';
  if (!lines[0]?.startsWith('v=')) return 'not-sdp';
  if (lines[0].trim() !== 'v=0') return 'bad-version';

  let origin: SdpOrigin | undefined;
  const session: { connection: SdpConnection | undefined; direction: Direction | undefined; fingerprint?: true } = {
    connection: undefined,
    direction: undefined,
  };
  const media: Draft[] = [];
  for (const line of lines.slice(1)) {
    const value = line.slice(2).trim();
    const stream = media.at(-1);
    if (line[1] !== '=') return 'not-sdp';
    if (line[0] === 'o') {
      origin ??= parseOrigin(value);
      if (!origin) return 'bad-origin';
    } else if (line[0] === 'c') {
      const connection = parseConnection(value);
      if (!connection) return 'bad-connection';
      if (!stream) session.connection ??= connection;
      else stream.connection ??= connection;
    } else if (line[0] === 'm') {
      if (media.length === STREAMS_MAX) return 'too-many-streams';
      const next = parseMedia(value);
      if (!next) return 'bad-media';
      media.push(next);
    } else if (line[0] === 'a') {
      if (stream) readAttribute(stream, value);
      else if (isDirection(value)) session.direction = value;
      else if (value.startsWith('fingerprint:')) session.fingerprint = true;
    }
  }
  if (!origin) return 'bad-origin';
  return {
    origin,
    media: media.map((stream) => ({
      ...stream,
      connection: stream.connection ?? session.connection,
      direction: stream.direction ?? session.direction ?? 'sendrecv',
      ...(session.fingerprint && { fingerprint: true as const }),
    })),
  };
}

/** True for a message body that is a description and not a reason for refusal. */
export function isDescription(parsed: SessionDescription | SdpReject): parsed is SessionDescription {
  return typeof parsed !== 'string';
}

/** `o=<username> <sess-id> <sess-version> IN IP4|IP6 <address>` */
function parseOrigin(value: string): SdpOrigin | undefined {
  const [, sessionId, sessionVersion, network, , address] = value.split(/ +/, 7);
  if (network !== 'IN' || !sessionId || !sessionVersion || !address) return undefined;
  if (!DIGITS.test(sessionId) || !DIGITS.test(sessionVersion) || !ADDRESS.test(address)) return undefined;
  return { sessionId, sessionVersion, address };
}

/** `c=IN IP4|IP6 <address>[/ttl[/count]]` */
function parseConnection(value: string): SdpConnection | undefined {
  const [network, family, text] = value.split(/ +/, 4);
  const address = text?.split('/', 1)[0];
  if (network !== 'IN' || (family !== 'IP4' && family !== 'IP6') || !address || !ADDRESS.test(address))
    return undefined;
  return { family, address };
}

/** `m=<kind> <port>[/<count>] <protocol> <format> ...` */
function parseMedia(value: string): Draft | undefined {
  const [kind, portText, protocol, ...formats] = value.split(/ +/, FORMATS_MAX + 4);
  const port = portText?.split('/', 1)[0];
  if (!kind || !port || !protocol || formats.length === 0 || formats.length > FORMATS_MAX) return undefined;
  if (!TOKEN.test(kind) || !TOKEN.test(protocol) || !formats.every((format) => TOKEN.test(format))) return undefined;
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) return undefined;
  return {
    kind: kind.toLowerCase(),
    port: Number(port),
    protocol,
    formats,
    connection: undefined,
    direction: undefined,
    codecs: new Map(),
    ptimeMs: undefined,
    maxPtimeMs: undefined,
    rtcpMux: false,
    rtcpPort: undefined,
    crypto: [],
  };
}

/** A broken attribute is as good as none: it may only say more about a stream that is usable without it. */
function readAttribute(stream: Draft, attribute: string): void {
  const colon = attribute.indexOf(':');
  const name = colon < 0 ? attribute : attribute.slice(0, colon);
  const value = colon < 0 ? '' : attribute.slice(colon + 1).trim();
  if (isDirection(name)) stream.direction = name;
  else if (name === 'rtpmap') readRtpmap(stream.codecs, value);
  else if (name === 'ptime') stream.ptimeMs = milliseconds(value);
  else if (name === 'maxptime') stream.maxPtimeMs = milliseconds(value);
  else if (name === 'rtcp-mux') stream.rtcpMux = true;
  else if (name === 'rtcp') stream.rtcpPort = portNumber(value.split(' ', 1)[0] ?? '');
  else if (name === 'crypto') readCrypto(stream.crypto, value);
  else if (name === 'fingerprint') stream.fingerprint = true;
}

function readCrypto(into: SdesCrypto[], value: string): void {
  const crypto = into.length < CRYPTO_LINES_MAX ? parseCrypto(value) : undefined;
  if (crypto) into.push(crypto);
}

/** `<payload type> <name>/<rate>[/<channels>]`; the first of two for one payload type wins. */
function readRtpmap(codecs: Map<number, SdpCodec>, value: string): void {
  const [payloadText = '', encoding = ''] = value.split(/ +/, 2);
  const payloadType = payloadTypeNumber(payloadText);
  const [name, rate, channels = '1'] = encoding.split('/', 3);
  if (payloadType === undefined || codecs.has(payloadType) || !name || !rate || !TOKEN.test(name)) return;
  if (!/^[0-9]{1,6}$/.test(rate) || !/^[0-9]$/.test(channels)) return;
  codecs.set(payloadType, { name: name.toUpperCase(), clockRateHz: Number(rate), channels: Number(channels) });
}

/** @returns 0..127, or undefined for anything else. */
export function payloadTypeNumber(text: string): number | undefined {
  return /^[0-9]{1,3}$/.test(text) && Number(text) <= 127 ? Number(text) : undefined;
}

function portNumber(text: string): number | undefined {
  return /^[0-9]{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65_535 ? Number(text) : undefined;
}

function milliseconds(text: string): number | undefined {
  const value = /^[0-9]{1,4}(\.[0-9]{1,3})?$/.test(text) ? Math.floor(Number(text)) : 0;
  return value > 0 && value <= PTIME_MS_MAX ? value : undefined;
}

function isDirection(text: string): text is Direction {
  return text === 'sendrecv' || text === 'sendonly' || text === 'recvonly' || text === 'inactive';
}

/** One stream of a description that we write. `attributes` come without `a=`. */
export interface SdpMediaOut {
  readonly kind: string;
  readonly port: number;
  readonly protocol: string;
  readonly formats: readonly string[];
  readonly attributes: readonly string[];
}

/** Writes a description; the address is advertised for every stream. Lines in the order of RFC 8866 §5. */
export function writeSdp(origin: SdpOrigin, media: readonly SdpMediaOut[]): string {
  const family = origin.address.includes(':') ? 'IP6' : 'IP4';
  const lines = [
    'v=0',
    `o=- ${origin.sessionId} ${origin.sessionVersion} IN ${family} ${origin.address}`,
    's=-',
    `c=IN ${family} ${origin.address}`,
    't=0 0',
  ];
  for (const stream of media) {
    lines.push(`m=${stream.kind} ${stream.port} ${stream.protocol} ${stream.formats.join(' ')}`);
    for (const attribute of stream.attributes) lines.push(`a=${attribute}`);
  }
  return `${lines.join('\r\n')}\r\n`;
}
