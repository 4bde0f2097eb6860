import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface HostAddress {
  readonly address: string;
  readonly family: number; // 4 or 6
}
export interface GuardOptions {
  /** `host` or `host:port` as in the address that is asked: may be reached wherever it is. */
  readonly allowedHosts: readonly string[];
  /** All addresses of a name; the system's resolver unless a test has its own. */
  readonly resolve?: (name: string) => Promise<readonly HostAddress[]>;
}
export interface GuardedInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** The host lies where only the operator can allow it: this machine, its network, no network at all. */
export class ForbiddenAddress extends Error {}

/** Special-purpose IPv4 networks (IANA registry, RFC 6890): nothing of the public internet lies in them. */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Within 2000::/3: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = new BlockList();
for (const network of SPECIAL_IPV4) special.addSubnet(...partsOf(network), 'ipv4');
for (const network of SPECIAL_IPV6) special.addSubnet(...partsOf(network), 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

function partsOf(network: string): [string, number] {
  const [address = '', bits] = network.split('/');
  return [address, Number(bits)];
}

/** Whether an address is one of the public internet. IPv4 written as IPv6 is not. */
export function isPublicAddress({ address, family }: HostAddress): boolean {
  if (family === 4) return isIP(address) === 4 && !special.check(address, 'ipv4');
  return isIP(address) === 6 && globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Whether one of these addresses is not of the public internet, or is this machine's own. */
export function leadsInside(addresses: readonly string[]): boolean {
  const own = new Set(Object.values(networkInterfaces()).flatMap((ones) => (ones ?? []).map(({ address }) => address)));
  return addresses.some((address) => own.has(address) || !isPublicAddress({ address, family: isIP(address) }));
}

/** Whether the operator has named the host of a URL. */
export const isAllowedHost = (url: URL, allowedHosts: readonly string[]): boolean =>
  allowedHosts.some((host) => [url.hostname, `${url.hostname}:${portOf(url)}`].includes(host.toLowerCase()));

/** A host, without the brackets of IPv6, that is not of the public internet; names that have to be resolved are judged when they are. */
export function isInside(host: string): boolean {
  const family = isIP(host);
  if (family !== 0) return !isPublicAddress({ address: host, family });
  return !host.includes('.') || /\.(?:local|localhost|internal|lan|home|test|invalid)$/.test(host);
}

/**
 * Requests to addresses that customers have written. A host is resolved once, refused when one of its addresses is not public
 * or is this machine's own, and connected to at the address that was checked: a name that means another one a moment later
 * leads nowhere else. Redirects are not followed.
 *
 * @returns the response as it begins; whoever gets it reads or destroys it. @throws ForbiddenAddress, and what the network says.
 */
export function guardedRequests(options: GuardOptions): (url: URL, init: GuardedInit) => Promise<IncomingMessage> {
  const resolve = options.resolve ?? ((name: string) => lookup(name, { all: true, verbatim: true }));
  return async (url, init) => {
    const target = await unlessAborted(checkedAddress(url, options.allowedHosts, resolve), init.signal);
    return send(url, target, init);
  };
}

async function checkedAddress(
  url: URL,
  allowedHosts: readonly string[],
  resolve: NonNullable<GuardOptions['resolve']>,
): Promise<HostAddress> {
  const name = bareName(url);
  const literal = isIP(name);
  const addresses = literal ? [{ address: name, family: literal }] : await resolve(name);
  const [first] = addresses;
  if (!first) throw new Error('the host has no address');
  if (isAllowedHost(url, allowedHosts)) return first;
  if (leadsInside(addresses.map(({ address }) => address))) throw new ForbiddenAddress('not a public address');
  return first;
}

/** As it is resolved. */
export const bareName = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, '');

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

function send(url: URL, target: HostAddress, init: GuardedInit): Promise<IncomingMessage> {
  const pinned: LookupFunction = (_name, { all }, done) => {
    if (all) done(null, [target]);
    else done(null, target.address, target.family);
  };
  const { method, headers, body, signal } = init;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      ...{ method, signal, lookup: pinned },
      headers: { ...headers, ...length },
      agent: false, // no connection outlives its check
    });
    request.once('error', reject);
    request.once('response', (response) => {
      response.on('error', () => {}); // Reading it says so too; a body nobody reads must not end the process.
      resolve(response);
    });
    request.end(body);
  });
}

/** A resolver cannot be stopped; its caller need not wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
