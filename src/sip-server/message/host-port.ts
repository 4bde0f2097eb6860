import { isIPv4, isIPv6 } from 'node:net';
import { ALPHANUMERIC, charTable, madeOf, parseUint, trimSpace } from './ascii.ts';

export interface HostPort {
  readonly host: string; // as written; an IPv6 address without its brackets
  readonly port: number | undefined; // 1..65535
}

/** Underscores are not legal in host names, and common in private networks. */
const HOST_TABLE = charTable(`${ALPHANUMERIC}-._`);
const HOST_MAX = 255;

/** `host`, `host:port`, `[2001:db8::1]:port`; white space is allowed around the colon (Via: RFC 4475 §3.1.1.1). */
export function parseHostPort(text: string): HostPort | undefined {
  if (text.startsWith('[')) {
    const close = text.indexOf(']');
    const host = text.slice(1, Math.max(close, 1));
    return isIPv6(host) && !host.includes('%') ? withPort(host, trimSpace(text.slice(close + 1))) : undefined;
  }
  const colon = text.indexOf(':');
  const host = colon < 0 ? text : trimSpace(text.slice(0, colon));
  if (host.length > HOST_MAX || !madeOf(host, HOST_TABLE) || host.startsWith('.') || host.includes('..'))
    return undefined;
  return withPort(host, colon < 0 ? '' : text.slice(colon));
}

function withPort(host: string, tail: string): HostPort | undefined {
  if (tail === '') return { host, port: undefined };
  if (!tail.startsWith(':')) return undefined;
  const port = parseUint(trimSpace(tail.slice(1)), 65_535);
  return port === undefined || port === 0 ? undefined : { host, port };
}

export function formatHostPort(host: string, port: number | undefined): string {
  const written = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? written : `${written}:${port}`;
}

export function isNumericHost(host: string): boolean {
  return isIPv4(host) || isIPv6(host);
}

/** Same host: names without regard to case, IPv6 addresses in any spelling (RFC 5954 §4.2). */
export function sameHost(a: string, b: string): boolean {
  return hostKey(a) === hostKey(b);
}

/** Lower case, IPv6 in its shortest form, IPv4-mapped IPv6 as IPv4: one spelling per address, for comparing and as map key. */
export function hostKey(host: string): string {
  if (!host.includes(':')) return host.toLowerCase();
  if (!isIPv6(host) || host.includes('%')) return host.toLowerCase();
  const short = new URL(`http://[${host}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (!mapped) return short;
  const high = Number.parseInt(mapped[1] ?? '0', 16);
  const low = Number.parseInt(mapped[2] ?? '0', 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** A numeric address as 4 or 16 bytes in network order. */
export function addressBytes(address: string): Buffer {
  const key = hostKey(address);
  if (isIPv4(key)) return Buffer.from(key.split('.').map(Number));
  const [left = '', right] = key.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [head, tail] = [groups(left), groups(right ?? '')];
  const zeros = new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const all = [...head, ...(right === undefined ? [] : zeros), ...tail];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
