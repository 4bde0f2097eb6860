import { isSpace, isTokenCode, quote, quotedEnd, trimSpace, unquote } from './ascii.ts';
import { formatParams, NO_PARAMS, type Params, parseParams, withParam } from './header-params.ts';
import { parseSipUri, uriScheme } from './sip-uri.ts';

/** From, To, Contact, Route, Record-Route, Refer-To, Referred-By, P-Asserted-Identity ... (RFC 3261 §20.10). */
export interface NameAddr {
  readonly displayName: string | undefined; // without quotes and escapes
  readonly uri: string; // as written, without brackets; `parseSipUri` reads it
  readonly params: Params; // of the header, not of the URI
}

/**
 * Reads `"Name" <uri>;params`, `<uri>;params` or `uri;params`. Without brackets, what follows a semicolon belongs to the
 * header, and a comma or question mark is an error (RFC 3261 §20.10, RFC 4475 §3.1.2.13). White space inside the brackets
 * is an error (§3.1.2.14), and so is a display name of non-token characters without quotes (§3.1.2.15).
 */
export function parseNameAddr(value: string): NameAddr | undefined {
  const quoted = value.startsWith('"');
  const nameEnd = quoted ? quotedEnd(value, 0) + 1 : 0;
  if (quoted && nameEnd === 0) return undefined;
  // A name without quotes holds neither `;` nor `"`: what comes first tells `sip:a@b;+sip.instance="<urn:...>"` apart.
  if (!quoted && value.charAt(value.search(/[<";]/)) !== '<') return parseAddrSpec(value);
  const open = value.indexOf('<', nameEnd);
  const close = value.indexOf('>', open);
  if (open < 0 || close < 0) return undefined;
  const name = readDisplayName(value, nameEnd, open);
  const uri = value.slice(open + 1, close);
  const params = parseParams(trimSpace(value.slice(close + 1)));
  if (name === undefined || !params || !isUri(uri)) return undefined;
  return { displayName: name === '' ? undefined : name, uri, params };
}

function readDisplayName(value: string, nameEnd: number, open: number): string | undefined {
  if (value.startsWith('"')) {
    return trimSpace(value.slice(nameEnd, open)) === '' ? unquote(value.slice(0, nameEnd)) : undefined;
  }
  const name = trimSpace(value.slice(0, open));
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i);
    // Letters beyond ASCII ought to be quoted; many phones do not, and nothing is ambiguous.
    if (code < 128 && !isTokenCode(code) && !isSpace(code)) return undefined;
  }
  return name;
}

function parseAddrSpec(value: string): NameAddr | undefined {
  const semicolon = value.indexOf(';');
  const uri = trimSpace(semicolon < 0 ? value : value.slice(0, semicolon));
  const params = semicolon < 0 ? NO_PARAMS : parseParams(value.slice(semicolon));
  if (!params || uri.includes('?') || uri.includes(',') || !isUri(uri)) return undefined;
  return { displayName: undefined, uri, params };
}

/** Any absolute URI; the ones we know must also be well formed. */
function isUri(uri: string): boolean {
  const scheme = uriScheme(uri);
  if (scheme === undefined) return false;
  if (scheme === 'sip' || scheme === 'sips') return parseSipUri(uri) !== undefined;
  for (let i = 0; i < uri.length; i += 1) {
    const code = uri.charCodeAt(i);
    if (code <= 0x20 || code === 0x22 || code === 0x3c || code >= 0x7f) return false;
  }
  return true;
}

export function formatNameAddr(address: NameAddr): string {
  const name = address.displayName === undefined ? '' : `${quote(address.displayName)} `;
  return `${name}<${address.uri}>${formatParams(address.params)}`;
}

/** The tag of a From or To value. */
export function tagOf(value: string): string | undefined {
  return parseNameAddr(value)?.params.get('tag');
}

/** The value with this tag; text that cannot be read gets it appended, so that even a refusal carries one. */
export function withTag(value: string, tag: string): string {
  const address = parseNameAddr(value);
  if (address?.params.has('tag')) return formatNameAddr({ ...address, params: withParam(address.params, 'tag', tag) });
  return `${value};tag=${tag}`;
}
