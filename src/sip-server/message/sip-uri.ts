import { ALPHANUMERIC, charTable, HEX_TABLE, madeOf } from './ascii.ts';
import type { Params } from './header-params.ts';
import { formatHostPort, parseHostPort, sameHost } from './host-port.ts';

/** A `sip:` or `sips:` URI (RFC 3261 §19.1). Escapes stay as written; `decodeEscapes` reads them. */
export interface SipUri {
  readonly scheme: 'sip' | 'sips';
  readonly user: string | undefined; // escaped
  readonly password: string | undefined; // escaped
  readonly host: string; // IPv6 without brackets
  readonly port: number | undefined;
  readonly params: Params; // lower-case names, escaped values, '' for a flag such as lr
  readonly headers: readonly (readonly [name: string, value: string])[]; // after `?`, escaped
}

const UNRESERVED = `${ALPHANUMERIC}-_.!~*'()`;
const USER_TABLE = charTable(`${UNRESERVED}&=+$,;?/%#|^[]{}\``); // The last ones are not legal, but sent.
const PASSWORD_TABLE = charTable(`${UNRESERVED}&=+$,%;?/:#`);
const PARAM_TABLE = charTable(`${UNRESERVED}[]/:&+$%`);
const HEADER_TABLE = charTable(`${UNRESERVED}[]/?:+$%`);
const SCHEME_TABLE = charTable(`${ALPHANUMERIC}+-.`);

/** Scheme of any URI, lower case; undefined when there is none. */
export function uriScheme(uri: string): string | undefined {
  const colon = uri.indexOf(':');
  if (colon < 1 || !/[A-Za-z]/.test(uri.charAt(0))) return undefined;
  const scheme = uri.slice(0, colon);
  return madeOf(scheme, SCHEME_TABLE) ? scheme.toLowerCase() : undefined;
}

/** Reads a `sip:` or `sips:` URI; undefined for another scheme or any syntax error. */
export function parseSipUri(text: string): SipUri | undefined {
  const scheme = uriScheme(text);
  if ((scheme !== 'sip' && scheme !== 'sips') || /[ \t]/.test(text)) return undefined;
  const rest = text.slice(scheme.length + 1);
  const at = rest.indexOf('@'); // Legal nowhere else unescaped, so it ends the user part even after `;` or `?`.
  const userInfo = at < 0 ? undefined : rest.slice(0, at);
  const colon = userInfo?.indexOf(':') ?? -1;
  const user = colon < 0 ? userInfo : userInfo?.slice(0, colon);
  const password = colon < 0 ? undefined : userInfo?.slice(colon + 1);
  if (user !== undefined && !isEscaped(user, USER_TABLE)) return undefined;
  if (password !== undefined && password !== '' && !isEscaped(password, PASSWORD_TABLE)) return undefined;

  const tail = rest.slice(at + 1);
  const question = tail.indexOf('?');
  const beforeHeaders = question < 0 ? tail : tail.slice(0, question);
  const [hostPort = '', ...pieces] = beforeHeaders.split(';');
  const where = parseHostPort(hostPort);
  const params = readUriParams(pieces);
  const headers = question < 0 ? [] : readUriHeaders(tail.slice(question + 1));
  if (!where || !params || !headers) return undefined;
  return { scheme, user, password, host: where.host, port: where.port, params, headers };
}

function readUriParams(pieces: readonly string[]): Params | undefined {
  const params = new Map<string, string>();
  for (const piece of pieces) {
    const equal = piece.indexOf('=');
    const name = (equal < 0 ? piece : piece.slice(0, equal)).toLowerCase();
    const value = equal < 0 ? '' : piece.slice(equal + 1);
    if (!isEscaped(name, PARAM_TABLE) || params.has(name)) return undefined;
    if (equal >= 0 && !isEscaped(value, PARAM_TABLE)) return undefined;
    params.set(name, value);
  }
  return params;
}

function readUriHeaders(text: string): [string, string][] | undefined {
  const headers: [string, string][] = [];
  for (const piece of text.split('&')) {
    const equal = piece.indexOf('=');
    if (equal < 1) return undefined;
    const name = piece.slice(0, equal);
    const value = piece.slice(equal + 1);
    if (!isEscaped(name, HEADER_TABLE)) return undefined;
    if (value !== '' && !isEscaped(value, HEADER_TABLE)) return undefined;
    headers.push([name, value]);
  }
  return headers;
}

