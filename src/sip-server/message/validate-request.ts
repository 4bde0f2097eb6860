import {
  cseqOf,
  isCallId,
  parseCSeq,
  parseMaxForwards,
  parseMediaType,
  parseMinSe,
  parseSessionExpires,
  tokenList,
} from './header-values.ts';
import { parseNameAddr } from './name-addr.ts';
import { header, headers, type SipHeader, type SipRequest, type SipResponse } from './sip-message.ts';
import { parseSipUri, uriScheme } from './sip-uri.ts';
import { MAGIC_COOKIE, parseVia } from './via.ts';

/** What this user agent serves. */
export interface RequestPolicy {
  readonly methods: readonly string[]; // for 405 and Allow
  readonly supported: readonly string[]; // option tags, for 420
  /** Body types per method, lower case; a method not named takes any (the application decides). */
  readonly bodyTypes: Readonly<Record<string, readonly string[]>>;
  readonly bodyBytesMax: number; // 413 above
  readonly uriBytesMax: number; // 414 above
  readonly forwarding: boolean; // true for a proxy: Max-Forwards 0 is 483
}

const SDP_ONLY = ['application/sdp', 'multipart/mixed'];
export const DEFAULT_POLICY: RequestPolicy = {
  methods: ['INVITE', 'ACK', 'CANCEL', 'BYE', 'OPTIONS', 'PRACK', 'UPDATE', 'INFO', 'REFER', 'NOTIFY', 'MESSAGE'],
  supported: ['100rel', 'timer', 'replaces', 'norefersub', 'outbound', 'path'],
  bodyTypes: { INVITE: SDP_ONLY, UPDATE: SDP_ONLY, PRACK: SDP_ONLY },
  bodyBytesMax: 16_384,
  uriBytesMax: 2_048,
  forwarding: false,
};

/** Every method registered with IANA: known but not served is 405, anything else 501. */
const KNOWN_METHODS = new Set(
  'ACK BYE CANCEL INFO INVITE MESSAGE NOTIFY OPTIONS PRACK PUBLISH REFER REGISTER SUBSCRIBE UPDATE'.split(' '),
);

export type RequestVerdict =
  | { readonly verdict: 'ok' }
  | {
      readonly verdict: 'refuse';
      readonly status: number;
      readonly reason: string;
      readonly headers: readonly SipHeader[]; // Allow, Accept, Unsupported ... for `makeResponse`
    }
  | { readonly verdict: 'drop'; readonly reason: string }; // an ACK: never answered

type Refusal = Extract<RequestVerdict, { verdict: 'refuse' }>;

/**
 * What RFC 3261 §8.2 asks of a user agent before it looks at what a request means, in that order: well formed (§8.1.1),
 * method, Request-URI, Max-Forwards, Require, body. Loops (482), authentication and dialogs belong to later layers.
 *
 * From tag, Max-Forwards and branch may be missing: RFC 2543 peers send none (RFC 4475 §3.4.1).
 */
export function validateRequest(request: SipRequest, policy: RequestPolicy = DEFAULT_POLICY): RequestVerdict {
  let refusal: Refusal | undefined;
  for (const check of CHECKS) {
    refusal = check(request, policy);
    if (refusal) break;
  }
  if (!refusal) return { verdict: 'ok' };
  return request.method === 'ACK' ? { verdict: 'drop', reason: refusal.reason } : refusal;
}

type Check = (request: SipRequest, policy: RequestPolicy) => Refusal | undefined;
const CHECKS: readonly Check[] = [
  checkMandatory,
  checkMethod,
  checkCSeqMethod,
  checkUri,
  checkMaxForwards,
  checkOptional,
  checkRequire,
  checkBody,
  checkAccept,
];

function refuse(status: number, reason: string, headers: readonly SipHeader[] = []): Refusal {
  return { verdict: 'refuse', status, reason, headers };
}
function listed(name: string, values: readonly string[]): SipHeader[] {
  return values.map((value) => ({ name, value }));
}

/** Must be there and readable. */
const MANDATORY: readonly (readonly [name: string, readable: (value: string) => boolean])[] = [
  ['Via', readableVia],
  ['From', readableParty],
  ['To', readableParty],
  ['Call-ID', isCallId],
  ['CSeq', (value) => parseCSeq(value) !== undefined],
];

function readableVia(value: string): boolean {
  const via = parseVia(value);
  // A cookie without an identifier cannot tell transactions apart (RFC 4475 §3.2.1).
  return via !== undefined && via.branch !== MAGIC_COOKIE;
}
function readableParty(value: string): boolean {
  const address = parseNameAddr(value);
  return address !== undefined && address.params.get('tag') !== '';
}

function checkMandatory(request: SipRequest): Refusal | undefined {
  for (const [name, readable] of MANDATORY) {
    const values = headers(request, name);
    if (values.length === 0) return refuse(400, `Missing ${name}`);
    if (!values.every(readable)) return refuse(400, `Invalid ${name}`);
  }
  return undefined;
}

