import { isIPv4 } from 'node:net';
import { isNumericHost } from '../message/host-port.ts';
import { parseSipUri, type SipUri } from '../message/sip-uri.ts';
import { type DnsResolver, type SrvRecord, systemResolver } from './dns-resolver.ts';
import { portOr, TRANSPORT_NAMES, TRANSPORTS, type TransportName, transportsOf } from './transports.ts';

/** One place to send a request to. After a failure try the next with a new branch (RFC 3263 §4.3). */
export interface Target {
  readonly transport: TransportName;
  readonly address: string; // numeric
  readonly port: number;
  readonly serverName: string | undefined; // what a TLS certificate must be for: the domain of the URI, not the SRV target
}

export interface ResolveOptions {
  readonly resolver: DnsResolver;
  readonly transports: readonly TransportName[]; // those we have
  readonly families: readonly (4 | 6)[]; // those our sockets have, preferred first
  readonly random: () => number; // 0 <= x < 1, for SRV weights
}

/** Enough for failover, few enough that a call does not ring out while dead servers are tried. */
const TARGETS_MAX = 8;
const RECORDS_MAX = 16;
/** Considered for the draw; a real zone has a handful. */
const SRV_RECORDS_MAX = 64;

interface Hop {
  readonly transport: TransportName;
  readonly host: string;
  readonly port: number;
}

/**
 * Where to send a request for `uri`, in order of preference (RFC 3263 §4): transport and port of the URI, else NAPTR, SRV,
 * addresses. `sips` goes by secure transports only. Empty when there is no way there; never rejects.
 *
 * @param messageBytes - size of the request: where that is too much for a transport, another comes first.
 */
export async function resolveTarget(
  uri: SipUri,
  options: ResolveOptions,
  messageBytes = 0,
  signal?: AbortSignal,
): Promise<readonly Target[]> {
  const wanted = transportsOf(uri).allowed.filter((transport) => options.transports.includes(transport));
  const host = uri.params.get('maddr') || uri.host;
  // A browser does not know its own address, and says so (RFC 7118 §5.1, RFC 2606).
  if (wanted.length === 0 || /(?:^|\.)invalid\.?$/i.test(host)) return [];
  const hops = await findHops(uri, host, wanted, options);
  const targets: Target[] = [];
  for (const hop of hops) {
    if (signal?.aborted || targets.length >= TARGETS_MAX) break;
    const serverName = isNumericHost(uri.host) ? undefined : uri.host;
    for (const address of await addressesOf(hop.host, options)) {
      targets.push({ transport: hop.transport, address, port: hop.port, serverName });
    }
  }
  if (signal?.aborted) return [];
  return targets.flatMap((target) => sized(target, messageBytes, options.transports)).slice(0, TARGETS_MAX);
}

/** The target, behind its twin for large messages where it is too small for this one. */
function sized(target: Target, messageBytes: number, available: readonly TransportName[]): Target[] {
  const { bytesMax, largeBy } = TRANSPORTS[target.transport];
  const twin = messageBytes > bytesMax ? available.find((transport) => transport === largeBy) : undefined;
  return twin === undefined ? [target] : [{ ...target, transport: twin }, target];
}

async function findHops(
  uri: SipUri,
  host: string,
  wanted: readonly TransportName[],
  options: ResolveOptions,
): Promise<readonly Hop[]> {
  // Without a say of its own, a URI means the first (RFC 3263 §4.1): a secure one is never a guess.
  const fallback = transportsOf(uri).named ? wanted : wanted.filter((name) => !TRANSPORTS[name].secure).slice(0, 1);
  const direct = fallback.map((transport) => ({ transport, host, port: portOr(uri.port, transport) }));
  // Names without a dot are hosts of the own network (containers, localhost), which have no such records.
  if (uri.port !== undefined || isNumericHost(host) || !host.includes('.')) return direct;
  const queries = uri.params.has('transport')
    ? wanted.flatMap((transport) => srvQuery(transport, host))
    : await srvQueries(host, wanted, options);
  const found = await Promise.all(
    queries.slice(0, RECORDS_MAX).map(async ({ transport, name }) => {
      const records = await orNone(options.resolver.srv(name));
      return orderSrv(records, options.random).map((record) => ({ transport, host: record.name, port: record.port }));
    }),
  );
  const hops = found.flat();
  return hops.length > 0 ? hops.slice(0, RECORDS_MAX) : direct;
}

