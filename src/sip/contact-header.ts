import { parseSipUri } from './sip-uri.ts';

/** One value of a `Contact` header (RFC 3261 §20.10). */
export interface ContactValue {
  readonly uri: string;
  readonly parameters: ReadonlyMap<string, string>; // lower-case names; quotes taken off
}

const HEADER_CHARACTERS_MAX = 8_192;
/** More than a phone has; whoever sends more is refused as a whole. */
const VALUES_MAX = 32;

/**
 * Splits a header whose values were joined by commas, and leaves those inside quotes and angle brackets alone.
 * @returns undefined for what is too long, or is not closed. Never throws.
 */
export function splitHeaderValues(header: string): readonly string[] | undefined {
  if (header.length > HEADER_CHARACTERS_MAX) return undefined;
  const values: string[] = [];
  let [start, quoted, bracketed] = [0, false, false];
  for (let at = 0; at < header.length; at += 1) {
    const letter = header[at];
    if (quoted) {
      if (letter === '\\') at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"' && !bracketed) quoted = true;
    else if (letter === '<') bracketed = true;
    else if (letter === '>') bracketed = false;
    else if (letter === ',' && !bracketed) {
      values.push(header.slice(start, at).trim());
      start = at + 1;
    }
  }
  if (quoted || bracketed) return undefined;
  values.push(header.slice(start).trim());
  const found = values.filter((value) => value !== '');
  return found.length > VALUES_MAX ? undefined : found;
}

/**
 * Reads a whole `Contact` header.
 * @returns `*`, the values, or undefined for what is no such header. Never throws.
 */
export function parseContacts(header: string): readonly ContactValue[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const values = splitHeaderValues(header)?.map(parseContact);
  return values?.every((value) => value !== undefined) ? values : undefined;
}

function parseContact(value: string): ContactValue | undefined {
  const text = value.replace(/^\s*"(?:[^"\\]|\\.)*"/, ''); // the display name, which may hold anything
  const open = text.indexOf('<');
  const end = open < 0 ? text.indexOf(';') : text.indexOf('>', open);
  const uri = text.slice(open + 1, end < 0 ? undefined : end);
  const rest = end < 0 ? '' : text.slice(open < 0 ? end : end + 1);
  const scheme = parseSipUri(uri)?.scheme;
  if (scheme !== 'sip' && scheme !== 'sips') return undefined;
  return /[\s"|<>\\]/.test(uri) ? undefined : { uri, parameters: headerParameters(rest) };
}

const PARAMETER = /;\s*([A-Za-z0-9.!%*_+`'~-]{1,64})\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?\s*/y;

function headerParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = text.length - text.trimStart().length;
  for (let match = PARAMETER.exec(text); match; match = PARAMETER.exec(text)) {
    const name = (match[1] ?? '').toLowerCase();
    if (!parameters.has(name)) parameters.set(name, match[2]?.replace(/\\(.)/g, '$1') ?? match[3] ?? '');
  }
  return parameters;
}

const SECONDS_MAX = 2 ** 32 - 1;

/** Delta-seconds (RFC 3261 §25.1); undefined for anything else. */
export function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*[0-9]{1,10}\s*$/.test(text)) return undefined;
  return Math.min(Number(text), SECONDS_MAX);
}

/** The same contact, however it is written: scheme and host do not mind their case, parameters have no order (§19.1.4). */
export function contactKey(uri: string): string {
  const parts = /^(sips?):(?:([^@]*)@)?([^;?]*)(;[^?]*)?/i.exec(uri);
  if (!parts) return uri;
  const [, scheme = '', user = '', hostPort = '', parameters = ''] = parts;
  const sorted = parameters.toLowerCase().split(';').filter(Boolean).sort().join(';');
  return `${scheme.toLowerCase()}:${user}@${hostPort.toLowerCase()};${sorted}`;
}

const ROUTE = /^<sips?:[^\s<>"|\\,]{1,250}>(;[^\s<>"|\\,]{1,100})?$/;

/** Proxies as the value of a `Route` header, without those that are written in no way that we would pass on. */
export const routeHeader = (proxies: readonly string[]): string =>
  proxies.filter((proxy) => ROUTE.test(proxy)).join(', ');