function checkMethod(request: SipRequest, policy: RequestPolicy): Refusal | undefined {
  if (policy.methods.includes(request.method)) return undefined;
  const allow = listed('Allow', policy.methods);
  if (KNOWN_METHODS.has(request.method)) return refuse(405, 'Method Not Allowed', allow);
  return refuse(501, 'Not Implemented', allow);
}

function checkCSeqMethod(request: SipRequest): Refusal | undefined {
  return cseqOf(request)?.method === request.method ? undefined : refuse(400, 'CSeq Method Mismatch');
}

function checkUri(request: SipRequest, policy: RequestPolicy): Refusal | undefined {
  if (Buffer.byteLength(request.uri) > policy.uriBytesMax) return refuse(414, 'Request-URI Too Long');
  const scheme = uriScheme(request.uri);
  if (scheme === undefined) return refuse(400, 'Invalid Request-URI');
  if (scheme !== 'sip' && scheme !== 'sips') return refuse(416, 'Unsupported URI Scheme');
  const uri = parseSipUri(request.uri);
  // Headers are for links, not for the wire (§19.1.5).
  return !uri || uri.headers.length > 0 ? refuse(400, 'Invalid Request-URI') : undefined;
}

function checkMaxForwards(request: SipRequest, policy: RequestPolicy): Refusal | undefined {
  const value = header(request, 'Max-Forwards');
  const hops = value === undefined ? undefined : parseMaxForwards(value);
  if (value !== undefined && hops === undefined) return refuse(400, 'Invalid Max-Forwards');
  return hops === 0 && policy.forwarding ? refuse(483, 'Too Many Hops') : undefined;
}

/** May be absent, but must be readable: guessing at these would send a call to the wrong place or end it at the wrong time. */
const OPTIONAL: readonly (readonly [name: string, readable: (value: string) => boolean])[] = [
  ['Contact', (value) => parseNameAddr(value) !== undefined],
  ['Route', (value) => parseNameAddr(value) !== undefined],
  ['Record-Route', (value) => parseNameAddr(value) !== undefined],
  ['Content-Type', (value) => parseMediaType(value) !== undefined],
  ['Session-Expires', (value) => parseSessionExpires(value) !== undefined],
  ['Min-SE', (value) => parseMinSe(value) !== undefined],
];

function checkOptional(request: SipRequest): Refusal | undefined {
  for (const [name, readable] of OPTIONAL) {
    const values = headers(request, name);
    const star = name === 'Contact' && request.method === 'REGISTER' && values.length === 1 && values[0] === '*';
    if (!star && !values.every(readable)) return refuse(400, `Invalid ${name}`);
  }
  return undefined;
}

function checkRequire(request: SipRequest, policy: RequestPolicy): Refusal | undefined {
  if (request.method === 'CANCEL' || request.method === 'ACK') return undefined; // §8.2.2.3
  const required = [
    ...tokenList(request, 'Require'),
    ...(policy.forwarding ? tokenList(request, 'Proxy-Require') : []),
  ];
  const missing = required.filter((tag) => !policy.supported.includes(tag.toLowerCase()));
  return missing.length === 0 ? undefined : refuse(420, 'Bad Extension', listed('Unsupported', missing));
}

function checkBody(request: SipRequest, policy: RequestPolicy): Refusal | undefined {
  if (request.body.length === 0) return undefined;
  if (request.body.length > policy.bodyBytesMax) return refuse(413, 'Request Entity Too Large');
  const disposition = header(request, 'Content-Disposition') ?? '';
  if (/;\s*handling\s*=\s*optional/i.test(disposition)) return undefined; // §20.11
  const encodings = tokenList(request, 'Content-Encoding').filter((value) => value.toLowerCase() !== 'identity');
  if (encodings.length > 0) return refuse(415, 'Unsupported Media Type', listed('Accept-Encoding', ['identity']));
  const accepted = policy.bodyTypes[request.method];
  if (!accepted) return undefined;
  const type = parseMediaType(header(request, 'Content-Type') ?? '')?.type;
  if (type !== undefined && accepted.includes(type)) return undefined;
  return refuse(415, 'Unsupported Media Type', listed('Accept', accepted));
}

/** An INVITE whose sender cannot take a session description cannot be answered (RFC 4475 §3.3.15). */
function checkAccept(request: SipRequest): Refusal | undefined {
  const accepted = tokenList(request, 'Accept');
  if (request.method !== 'INVITE' || accepted.length === 0) return undefined;
  const readable = accepted.map((value) => parseMediaType(value)?.type ?? '');
  const takesSdp = readable.some((type) => type === 'application/sdp' || type === 'application/*' || type === '*/*');
  return takesSdp ? undefined : refuse(406, 'Not Acceptable');
}

/**
 * Why a response must be thrown away, or undefined. It has exactly one Via, ours (RFC 3261 §8.1.3.3); whether that names a
 * transaction is the transaction layer's question.
 */
export function responseFault(response: SipResponse): string | undefined {
  for (const [name, readable] of MANDATORY) {
    const values = headers(response, name);
    if (values.length === 0) return `missing-${name.toLowerCase()}`;
    if (!values.every(readable)) return `bad-${name.toLowerCase()}`;
  }
  return headers(response, 'Via').length > 1 ? 'extra-via' : undefined;
}
