import { isToken, isWord, parseUint, quote, splitOutside, trimSpace } from './ascii.ts';
import { type Params, paramText, parseParams } from './header-params.ts';
import { type NameAddr, parseNameAddr } from './name-addr.ts';
import { header, headers, type SipMessage } from './sip-message.ts';
import { parseVia, type Via } from './via.ts';

/** CSeq stays below 2^31 (RFC 3261 §8.1.1.5); other counters and seconds fit 32 bits. */
const CSEQ_MAX = 2 ** 31 - 1;
const UINT32_MAX = 2 ** 32 - 1;

export interface CSeq {
  readonly number: number;
  readonly method: string;
}
export function parseCSeq(value: string): CSeq | undefined {
  const [text = '', method = '', extra] = words(value);
  const number = parseUint(text, CSEQ_MAX);
  return number === undefined || !isToken(method) || extra !== undefined ? undefined : { number, method };
}

/** RFC 3262 §7.2: `RSeq CSeq-number method` of the reliable response that is acknowledged. */
export interface RAck {
  readonly rseq: number;
  readonly cseq: number;
  readonly method: string;
}
export function parseRAck(value: string): RAck | undefined {
  const [first = '', second = '', method = '', extra] = words(value);
  const rseq = parseUint(first, UINT32_MAX);
  const cseq = parseUint(second, CSEQ_MAX);
  if (rseq === undefined || cseq === undefined || !isToken(method) || extra !== undefined) return undefined;
  return { rseq, cseq, method };
}

/** At most four words: more is as wrong as five. */
function words(value: string): string[] {
  return value
    .split(/[ \t]/)
    .filter((word) => word !== '')
    .slice(0, 4);
}

/** RSeq, 1..2^32-1 (RFC 3262 §7.1). */
export function parseRSeq(value: string): number | undefined {
  const number = parseUint(value, UINT32_MAX);
  return number === 0 ? undefined : number;
}
/** 0..255 (RFC 3261 §20.22). */
export function parseMaxForwards(value: string): number | undefined {
  return parseUint(value, 255);
}
/** Expires, Min-Expires: whole seconds. */
export function parseSeconds(value: string): number | undefined {
  return parseUint(value, UINT32_MAX);
}
/** `word` or `word@word` (RFC 3261 §20.8). */
export function isCallId(value: string): boolean {
  const at = value.indexOf('@');
  return at < 0 ? isWord(value) : isWord(value.slice(0, at)) && isWord(value.slice(at + 1));
}