/** Not empty, made of `table`, and every `%` begins an escape. */
function isEscaped(text: string, table: Uint8Array): boolean {
  if (!madeOf(text, table)) return false;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 3)) {
    if (!madeOf(text.slice(at + 1, at + 3), HEX_TABLE) || at + 3 > text.length) return false;
  }
  return true;
}

export function formatSipUri(uri: SipUri): string {
  let out = `${uri.scheme}:`;
  if (uri.user !== undefined) out += `${uri.user}${uri.password === undefined ? '' : `:${uri.password}`}@`;
  out += formatHostPort(uri.host, uri.port);
  for (const [name, value] of uri.params) out += value === '' ? `;${name}` : `;${name}=${value}`;
  if (uri.headers.length > 0) out += `?${uri.headers.map(([name, value]) => `${name}=${value}`).join('&')}`;
  return out;
}

/** `%41` -> `A`, as UTF-8; what is not an escape, or not UTF-8, stays visible. Escaped controls are decoded too. */
export function decodeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = Buffer.alloc(Buffer.byteLength(text));
  let length = 0;
  for (let i = 0; i < text.length; i += 1) {
    const hex = text.slice(i + 1, i + 3);
    if (text.charAt(i) === '%' && hex.length === 2 && madeOf(hex, HEX_TABLE)) {
      bytes[length] = Number.parseInt(hex, 16);
      length += 1;
      i += 2;
    } else length += bytes.write(text.charAt(i), length);
  }
  return bytes.toString('utf8', 0, length);
}

const PLAIN_USER_TABLE = charTable(`${UNRESERVED}&=+$,;?/`);
/** Escapes a user part, so that any text can stand before the `@`. */
export function encodeUser(text: string): string {
  return escapeOutside(text, PLAIN_USER_TABLE);
}
const PLAIN_HEADER_TABLE = charTable(`${UNRESERVED}[]/?:+$`);
/** Escapes a value for the `?name=value` part of a URI, such as Replaces inside Refer-To. */
export function encodeUriHeader(text: string): string {
  return escapeOutside(text, PLAIN_HEADER_TABLE);
}

function escapeOutside(text: string, table: Uint8Array): string {
  let out = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const plain = byte < 128 && table[byte] === 1;
    out += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** These never match a URI that does not have them, even at their default (RFC 3261 §19.1.4). */
const PARAMS_THAT_COUNT = ['user', 'ttl', 'method', 'maddr'];

/** Equality of RFC 3261 §19.1.4. Not transitive: parameters that only one URI has are ignored. */
export function sameSipUri(a: SipUri, b: SipUri): boolean {
  if (a.scheme !== b.scheme || a.port !== b.port || !sameHost(a.host, b.host)) return false;
  if (!sameEscaped(a.user, b.user) || !sameEscaped(a.password, b.password)) return false;
  for (const [name, value] of a.params) {
    const other = b.params.get(name);
    if (other !== undefined && !sameEscaped(other.toLowerCase(), value.toLowerCase())) return false;
  }
  if (PARAMS_THAT_COUNT.some((name) => a.params.has(name) !== b.params.has(name))) return false;
  return sameUriHeaders(a, b);
}

function sameUriHeaders(a: SipUri, b: SipUri): boolean {
  if (a.headers.length !== b.headers.length) return false;
  const keys = (uri: SipUri): string[] =>
    uri.headers.map(([name, value]) => `${decodeEscapes(name).toLowerCase()}=${decodeEscapes(value)}`).sort();
  const other = keys(b);
  return keys(a).every((key, index) => key === other[index]);
}

function sameEscaped(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && normalEscapes(a) === normalEscapes(b);
}

const RESERVED_TABLE = charTable(';/?:@&=+$,%');
/** Decodes what need not be escaped; an escaped reserved character stays different from the plain one. */
function normalEscapes(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, (written) => {
    const code = Number.parseInt(written.slice(1), 16);
    const keep = code < 0x21 || code > 0x7e || RESERVED_TABLE[code] === 1;
    return keep ? written.toUpperCase() : String.fromCharCode(code);
  });
}