/** From NAPTR where there is any for us, else one for each transport we have (RFC 3263 §4.1). */
async function srvQueries(
  host: string,
  wanted: readonly TransportName[],
  options: ResolveOptions,
): Promise<readonly { transport: TransportName; name: string }[]> {
  const records = (await orNone(options.resolver.naptr(host)))
    .map((record) => ({ ...record, transport: byService(record.service.toUpperCase()) }))
    .filter((record) => record.flags.toLowerCase() === 's' && record.transport && wanted.includes(record.transport))
    .sort((a, b) => a.order - b.order || a.preference - b.preference);
  const named = records.flatMap(({ transport, replacement }) => (transport ? [{ transport, name: replacement }] : []));
  if (named.length > 0) return named;
  return wanted.flatMap((transport) => srvQuery(transport, host));
}

function srvQuery(transport: TransportName, host: string): { transport: TransportName; name: string }[] {
  const { srvPrefix } = TRANSPORTS[transport];
  return srvPrefix === '' ? [] : [{ transport, name: srvPrefix + host }];
}

function byService(service: string): TransportName | undefined {
  return TRANSPORT_NAMES.find((transport) => TRANSPORTS[transport].naptrService === service);
}

/** RFC 2782: by priority, then by lot with the weights as chances. A target of `.` means the service is not offered. */
export function orderSrv(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const left = records
    .filter((record) => record.name !== '' && record.name !== '.' && record.port > 0)
    .slice(0, SRV_RECORDS_MAX);
  const ordered: SrvRecord[] = [];
  while (left.length > 0 && ordered.length < RECORDS_MAX) {
    const priority = Math.min(...left.map((record) => record.priority));
    const chosen = drawByWeight(
      left.filter((record) => record.priority === priority),
      random(),
    );
    if (!chosen) break;
    ordered.push(chosen);
    left.splice(left.indexOf(chosen), 1);
  }
  return ordered;
}

/** `lot` is 0 <= x < 1. Without weights the first one. */
function drawByWeight(group: readonly SrvRecord[], lot: number): SrvRecord | undefined {
  let left = lot * group.reduce((sum, record) => sum + record.weight, 0);
  for (const record of group) {
    left -= record.weight;
    if (left < 0) return record;
  }
  return group[0];
}

/** Numeric addresses of a host, only of families we can send by, the preferred family first. */
async function addressesOf(host: string, options: ResolveOptions): Promise<readonly string[]> {
  const all = isNumericHost(host) ? [host] : await orNone(options.resolver.addresses(host));
  return options.families.flatMap((family) => all.filter((address) => (isIPv4(address) ? 4 : 6) === family));
}

async function orNone<T>(query: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return (await query).slice(0, SRV_RECORDS_MAX);
  } catch {
    return [];
  }
}

/** `resolveTarget` bound to what we have, for callers that hold URIs as text. */
export class TargetResolver {
  readonly options: ResolveOptions;
  constructor(options: Pick<ResolveOptions, 'transports'> & Partial<ResolveOptions>) {
    this.options = { resolver: systemResolver(), families: [4, 6], random: Math.random, ...options };
  }

  /** Empty for text that is no SIP URI, and when aborted. Never rejects. */
  async resolve(uri: string, signal?: AbortSignal, messageBytes = 0): Promise<readonly Target[]> {
    const parsed = parseSipUri(uri);
    if (!parsed) return [];
    const found = resolveTarget(parsed, this.options, messageBytes, signal);
    if (!signal) return found;
    return Promise.race([found, aborted(signal)]);
  }
}

function aborted(signal: AbortSignal): Promise<readonly Target[]> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve([]);
    else signal.addEventListener('abort', () => resolve([]), { once: true });
  });
}