/** Session-Expires (RFC 4028 §4). */
export interface SessionExpires {
  readonly seconds: number;
  readonly refresher: 'uac' | 'uas' | undefined;
}
export function parseSessionExpires(value: string): SessionExpires | undefined {
  const parsed = secondsAndParams(value);
  const refresher = parsed?.params.get('refresher')?.toLowerCase();
  if (!parsed || (refresher !== undefined && refresher !== 'uac' && refresher !== 'uas')) return undefined;
  return { seconds: parsed.seconds, refresher };
}
/** Min-SE in seconds (RFC 4028 §5). */
export function parseMinSe(value: string): number | undefined {
  return secondsAndParams(value)?.seconds;
}
/** Retry-After in seconds; its comment and parameters are ignored (RFC 3261 §20.33). */
export function parseRetryAfter(value: string): number | undefined {
  const end = value.search(/[ \t;(]/);
  return parseUint(end < 0 ? value : value.slice(0, end), UINT32_MAX);
}

function secondsAndParams(value: string): { seconds: number; params: Params } | undefined {
  const parsed = parseValueParams(value);
  const seconds = parsed ? parseUint(parsed.value, UINT32_MAX) : undefined;
  return parsed && seconds !== undefined ? { seconds, params: parsed.params } : undefined;
}

/** `value;params`, such as Event, Subscription-State, Content-Type, Content-Disposition, Accept. The value may not be empty. */
export interface ValueParams {
  readonly value: string;
  readonly params: Params;
}
export function parseValueParams(text: string): ValueParams | undefined {
  const semicolon = text.indexOf(';');
  const value = trimSpace(semicolon < 0 ? text : text.slice(0, semicolon));
  const params = parseParams(semicolon < 0 ? '' : text.slice(semicolon));
  return value === '' || !params ? undefined : { value, params };
}

/** Content-Type or one Accept value; `type` is lower case: `application/sdp`, and in Accept also `application/*`. */
export interface MediaType {
  readonly type: string;
  readonly params: Params;
}
export function parseMediaType(text: string): MediaType | undefined {
  const parsed = parseValueParams(text);
  const [type = '', subtype = '', extra] = (parsed?.value ?? '').split('/').map(trimSpace);
  if (!parsed || !isToken(type) || !isToken(subtype) || extra !== undefined) return undefined;
  return { type: `${type}/${subtype}`.toLowerCase(), params: parsed.params };
}

/** Reason (RFC 3326): `Q.850;cause=16;text="Terminated"`. */
export interface Reason {
  readonly protocol: string;
  readonly cause: number | undefined;
  readonly text: string | undefined;
}
export function parseReason(value: string): Reason | undefined {
  const parsed = parseValueParams(value);
  if (!parsed || !isToken(parsed.value)) return undefined;
  const cause = parsed.params.get('cause');
  const number = cause === undefined ? undefined : parseUint(cause, 999);
  if (cause !== undefined && number === undefined) return undefined;
  return { protocol: parsed.value, cause: number, text: paramText(parsed.params, 'text') };
}
export function formatReason(reason: Reason): string {
  const cause = reason.cause === undefined ? '' : `;cause=${reason.cause}`;
  return `${reason.protocol}${cause}${reason.text === undefined ? '' : `;text=${quote(reason.text)}`}`;
}

/** Replaces (RFC 3891 §6.1), as seen by its receiver: the tags are compared crosswise with the dialog's. */
export interface Replaces {
  readonly callId: string;
  readonly toTag: string;
  readonly fromTag: string;
  readonly earlyOnly: boolean;
}
export function parseReplaces(value: string): Replaces | undefined {
  const parsed = parseValueParams(value);
  const toTag = parsed?.params.get('to-tag');
  const fromTag = parsed?.params.get('from-tag');
  if (!parsed || !isCallId(parsed.value) || !toTag || !fromTag) return undefined;
  return { callId: parsed.value, toTag, fromTag, earlyOnly: parsed.params.has('early-only') };
}
export function formatReplaces(replaces: Replaces): string {
  const early = replaces.earlyOnly ? ';early-only' : '';
  return `${replaces.callId};to-tag=${replaces.toTag};from-tag=${replaces.fromTag}${early}`;
}

/** Option tags, methods, event packages: every value of all headers of this name, empty ones left out, case kept. */
export function tokenList(message: SipMessage, name: string): readonly string[] {
  return headers(message, name).flatMap((value) => (splitOutside(value, ',') ?? []).filter((token) => token !== ''));
}
/** True when the list holds `token`, without regard to case (option tags; method names are upper case anyway). */
export function hasToken(message: SipMessage, name: string, token: string): boolean {
  const wanted = token.toLowerCase();
  return tokenList(message, name).some((value) => value.toLowerCase() === wanted);
}

/** Top Via. */
export function topVia(message: SipMessage): Via | undefined {
  const value = header(message, 'Via');
  return value === undefined ? undefined : parseVia(value);
}
export function cseqOf(message: SipMessage): CSeq | undefined {
  const value = header(message, 'CSeq');
  return value === undefined ? undefined : parseCSeq(value);
}
/** The first value of a header as name-addr. */
export function addressOf(message: SipMessage, name: string): NameAddr | undefined {
  const value = header(message, name);
  return value === undefined ? undefined : parseNameAddr(value);
}
/** All values of Route, Record-Route, Contact, Path ...; undefined when one of them cannot be read. */
export function addressesOf(message: SipMessage, name: string): readonly NameAddr[] | undefined {
  const all = headers(message, name).map(parseNameAddr);
  return all.every((address) => address !== undefined) ? all : undefined;
}
export function fromTag(message: SipMessage): string | undefined {
  return addressOf(message, 'From')?.params.get('tag');
}
export function toTag(message: SipMessage): string | undefined {
  return addressOf(message, 'To')?.params.get('tag');
}
